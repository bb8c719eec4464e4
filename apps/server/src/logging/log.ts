import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { requestContext, type FinishedRequest } from '#libs/http';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * JSON lines to standard error (standard output is for what a person asked for). Each carries the request that it belongs
 * to. No line holds a header, a body, a query or a token.
 */
export const createLog = (level: LogLevel, stream: DestinationStream = destination({ dest: 2, sync: false })): Logger =>
  pino(
    {
      level,
      base: { service: 'workbench', pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => ({ ...requestContext() }),
      serializers: { err: errorOf },
    },
    stream,
  );

/**
 * What a line says of an error. Drivers hang whole statements with their values on theirs, so only these members, of it and
 * of its causes, go out.
 */
const errorOf = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(cause instanceof Error && depth < 3 && { cause: errorOf(cause, depth + 1) }),
  };
};

/** One line a request, when it is over. Probes are only worth one while debugging; who is turned away under load is no fault. */
export const logRequests =
  (log: Logger) =>
  ({ context, method, route, status, durationMs, aborted }: FinishedRequest): void => {
    const level =
      context.problem === 'server/busy' ? 'warn' : status >= 500 ? 'error' : route !== undefined && PROBES.has(route) ? 'debug' : 'info';
    log[level]({ ...context, method, route, status, durationMs: Math.round(durationMs * 10) / 10, ...(aborted && { aborted }) }, 'request');
  };

const PROBES = new Set(['/health/live', '/health/ready', '/metrics']);
