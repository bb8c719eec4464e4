import { ApiProperty, ApiResponse, getSchemaPath, ApiExtraModels } from '@nestjs/swagger';
import { applyDecorators, type Type } from '@nestjs/common';
import { Text, Whole } from '../fields/fields.js';
import type { Rule } from '../fields/rules.js';
import { invalid } from '../fields/request.pipe.js';

/** The query of every list; a list with filters extends it. */
export class Page {
  @Text({ max: 2_000, pattern: /^[A-Za-z0-9_-]+$/, optional: true, description: 'Where to go on: `next` of the page before.' })
  cursor?: string;

  @Whole({ min: 1, max: 200, optional: true, default: 50, description: 'At most so many items.' })
  limit: number = 50;
}

/** `next` is null on the last page. */
export type PageOf<T> = Readonly<{ items: T[]; next: string | null }>;

/**
 * A page from `limit + 1` rows that were read: one row more than asked says that there is a next page. `keyOf(index)` is
 * what the query needs to go on behind that row.
 */
export const pageOf = <T>(rows: readonly T[], limit: number, keyOf: (index: number) => unknown): PageOf<T> => ({
  items: rows.slice(0, limit),
  next: rows.length > limit ? writeCursor(keyOf(limit - 1)) : null,
});

export const writeCursor = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/**
 * The key that a cursor carries, undefined without a cursor. Clients can write what they like into one, so the key is held
 * against a Rule before any query sees it: 422 `request/invalid` at `/query/cursor`.
 */
export const readCursor = <T>(cursor: string | undefined, rule: Rule): T | undefined => {
  if (cursor === undefined) return undefined;
  const key = decode(cursor);
  if (key === undefined || rule.faults(key, '').length > 0)
    throw invalid([{ pointer: '/query/cursor', detail: 'Must be `next` of a page of this list. Start again without a cursor.' }]);
  return key as T;
};

const decode = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
};

/** Documents a list of `item`. */
export const ApiPage = (item: Type) =>
  applyDecorators(
    ApiExtraModels(item),
    ApiResponse({
      status: 200,
      schema: {
        type: 'object',
        required: ['items', 'next'],
        properties: { items: { type: 'array', items: { $ref: getSchemaPath(item) } }, next: { type: 'string', nullable: true } },
      },
    }),
  );

/** What every command answers beside its body. */
export class CommandAnswer {
  @ApiProperty({ type: 'string', format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'string', description: 'Revision of its stream, a decimal string.' })
  revision!: string;

  @ApiProperty({ type: 'string', description: 'Position in the store; `?waitFor=` it to read what this wrote.' })
  position!: string;

  @ApiProperty({ type: 'string', format: 'uuid' })
  auditId!: string;
}
