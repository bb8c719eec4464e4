import type { FastifyInstance, FastifyRequest } from 'fastify';
import { EVENT_STREAM } from '../streams/event-streams.js';
import { parseTraceparent } from '../parameters/traceparent.js';
import type { EdgeOptions } from './options.js';
import { runInContext, type RequestContext } from './request-context.js';

/** Opens a context for every request, names it in the answer, and tells of the request once when it is over. */
export const observeRequests = (instance: FastifyInstance, { observe }: EdgeOptions): void =>
  void instance.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    const context = contextOf(request);
    void reply.header('x-request-id', context.requestId);
    // 'close' comes once for every way to end: sent, hijacked by a stream, or cut off by the client.
    reply.raw.once('close', () =>
      observe({
        context,
        method: request.method,
        route: request.is404 ? undefined : request.routeOptions.url,
        status: reply.raw.statusCode,
        durationMs: performance.now() - began,
        aborted: !reply.raw.writableFinished,
        isStream: reply.getHeader('content-type') === EVENT_STREAM,
      }),
    );
    runInContext(context, done);
  });

const contextOf = ({ id, headers }: FastifyRequest): RequestContext => {
  const parent = parseTraceparent(headers['traceparent'] as string | undefined);
  return { requestId: id, ...(parent && { traceId: parent.traceId, parentSpanId: parent.spanId }) };
};
