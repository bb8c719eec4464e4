import { v5, v7, validate } from 'uuid';

/** A new id that sorts by time (UUIDv7). */
export const newId = (): string => v7();

/** The id that follows from others (UUIDv5): the same parts give the same id on every server, so a retry repeats. */
export const derivedId = (...parts: readonly string[]): string => v5(JSON.stringify(parts), NAMESPACE);

export const isId = (value: unknown): value is string => typeof value === 'string' && validate(value);

const NAMESPACE = '6f1d8a52-3c3b-5c0e-9d6e-8a5b7c0f4e21';
