import { createParamDecorator, applyDecorators, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FieldError } from '#libs/kernel';
import { invalid } from '../fields/request.pipe.js';
import { parseJson } from '../json/lossless-json.js';
import { EdgeError } from '../problems/problem.js';

const BYTES = 'application/octet-stream';

/** This route takes bytes, not JSON: at most `limit` of them, which `@Bytes()` hands to the handler. */
export const TakesBytes = (limit: number) =>
  applyDecorators(
    RouteConfig({ bytesLimit: limit }),
    ApiConsumes(BYTES),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary', maxLength: limit } }),
  );

/** The body of a route that takes bytes. */
export const Bytes = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/**
 * The only two ways for a body to come in: JSON, read losslessly, and bytes where the route takes them. An empty JSON body
 * is no body. Everything else is 415 before it is read.
 */
export const readBodies = (instance: FastifyInstance): void => {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    try {
      done(null, body.length === 0 ? undefined : parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  instance.addContentTypeParser(BYTES, { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  instance.addHook('onRoute', (route) => {
    const limit = bytesLimitOf(route.config);
    if (limit !== undefined) route.bodyLimit = limit;
  });
  instance.addHook('preParsing', (request, _reply, _payload, done) => done(wrongEncoding(request)));
  instance.addHook('preValidation', (request, _reply, done) => {
    const faults = [...unclean(request.params, '/path'), ...unclean(request.query, '/query')];
    done(faults.length > 0 ? invalid(faults) : undefined);
  });
};

const wrongEncoding = ({ method, headers, routeOptions, is404 }: FastifyRequest): Error | undefined => {
  if (is404 || method === 'GET' || method === 'HEAD' || headers['content-type'] === undefined) return undefined;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return unsupported('Send the body uncompressed, without Content-Encoding.');
  const type = headers['content-type'].split(';', 1)[0]!.trim().toLowerCase();
  const takesBytes = bytesLimitOf(routeOptions.config) !== undefined;
  if (takesBytes) return type === BYTES ? undefined : unsupported(`Send the bytes as ${BYTES}.`);
  return type === BYTES ? unsupported('Send the body as application/json.') : undefined;
};

const unsupported = (detail: string): EdgeError => new EdgeError({ status: 415, code: 'request/content-type', detail });

const bytesLimitOf = (config: unknown): number | undefined => (config as { bytesLimit?: number } | undefined)?.bytesLimit;

/** Names and values of a path or query that no text may hold. Percent-encoding lets NUL through, and JSON is not asked. */
const unclean = (values: unknown, at: string): FieldError[] =>
  Object.entries((values ?? {}) as Record<string, string | string[]>)
    .filter(([name, value]) => [name, value].flat().some((text) => text.includes('\0') || !text.isWellFormed()))
    .map(([name]) => ({
      pointer: `${at}/${name.replaceAll('\0', '').toWellFormed().slice(0, 100)}`,
      detail: 'Must hold whole characters and no NUL.',
    }));
