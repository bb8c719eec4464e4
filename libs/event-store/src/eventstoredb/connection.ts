import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { DomainError, refusal } from '#libs/kernel';
import type { ConnectionTarget } from './connection-string.js';
import { ConnectionFault, diagnose } from './diagnose.js';

export type ConnectionOptions = Readonly<{
  /** Milliseconds until a call that got no definite answer is 503 `event-store/unavailable`; 10 s by default. */
  patience?: number;
  /** Milliseconds of silence after which one attempt is given up and another one made; `defaultDeadline` of the connection string, or 4 s. */
  attempt?: number;
}>;

/** One attempt of a call. `heard` says that the server is alive; `signal` aborts when nothing was heard for too long. */
export type Attempt = Readonly<{ client: EventStoreDBClient; ms: number; signal: AbortSignal; heard(): void }>;

const FIRST_PAUSE = 20;
const LAST_PAUSE = 500;
const LEAST_ATTEMPT = 50;
/** Milliseconds that open calls have to end when the connection is closed. */
const CLOSING = 2_000;

/**
 * The client, with what it lacks: an end to calls that nobody answers (it sets reads no deadline at all), and another attempt
 * where an answer was lost. Nothing is lost by asking again: reads change nothing, and an append says at which revision. The client
 * itself opens a new channel, to the leader where there are several nodes, after an error that a new one may cure.
 */
export class Connection {
  readonly client: EventStoreDBClient;
  private readonly closing = new AbortController();
  private reached = false;
  private readonly patience: number;
  private readonly silence: number;

  constructor(
    readonly target: ConnectionTarget,
    { patience = 10_000, attempt = target.deadline ?? 4_000 }: ConnectionOptions = {},
  ) {
    setMaxListeners(0, this.closing.signal);
    this.patience = patience;
    this.silence = attempt;
    this.client = withoutBatches(EventStoreDBClient.connectionString(target.url));
  }

  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Throws the server's answer where it is one; DomainError 503 `event-store/unavailable` with a ConnectionFault as its cause where there is none. */
  async run<T>(unknown: 'nothing' | 'outcome', action: (attempt: Attempt) => Promise<T>): Promise<T> {
    const until = performance.now() + this.patience;
    for (let delay = FIRST_PAUSE; ; delay = Math.min(delay * 2, LAST_PAUSE)) {
      try {
        const result = await this.attempt(Math.min(this.silence, until - performance.now()), action);
        this.reached = true;
        return result;
      } catch (error) {
        const diagnosis = this.closing.signal.aborted ? { mistake: true, sentence: 'The store is closed.' } : diagnose(error, this.target);
        if (!diagnosis) throw error;
        const wait = delay * (0.5 + Math.random());
        if (diagnosis.mistake || performance.now() + wait + LEAST_ATTEMPT > until)
          throw unavailable(unknown, new ConnectionFault(diagnosis, error));
        await pause(wait, undefined, { signal: this.closing.signal }).catch(() => undefined);
      }
    }
  }

  /** No more attempts; what is open is cancelled, and the channel closed. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    await Promise.race([this.client.dispose(), pause(CLOSING, undefined, { ref: false })]);
    // `dispose` ends streams and leaves the channel open; without one, asking for it would look for a node.
    if (!this.reached) return;
    const channel = await (this.client as unknown as { getChannel(): Promise<{ close(): void }> }).getChannel().catch(() => undefined);
    channel?.close();
  }

  private async attempt<T>(ms: number, action: (attempt: Attempt) => Promise<T>): Promise<T> {
    this.closing.signal.throwIfAborted();
    const over = new AbortController();
    const stop = () => over.abort(new Error('It was closed.'));
    let timer: NodeJS.Timeout | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => over.abort(new Error(`Nothing was heard for ${Math.round(ms)} ms.`)), ms);
    };
    this.closing.signal.addEventListener('abort', stop, { once: true });
    heard();
    try {
      return await new Promise<T>((resolve, reject) => {
        over.signal.addEventListener('abort', () => reject(over.signal.reason as Error), { once: true });
        action({ client: this.client, ms, signal: over.signal, heard }).then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      this.closing.signal.removeEventListener('abort', stop);
    }
  }
}

/**
 * Makes `appendToStream` send each append as a call of its own. Batches wait in one list of the whole module: an error of any client
 * fails the appends of all, and an answer that comes after it ends the process, which an election with two nodes is enough for;
 * and they have no deadline but one by the client's clock. It also spares the question what the server can do, which
 * has no deadline either.
 */
const withoutBatches = (client: EventStoreDBClient): EventStoreDBClient =>
  Object.assign(client, { supports: () => Promise.resolve(false) });

const unavailable = (unknown: 'nothing' | 'outcome', cause: ConnectionFault): DomainError => {
  const detail =
    unknown === 'outcome'
      ? 'The event store gave no definite answer in time. It is open whether this was stored: send the same again.'
      : 'The event store does not answer right now. Try again in a moment.';
  return Object.assign(new DomainError(refusal('unavailable', 'event-store/unavailable', detail)), { cause });
};
