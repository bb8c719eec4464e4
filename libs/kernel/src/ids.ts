import { v5, v7, validate } from 'uuid';
import { sha256 } from './canonical.js';

/** A new id that sorts by time (UUIDv7). */
export const newId = (): string => v7();

/** The id that follows from others (UUIDv5): the same parts give the same id on every server, so a retry repeats. */
export const derivedId = (...parts: readonly string[]): string => v5(JSON.stringify(parts), NAMESPACE);

/** `{prefix}_{milliseconds}_{nine of a-z and 0-9}`. The last part follows from the seed, so that a retry gives the same. */
export const timedId = (prefix: string, at: string, seed: string): string =>
  `${prefix}_${Date.parse(at)}_${(BigInt(`0x${sha256(seed)}`) % 36n ** 9n).toString(36).padStart(9, '0')}`;

export const isId = (value: unknown): value is string => typeof value === 'string' && validate(value);

const NAMESPACE = '6f1d8a52-3c3b-5c0e-9d6e-8a5b7c0f4e21';
