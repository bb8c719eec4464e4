import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, refusal } from '#libs/kernel';
import { isUnavailable } from '#libs/postgres';
import type { Append, Outcome } from './append-many.js';

export type AppendQueueOptions = Readonly<{
  /** Batches on their way at once, each on a connection of its own: while one waits for the disk, the other can work. */
  connections: number;
  /** Milliseconds after which an append that got no definite answer is given up. */
  patience: number;
}>;

type Waiting = Readonly<{ append: Append; until: number; resolve: (outcome: Outcome) => void; reject: (reason: unknown) => void }>;

const MOST_APPENDS = 256;
const MOST_CHARACTERS = 4_000_000;
/** Below this, one commit for all is worth more than a second connection at work. */
const FEWEST_TO_SHARE = 32;

/**
 * Collects what is appended within one turn of the event loop, or while its connections are busy, and sends it as one batch, so
 * that a commit is shared; nothing waits while a connection is free, and many are shared out among those that are. A batch that fails as a whole is sent again one by one, so that no append answers for
 * another. Where it is open whether a batch was stored, the same is sent again: ids and revisions make it a repeat.
 */
export class AppendQueue {
  private readonly waiting: Waiting[] = [];
  private busy = 0;
  private closed = false;
  private turn: NodeJS.Immediate | undefined;

  constructor(
    private readonly send: (appends: readonly Append[]) => Promise<Outcome[]>,
    private readonly options: AppendQueueOptions,
  ) {}

  append(append: Append): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ append, until: performance.now() + this.options.patience, resolve, reject });
      // Those who were answered together come back together: the first of them must not leave alone, and the rest wait for it.
      this.turn ??= setImmediate(() => {
        this.turn = undefined;
        this.pump();
      });
    });
  }

  /** No more attempts; what is on its way is still answered. */
  close(): void {
    this.closed = true;
  }

  private pump(): void {
    while (this.busy < this.options.connections && this.waiting.length > 0) {
      this.busy++;
      void this.settle(this.takeBatch()).finally(() => {
        this.busy--;
        this.pump();
      });
    }
  }

  private takeBatch(): Waiting[] {
    const { length } = this.waiting;
    const free = this.options.connections - this.busy + 1; // with the one that this batch is for
    const most = Math.min(MOST_APPENDS, length < FEWEST_TO_SHARE ? length : Math.ceil(length / free));
    let count = 0;
    for (let characters = 0; count < most; count++) {
      for (const { data, meta } of this.waiting[count]!.append.events) characters += data.length + meta.length;
      if (count > 0 && characters > MOST_CHARACTERS) break;
    }
    // The sort is stable: two appends to one stream keep the order in which they came.
    return this.waiting
      .splice(0, count)
      .sort((a, b) => (a.append.stream < b.append.stream ? -1 : a.append.stream > b.append.stream ? 1 : 0));
  }

  /** Never fails: every append of the batch gets its answer. */
  private async settle(batch: readonly Waiting[], sent = false): Promise<void> {
    let delay = 10;
    let cause: unknown;
    for (;;) {
      batch = batch.filter((each) => !this.gaveUp(each, sent, cause));
      if (batch.length === 0) return;
      sent = true;
      try {
        const outcomes = await this.send(batch.map(({ append }) => append));
        batch.forEach(({ resolve }, index) => resolve(outcomes[index]!));
        return;
      } catch (error) {
        cause = error;
        if (batch.length > 1 && !isUnavailable(error)) {
          for (const each of batch) await this.settle([each], sent);
          return;
        }
        if (!isWorthAnotherTry(error)) {
          for (const { reject } of batch) reject(error);
          return;
        }
      }
      await pause(delay * (0.5 + Math.random()));
      delay = Math.min(delay * 2, 500);
    }
  }

  private gaveUp({ until, reject }: Waiting, sent: boolean, cause: unknown): boolean {
    if (!(sent && this.closed) && performance.now() < until) return false;
    const detail = sent
      ? 'The event store gave no definite answer in time. It is open whether this was stored: send the same again.'
      : 'The event store did not get to this in time. Nothing was stored: try again in a moment.';
    reject(Object.assign(new DomainError(refusal('unavailable', 'event-store/unavailable', detail)), { cause }));
    return true;
  }
}

/** Lost connections, a server that stops or is full, deadlocks and races: the same again may succeed. */
const isWorthAnotherTry = (error: unknown): boolean => isUnavailable(error) || /^(40001|40P01|53...|55P03)$/.test(codeOf(error));
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';
