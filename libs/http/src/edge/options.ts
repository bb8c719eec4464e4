import type { FastifyRequest } from 'fastify';
import { STREAM_LIMITS, type StreamLimits } from '../streams/event-streams.js';
import { CAPACITY, type Capacity } from './admission.js';
import type { RequestContext } from './request-context.js';

/** A request that has been answered, for logs and metrics. `route` is the pattern, never the URL; `aborted`: the client went away first. */
export type FinishedRequest = Readonly<{
  context: RequestContext;
  method: string;
  route: string | undefined;
  status: number;
  durationMs: number;
  aborted: boolean;
  /** It was answered with an event stream, so its duration is that of the stream. */
  isStream: boolean;
}>;

export type EdgeOptions = Readonly<{
  /** Bytes of a JSON body. */
  jsonLimit: number;
  /** Requests a minute for one credential (or, without one, one address); 0 switches it off. One address may send ten times as many, over all its credentials. */
  requestsPerMinute: number;
  /** Paths that are never counted: probes must not be locked out by what they watch. */
  uncounted: readonly string[];
  maxConnections: number;
  capacity: Capacity;
  streams: StreamLimits;
  /** How long in-flight requests may take to finish once the server is told to stop. */
  stopMs: number;
  /** The credential that a request carries, however it does; it is only ever hashed here. */
  credentialOf: (request: FastifyRequest) => string | undefined;
  observe: (request: FinishedRequest) => void;
}>;

export const EDGE_DEFAULTS: EdgeOptions = {
  jsonLimit: 1_048_576,
  requestsPerMinute: 1_200,
  uncounted: ['/health/live', '/health/ready', '/metrics'],
  maxConnections: 8_192,
  capacity: CAPACITY,
  streams: STREAM_LIMITS,
  stopMs: 10_000,
  credentialOf: ({ headers }) => headers.authorization,
  observe: () => undefined,
};
