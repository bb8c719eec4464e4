import { HttpException } from '@nestjs/common';
import { ConcurrencyError, DomainError, UnstorableError, refusal } from '#libs/kernel';
import { EdgeError, problemOfRefusal, type Problem } from './problem.js';
import { isUnavailable } from './unavailability.js';

/** Every error that can reach the edge as a problem. What is not known is 500 and tells nothing of itself. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof DomainError) return problemOfRefusal(error.refusal);
  if (error instanceof EdgeError) return error.problem;
  if (error instanceof ConcurrencyError)
    return problemOfRefusal(refusal('conflict', 'stream/busy', 'Others write here right now. Read again and retry.'));
  if (error instanceof UnstorableError)
    return problemOfRefusal(
      refusal('invalid', 'request/invalid', 'A value cannot be stored: texts hold whole characters and no NUL, numbers are finite.'),
    );
  const code = frameworkCode(error);
  const known = code === undefined ? undefined : FRAMEWORK[code];
  if (known) return known;
  if (error instanceof HttpException)
    return STATUSES[error.getStatus()] ?? (error.getStatus() < 500 ? { ...BAD_REQUEST, status: error.getStatus() } : INTERNAL);
  if (isUnavailable(error))
    return problemOfRefusal(
      refusal('unavailable', 'server/unavailable', 'The database does not answer right now. Retry in a moment.', { retryAfter: 2 }),
    );
  const status = error instanceof Error ? (error as { statusCode?: unknown }).statusCode : undefined;
  return typeof status === 'number' ? (STATUSES[status] ?? INTERNAL) : INTERNAL;
};

const of = (status: number, code: string, detail: string): Problem => ({ status, code, detail });

const INTERNAL = of(500, 'server/internal', 'Something failed on our side; nothing you sent is at fault. The requestId helps us find it.');
const BAD_REQUEST = of(400, 'request/malformed', 'The request is not well-formed HTTP or was cut off.');
const TOO_LARGE = of(413, 'request/too-large', 'The body is larger than this route takes. Send less.');
const CONTENT_TYPE = of(415, 'request/content-type', 'Send the body as application/json.');
const URI_TOO_LONG = of(414, 'request/uri-too-long', 'A part of the path is too long.');
const BAD_URL = of(400, 'request/bad-url', 'The path is not percent-encoded UTF-8.');

const FRAMEWORK: Readonly<Record<string, Problem>> = {
  FST_ERR_BAD_URL: BAD_URL,
  FST_ERR_MAX_PARAM_LENGTH: URI_TOO_LONG,
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: CONTENT_TYPE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: of(400, 'request/malformed', 'The body is not as long as Content-Length says.'),
};

const STATUSES: Readonly<Record<number, Problem>> = {
  400: BAD_REQUEST,
  401: { ...of(401, 'credential/missing', 'Send a credential as Authorization: Bearer.'), headers: { 'www-authenticate': 'Bearer' } },
  403: of(403, 'request/forbidden', 'Your credential may not do this.'),
  404: of(404, 'route/not-found', 'There is no such route. See /docs.'),
  406: of(406, 'request/not-acceptable', 'This route answers in another media type. See /docs.'),
  408: of(408, 'request/timeout', 'The request took too long to arrive.'),
  413: TOO_LARGE,
  414: URI_TOO_LONG,
  415: CONTENT_TYPE,
  422: of(422, 'request/invalid', 'The request is not as this route takes it. See /docs.'),
  429: { ...of(429, 'request/too-many', 'Too many requests. Wait as long as Retry-After says.'), headers: { 'retry-after': '1' } },
  503: { ...of(503, 'server/unavailable', 'The server cannot answer right now. Retry in a moment.'), headers: { 'retry-after': '2' } },
  504: of(504, 'server/timeout', 'The answer took too long. Retry; a mutation with the same Idempotency-Key is safe to send again.'),
};

/** Fastify's code, also where Nest wrapped the error. */
const frameworkCode = (error: unknown): string | undefined => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const found = typeof code === 'string' ? code : cause?.code;
  return typeof found === 'string' ? found : undefined;
};
