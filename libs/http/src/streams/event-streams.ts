import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DomainError, refusal } from '#libs/kernel';
import { digits } from '../fields/rules.js';
import { leavePlace } from '../edge/place.js';
import { read } from '../parameters/parameters.js';
import { SseStream } from './sse-stream.js';

export type StreamLimits = Readonly<{ perCredential: number; overall: number; capBytes: number; heartbeatMs: number }>;

/** Few enough that one credential cannot fill a server, and a heartbeat that proxies take as a sign of life. */
export const STREAM_LIMITS: StreamLimits = { perCredential: 64, overall: 4_000, capBytes: 1_048_576, heartbeatMs: 15_000 };

export const EVENT_STREAM = 'text/event-stream';

/** After the end, how long a client may take to read it before the connection is cut. */
const END_MS = 2_000;

/** All server-sent event streams of this process. */
@Injectable()
export class EventStreams {
  private readonly open_ = new Map<SseStream, string>();
  private readonly routes = new Map<SseStream, string>();
  private cut = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(private readonly limits: StreamLimits = STREAM_LIMITS) {}

  /** How many are open now. */
  get size(): number {
    return this.open_.size;
  }

  /** How many are open now, by the pattern of their route. */
  byRoute(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const route of this.routes.values()) counts.set(route, (counts.get(route) ?? 0) + 1);
    return counts;
  }

  /** How many clients were cut off so far because they did not read. */
  get cutOff(): number {
    return this.cut;
  }

  /**
   * Answers the request with a stream. 429 `stream/too-many` past the credential's limit, 503 `stream/full` past the
   * server's, both before anything is sent. The route's handler injects the reply with `@Res()` and returns nothing.
   */
  open(reply: FastifyReply, credentialId: string): SseStream {
    this.assertRoom(credentialId);
    leavePlace();
    const { raw } = reply.header('content-type', EVENT_STREAM).hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // The end of the stream is the end of the connection, so that a stopping server is soon rid of both.
      connection: 'close',
    });
    const stream = new SseStream(raw, this.limits.capBytes, () => void this.cut++);
    this.open_.set(stream, credentialId);
    this.routes.set(stream, reply.request.routeOptions.url ?? 'none');
    stream.signal.addEventListener('abort', () => this.forget(stream, raw), { once: true });
    if (reply.request.method === 'HEAD') stream.end();
    else stream.write('retry: 2000\n\n');
    this.heartbeat ??= setInterval(() => this.beat(), this.limits.heartbeatMs).unref();
    if (this.stopping) stream.end();
    return stream;
  }

  /** Ends every stream of a credential, saying why. */
  closeFor(credentialId: string, reason: Readonly<{ code: string; detail: string }>): void {
    for (const [stream, owner] of [...this.open_]) if (owner === credentialId) stream.fail(reason);
  }

  /** Ends all of them with `stream_end`, and whatever is opened from now on. */
  endAll(): void {
    this.stopping = true;
    for (const stream of [...this.open_.keys()]) stream.end();
  }

  /** The credentials that have a stream open. */
  credentials(): ReadonlySet<string> {
    return new Set(this.open_.values());
  }

  private assertRoom(credentialId: string): void {
    if (this.open_.size >= this.limits.overall)
      throw new DomainError(
        refusal('unavailable', 'stream/full', 'This server holds as many streams as it can. Retry in a moment.', { retryAfter: 5 }),
      );
    const own = [...this.open_.values()].filter((owner) => owner === credentialId).length;
    if (own >= this.limits.perCredential)
      throw new DomainError(
        refusal('too_many', 'stream/too-many', `A credential may hold ${this.limits.perCredential} streams open. Close one first.`, {
          retryAfter: 5,
        }),
      );
  }

  private beat(): void {
    for (const stream of [...this.open_.keys()]) stream.beat();
  }

  private forget(stream: SseStream, raw: FastifyReply['raw']): void {
    this.open_.delete(stream);
    this.routes.delete(stream);
    const cut = setTimeout(() => raw.destroy(), END_MS).unref();
    raw.once('close', () => clearTimeout(cut));
    if (this.open_.size > 0) return;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }
}

/**
 * Where a client wants to go on: `Last-Event-ID`, or `?lastEventId=` where it can set no header; undefined for a fresh
 * start. 422 `request/invalid` for what is no position.
 */
export const lastEventIdOf = (request: Readonly<{ headers: Readonly<Record<string, unknown>>; query?: unknown }>): string | undefined => {
  const header = request.headers['last-event-id'];
  if (header !== undefined && header !== '') return read(digits(), header, '/header/last-event-id');
  const asked = (request.query as Record<string, unknown> | undefined)?.['lastEventId'];
  return asked === undefined ? undefined : read(digits(), asked, '/query/lastEventId');
};
