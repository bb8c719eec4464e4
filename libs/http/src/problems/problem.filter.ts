import { Catch, Logger, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteOnRequest } from '../edge/request-context.js';
import { problemOf } from './problem-of.js';
import { problemText, type Problem } from './problem.js';

/** Answers every error as problem details. What is no refusal is logged whole; the caller learns only the request id. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (request.is404 && error instanceof NotFoundException) return answerUnrouted(request, reply);

    const problem = problemOf(error);
    if (problem.status === 500) this.logger.error(error instanceof Error ? error : new Error(`Thrown: ${typeof error}`));
    else if (problem.code === 'server/unavailable')
      this.logger.warn(error instanceof Error ? `${error.name}: ${error.message}` : 'unavailable');

    // A stream that has begun cannot become a problem: its client sees the connection end.
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    sendProblem(reply, problem);
  }
}

export const sendProblem = (reply: FastifyReply, problem: Problem): void => {
  noteOnRequest({ problem: problem.code });
  void reply
    .code(problem.status)
    .headers({ ...problem.headers })
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(problemText(problem));
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** No route has this method and path: say which methods the path has, if any. */
const answerUnrouted = (request: FastifyRequest, reply: FastifyReply): void => {
  const url = request.raw.url!.split(/[?#]/, 1)[0]!;
  const allowed = METHODS.filter((method) => request.server.findRoute({ method, url }) !== null);
  if (allowed.length === 0)
    return sendProblem(reply, { status: 404, code: 'route/not-found', detail: 'There is no such route. See /docs.' });
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
  sendProblem(reply, {
    status: 405,
    code: 'route/method-not-allowed',
    detail: `This path takes ${allow}.`,
    headers: { allow },
  });
};
