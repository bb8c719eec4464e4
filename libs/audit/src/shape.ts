import { ReceiptRefused } from './canonical-reader.js';

/** Reads one value of known shape, or refuses it and names the place. A field that the shape does not name is refused. */
export type Shape<T> = (value: unknown, place: string) => T;
export type Read<S> = S extends Shape<infer T> ? T : never;

const wrong = (place: string, expected: string) =>
  new ReceiptRefused('statement/malformed', `${place || 'The statement'} is not ${expected}.`);

const that =
  (expected: string, holds: (text: string) => boolean): Shape<string> =>
  (value, place) => {
    if (typeof value !== 'string' || !holds(value)) throw wrong(place, expected);
    return value;
  };

export const text = that('a text', () => true);
export const name = that('a text with content', (value) => value !== '');
export const sha256Hex = that('a SHA-256 in hex', (value) => /^[0-9a-f]{64}$/.test(value));
/** SHA-1 or SHA-256 object name. */
export const gitObject = that('a full git object name', (value) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value));
export const digits = that('a decimal string', (value) => /^(0|[1-9][0-9]*)$/.test(value));
export const time = that('a time in RFC 3339 UTC', (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value));

export const count: Shape<number> = (value, place) => {
  if (!Number.isSafeInteger(value)) throw wrong(place, 'a whole number');
  return value as number;
};

export const oneOf = <const V extends string>(...values: readonly V[]): Shape<V> =>
  that(`one of ${values.join(', ')}`, (value) => values.includes(value as V)) as Shape<V>;

export const list =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value, place) => {
    if (!Array.isArray(value)) throw wrong(place, 'a list');
    return value.map((one, index) => item(one, `${place}/${index}`));
  };

/** A field that may be absent; a present one has to fit. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value, place) =>
    value === undefined ? undefined : shape(value, place);

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Required<F extends Fields> = { readonly [K in keyof F as undefined extends Read<F[K]> ? never : K]: Read<F[K]> };
type Optional<F extends Fields> = { readonly [K in keyof F as undefined extends Read<F[K]> ? K : never]?: Read<F[K]> };

export const object =
  <F extends Fields>(fields: F): Shape<Required<F> & Optional<F>> =>
  (value, place) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'an object');
    const extra = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
    if (extra !== undefined) throw wrong(`${place}/${extra}`, 'a field that is known here');
    const given = value as Record<string, unknown>;
    const read = Object.entries(fields).map(([key, shape]) => [key, shape(given[key], `${place}/${key}`)] as const);
    return Object.fromEntries(read.filter(([, part]) => part !== undefined)) as Required<F> & Optional<F>;
  };
