import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '#libs/kernel';
import { problemOf } from '../problems/problem-of.js';
import { problemBody, problemText, type Problem } from '../problems/problem.js';
import type { EdgeOptions } from './options.js';

/**
 * Fastify with every bound set: header size and time, body size and time, idle sockets, parameter length, connections.
 * No proxy is trusted: the address that is counted is the socket's.
 */
export const fastifyAdapter = ({ jsonLimit, maxConnections }: EdgeOptions): FastifyAdapter => {
  const adapter = new FastifyAdapter({
    bodyLimit: jsonLimit,
    forceCloseConnections: true,
    trustProxy: false,
    requestIdHeader: false,
    genReqId: newId,
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize: 16_384, headersTimeout: 20_000 },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerBrokenRequest,
    // Answered before any hook runs.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const problem = problemOf(error);
      void reply
        .code(problem.status)
        .headers({ 'cache-control': 'no-store', 'x-request-id': request.id })
        .type(PROBLEM_JSON)
        .send(problemText({ ...problem, facts: { requestId: request.id } }));
    },
  });
  adapter.getInstance().server.maxConnections = maxConnections;
  return adapter;
};

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** What Node's parser gives up on never becomes a request; it is answered on the bare socket. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = BROKEN[error.code ?? ''] ?? BROKEN['']!;
  const body = JSON.stringify({ ...problemBody(problem), requestId: newId() });
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.status === 408 ? 'Request Timeout' : 'Bad Request'}\r\ncontent-type: ${PROBLEM_JSON}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const BROKEN: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request/timeout', detail: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'request/headers-too-large', detail: 'The headers are larger than 16 KiB together.' },
  '': { status: 400, code: 'request/malformed', detail: 'The request is not well-formed HTTP/1.1.' },
};
