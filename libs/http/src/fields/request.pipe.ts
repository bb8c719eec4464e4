import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { DomainError, refusal, type FieldError } from '#libs/kernel';
import { bind } from './bind.js';

/**
 * Turns bodies, queries and path parameters into instances of their classes. Any fault is 422 `request/invalid` with
 * `errors`: pointers into the body as they are, `/query/<name>` and `/path/<name>` for the others.
 */
export class RequestPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype, data }: ArgumentMetadata): Promise<unknown> {
    if (type === 'custom' || data !== undefined || !isClassOfFields(metatype)) return value;
    const { instance, faults } =
      type === 'body'
        ? await bind(metatype, withoutBody(value) ? {} : value)
        : await bind(metatype, ambient(value), { at: type === 'query' ? '/query' : '/path', fromText: true });
    if (faults.length > 0) throw invalid(faults);
    return instance;
  }
}

const MAX_ERRORS = 50;

/** 422 `request/invalid`, naming at most 50 places. */
export const invalid = (faults: readonly FieldError[]): DomainError => {
  const more = faults.length - MAX_ERRORS;
  const detail = `Correct the ${faults.length === 1 ? 'place' : 'places'} that errors name${more > 0 ? `, and ${more} more` : ''}, and send it again.`;
  return new DomainError(refusal('invalid', 'request/invalid', detail, undefined, faults.slice(0, MAX_ERRORS)));
};

const NATIVE: readonly unknown[] = [undefined, String, Boolean, Number, Array, Object, Buffer, BigInt, Symbol];
const isClassOfFields = (metatype: unknown): metatype is Type<object> => !NATIVE.includes(metatype);

const withoutBody = (value: unknown): boolean => value === undefined;

/** `waitFor` belongs to every read, see WaitForInterceptor; no class of fields names it. */
const ambient = (query: unknown): unknown => {
  const { waitFor: _, ...rest } = (query ?? {}) as Record<string, unknown>;
  return rest;
};
