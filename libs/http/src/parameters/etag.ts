import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError, refusal } from '#libs/kernel';
import { digits } from '../fields/rules.js';
import { invalid } from '../fields/request.pipe.js';

/** A strong entity tag of a revision; `variant` tells apart what is shown differently at one revision. */
export const etag = (revision: bigint | string, variant = ''): string => `"${revision}${variant && `-${variant}`}"`;

/** The revisions that `If-Match` names, as decimal strings; undefined without the header and for `*`. */
export type Expected = readonly string[] | undefined;

/**
 * Reads `If-Match`. A weak tag never matches (RFC 9110 §13.1.1) and is left out; a variant behind a revision does not
 * matter. What is no revision is 422 `request/invalid` at `/header/if-match`.
 */
export const parseIfMatch = (header: string | undefined): Expected => {
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => /^(W\/)?"([0-9]+)(?:-[a-z]+)?"$/.exec(tag.trim()));
  const revisions = tags.map((tag) => tag?.[2]);
  if (revisions.some((revision) => revision === undefined || digits().faults(revision, '').length > 0))
    throw invalid([{ pointer: '/header/if-match', detail: 'Must be the ETag of an earlier answer, such as "3".' }]);
  return revisions.filter((_, index) => tags[index]![1] === undefined) as string[];
};

/** The revisions that the request's `If-Match` names; undefined where it asks for none. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Expected =>
  parseIfMatch(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

/** 412 `precondition/failed` unless the request named this revision or none. */
export const assertMatch = (expected: Expected, revision: bigint | string): void => {
  if (expected === undefined || expected.includes(String(revision))) return;
  throw new DomainError(
    refusal('precondition', 'precondition/failed', 'It has changed since you read it. Read it again and decide anew.', {
      revision: String(revision),
    }),
  );
};
