import type { PipeTransform } from '@nestjs/common';
import { DomainError, refusal } from '#libs/kernel';
import { digits, id, sha256Hex, type Rule } from '../fields/rules.js';
import { invalid } from '../fields/request.pipe.js';

/**
 * `@Param('id', IdParam)`: a UUID, in either case, as lower case. What is no UUID names nothing: 404 `id/not-found`, so that
 * a caller needs no second way to handle a wrong id.
 */
export class IdParam implements PipeTransform {
  transform(value: unknown): string {
    const lower = String(value).toLowerCase();
    if (id().faults(lower, '').length > 0)
      throw new DomainError(refusal('not_found', 'id/not-found', 'There is nothing under this id: ids are UUIDs.'));
    return lower;
  }
}

/** `@Query('position', DigitsParam)` and the like: a decimal string from 0 to 2^63-1, or undefined where none was sent. */
export class DigitsParam implements PipeTransform {
  transform(value: unknown, { type, data }: Readonly<{ type: string; data?: string | undefined }>): string | undefined {
    return value === undefined ? undefined : read(digits(), value, `/${type === 'param' ? 'path' : type}/${data ?? ''}`);
  }
}

/** `@Param('sha256', Sha256Param)`. */
export class Sha256Param implements PipeTransform {
  transform(value: unknown, { data }: Readonly<{ data?: string | undefined }>): string {
    return read(sha256Hex(), value, `/path/${data ?? ''}`);
  }
}

/** The value as a string that keeps the rule; else 422 `request/invalid` at this pointer. */
export const read = (rule: Rule, value: unknown, pointer: string): string => {
  const faults = rule.faults(value, pointer);
  if (faults.length > 0) throw invalid(faults);
  return value as string;
};
