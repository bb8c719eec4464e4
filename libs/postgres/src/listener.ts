import type { ClientConfig } from 'pg';
import { escapeIdentifier } from 'pg';
import { GuardedClient } from './connection.js';

/** `undefined`: look yourself, notifications may have been missed. */
export type Handler = (payload: string | undefined) => void;

const FIRST_RETRY = 100;
const LAST_RETRY = 5_000;

/** One connection for all channels, opened with the first, and opened again for as long as there is a handler. */
export class Listener {
  private readonly handlers = new Map<string, Set<Handler>>();
  private client: GuardedClient | undefined;
  private connected = false;
  private sending: Promise<unknown> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private delay = FIRST_RETRY;
  private closed = false;

  constructor(
    private readonly config: ClientConfig,
    private readonly log: (message: string) => void = () => undefined,
  ) {}

  listen(channel: string, handler: Handler): () => void {
    if (this.closed) throw new Error('The database is closed.');
    // Wrapped, so that the same function may listen twice and stop once.
    const entry: Handler = (payload) => this.call(handler, payload);
    const others = this.handlers.get(channel);
    if (others) others.add(entry);
    else this.handlers.set(channel, new Set([entry]));
    if (this.connected) this.subscribe(channel, entry);
    else if (!this.client && !this.retry) void this.connect();
    return () => this.unlisten(channel, entry);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.handlers.clear();
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    this.retry = undefined;
    const client = new GuardedClient(this.config);
    this.client = client;
    client.on('notification', ({ channel, payload }) => this.handlers.get(channel)?.forEach((handle) => handle(payload ?? '')));
    client.once('end', () => this.lost(client, 'the connection ended'));
    try {
      await client.connect();
      // Listens before it calls: what happens in between is then either seen or announced.
      const channels = [...this.handlers.keys()];
      for (const channel of channels) await client.query(`listen ${escapeIdentifier(channel)}`);
      this.connected = true;
      this.delay = FIRST_RETRY;
      for (const [channel, handlers] of this.handlers)
        if (channels.includes(channel)) handlers.forEach((handle) => handle(undefined));
        else handlers.forEach((handle) => this.subscribe(channel, handle));
    } catch (error) {
      this.lost(client, (error as Error).message);
      await client.end().catch(() => undefined);
    }
  }

  private subscribe(channel: string, handle: Handler): void {
    // A failure means that the connection is going; the next one subscribes to all.
    this.send(`listen ${escapeIdentifier(channel)}`).then(
      () => this.handlers.get(channel)?.has(handle) && handle(undefined),
      () => undefined,
    );
  }

  private unlisten(channel: string, handle: Handler): void {
    const handlers = this.handlers.get(channel);
    if (!handlers?.delete(handle) || handlers.size > 0) return;
    this.handlers.delete(channel);
    if (this.connected) this.send(`unlisten ${escapeIdentifier(channel)}`).catch(() => undefined);
  }

  /** One statement after the other: a client takes no second one while it is busy. */
  private send(statement: string): Promise<unknown> {
    const { client } = this;
    const sent = this.sending.then(() => client?.query(statement));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  private lost(client: GuardedClient, reason: string): void {
    if (this.client !== client) return;
    this.client = undefined;
    const { connected } = this;
    this.connected = false;
    if (this.closed) return;
    if (connected) for (const handlers of this.handlers.values()) handlers.forEach((handle) => handle(undefined));
    this.log(`Listening for notifications stopped (${reason}); next attempt in ${this.delay} ms.`);
    this.retry = setTimeout(() => void this.connect(), this.delay * (0.5 + Math.random() / 2));
    this.delay = Math.min(this.delay * 2, LAST_RETRY);
  }

  private call(handler: Handler, payload: string | undefined): void {
    try {
      handler(payload);
    } catch (error) {
      this.log(`A notification handler failed: ${(error as Error).message}`);
    }
  }
}
