import type { Refusal, RefusalKind } from '#libs/kernel';
import { requestContext } from '../edge/request-context.js';

export const statusOf: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  precondition: 412,
  too_large: 413,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
  timeout: 504,
};

/** What the edge answers: a refusal, or one of the few statuses that no rule of ours speaks of (405, 414, 415, 500). */
export type Problem = Omit<Refusal, 'kind'> & Readonly<{ status: number; headers?: Readonly<Record<string, string>> }>;

/** Thrown for what the edge refuses itself with a status that no kind of refusal has. */
export class EdgeError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

export const problemOfRefusal = ({ kind, ...rest }: Refusal): Problem => ({
  ...rest,
  status: statusOf[kind],
  headers: headersOf(kind, rest.facts),
});

/**
 * The body, RFC 9457: `type`, `title`, `status`, `detail`, and ours: `code`, `errors`, `requestId`, `auditId`. Facts of the
 * refusal are members beside these and never replace them.
 */
export const problemBody = ({ status, code, detail, errors, facts }: Problem): Record<string, unknown> => {
  const context = requestContext();
  return {
    ...facts,
    type: `urn:workbench:problem:${code}`,
    title: titleOf(code),
    status,
    code,
    detail,
    ...(errors && { errors }),
    ...(context?.auditId && { auditId: context.auditId }),
    ...(context && { requestId: context.requestId }),
  };
};

/** Text to send. Facts may hold bigints (revisions, fences): they go out as decimal strings, as everywhere. */
export const problemText = (problem: Problem): string =>
  JSON.stringify(problemBody(problem), (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** `confirmation/token-used` reads "Confirmation: token used". */
const titleOf = (code: string): string => {
  const words = code.replace('/', ': ').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const headersOf = (kind: RefusalKind, facts: Refusal['facts']): Readonly<Record<string, string>> => {
  switch (kind) {
    case 'unauthenticated':
      return { 'www-authenticate': 'Bearer' };
    case 'too_many':
    case 'unavailable':
      return { 'retry-after': String(secondsOf(facts?.['retryAfter'])) };
    default:
      return {};
  }
};

/** `retryAfter` among the facts is in seconds. */
const secondsOf = (value: unknown): number => (typeof value === 'number' && value >= 1 ? Math.ceil(value) : 1);
