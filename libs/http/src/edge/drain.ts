import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { DomainError, refusal } from '#libs/kernel';
import type { EventStreams } from '../streams/event-streams.js';

/**
 * The way a server stops without anyone noticing: no new connections, streams end with an event, requests in flight finish
 * (at most `stopMs`), and only then the rest of the application is taken down.
 */
export class Drain {
  private readonly inFlight = new Set<object>();
  private finished: (() => void) | undefined;
  private server: Server | undefined;
  private stopped = false;

  constructor(
    private readonly streams: EventStreams,
    private readonly stopMs: number,
  ) {}

  /** True from the moment the server is told to stop. */
  get stopping(): boolean {
    return this.stopped;
  }

  watch(instance: FastifyInstance): void {
    this.server = instance.server;
    instance.addHook('onRequest', (_, reply, done) => {
      this.inFlight.add(reply);
      reply.raw.once('close', () => {
        this.inFlight.delete(reply);
        if (this.inFlight.size === 0) this.finished?.();
      });
      if (!this.stopped) return done();
      void reply.header('connection', 'close');
      done(new DomainError(refusal('unavailable', 'server/stopping', 'This server is being stopped. Retry in a moment.')));
    });
    // A connection that stays alive would hold the server open after its last answer.
    instance.addHook('onSend', (_, reply, payload, done) => {
      if (this.stopped) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  async run(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    if (this.server?.listening) this.server.close();
    this.streams.endAll();
    if (this.inFlight.size === 0) return;
    const cancel = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (this.finished = resolve)),
      delay(this.stopMs, undefined, { signal: cancel.signal }).catch(() => undefined),
    ]);
    cancel.abort();
  }
}
