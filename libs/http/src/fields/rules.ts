import type { FieldError } from '#libs/kernel';
import { pointerTo } from '../json/scan-json.js';

/**
 * What a value must be: its JSON Schema, and every fault of a value with a pointer below `at`. `fromText` reads what came
 * in a query or path; without it the text itself is the value.
 */
export type Rule = Readonly<{
  schema: Readonly<Record<string, unknown>>;
  faults(value: unknown, at: string): FieldError[];
  fromText?(text: unknown): unknown;
}>;

export type TextOptions = Readonly<{ min?: number; max: number; pattern?: RegExp }>;

/** Whole characters without NUL, counted in code points. From `min` 1 on (the default) white space alone is no text. */
export const text = ({ min = 1, max, pattern }: TextOptions): Rule => ({
  schema: { type: 'string', minLength: min, maxLength: max, ...patternOf(pattern, min) },
  faults: (value, at) => {
    if (typeof value !== 'string') return fault(at, 'Must be a text.');
    if (value.includes('\0') || !value.isWellFormed()) return fault(at, 'Must hold whole characters and no NUL.');
    const length = value.length > max * 2 ? Infinity : [...value].length;
    if (length < min || length > max || (min > 0 && value.trim() === ''))
      return fault(at, `Must be a text of ${min} to ${max} characters.`);
    return pattern && !pattern.test(value) ? fault(at, `Must match ${pattern.source}`) : [];
  },
});

/** A UUID of any version, in lower case. */
export const id = (): Rule => matching(ID, 'Must be a UUID in lower case.', { format: 'uuid' });

/** A decimal number from 0 to 2^63-1 as a string: positions, revisions, fences, amounts in minor units. */
export const digits = (): Rule => ({
  schema: { type: 'string', pattern: DIGITS.source },
  faults: (value, at) =>
    typeof value === 'string' && DIGITS.test(value) && BigInt(value) <= MAX_DIGITS
      ? []
      : fault(at, 'Must be a decimal number from 0 to 9223372036854775807, as a string, without leading zeros.'),
});

/** SHA-256 in lower-case hex. */
export const sha256Hex = (): Rule => matching(/^[0-9a-f]{64}$/, 'Must be a SHA-256: 64 hexadecimal digits in lower case.');

/** RFC 3339 in UTC, at most milliseconds: `2026-01-31T12:00:00.000Z`. */
export const time = (): Rule => ({
  schema: { type: 'string', format: 'date-time', pattern: TIME.source },
  faults: (value, at) =>
    typeof value === 'string' && isTime(value) ? [] : fault(at, 'Must be a time in UTC such as 2026-01-31T12:00:00.000Z.'),
});

export const oneOf = (values: readonly string[]): Rule => ({
  schema: { type: 'string', enum: [...values] },
  faults: (value, at) => (values.includes(value as string) ? [] : fault(at, `Must be one of: ${values.join(', ')}.`)),
});

export const whole = ({ min, max }: Readonly<{ min: number; max: number }>): Rule => ({
  schema: { type: 'integer', minimum: min, maximum: max },
  faults: (value, at) =>
    Number.isInteger(value) && min <= (value as number) && (value as number) <= max
      ? []
      : fault(at, `Must be a whole number from ${min} to ${max}.`),
  fromText: (value) => (typeof value === 'string' && /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value),
});

export const flag = (): Rule => ({
  schema: { type: 'boolean' },
  faults: (value, at) => (typeof value === 'boolean' ? [] : fault(at, 'Must be true or false.')),
  fromText: (value) => (value === 'true' ? true : value === 'false' ? false : value),
});

/** Any JSON object; `maxBytes` counts its JSON in UTF-8. */
export const jsonObject = ({ maxBytes = 65_536 }: Readonly<{ maxBytes?: number }> = {}): Rule => ({
  schema: { type: 'object', additionalProperties: true },
  faults: (value, at) => {
    if (!isObject(value)) return fault(at, 'Must be a JSON object.');
    return Buffer.byteLength(JSON.stringify(value)) <= maxBytes ? [] : fault(at, `Must be at most ${maxBytes} bytes of JSON.`);
  },
});

export type ListLimits = Readonly<{ min?: number; max: number; unique?: boolean }>;

export const listOf = (item: Rule, { min = 0, max, unique = false }: ListLimits): Rule => ({
  schema: { type: 'array', items: item.schema, minItems: min, maxItems: max, ...(unique && { uniqueItems: true }) },
  faults: (value, at) => {
    const wrong = listFaults(value, { min, max, unique }, at);
    return wrong.length > 0 ? wrong : (value as unknown[]).flatMap((one, index) => item.faults(one, pointerTo([index], at)));
  },
  fromText: (value) => (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => item.fromText?.(one) ?? one),
});

/** What is wrong with the list itself, whatever its items are. */
export const listFaults = (value: unknown, { min = 0, max, unique }: ListLimits, at: string): FieldError[] => {
  if (!Array.isArray(value) || value.length < min || value.length > max) return fault(at, `Must be a list of ${min} to ${max} items.`);
  if (unique && new Set(value.map((one) => JSON.stringify(one))).size < value.length) return fault(at, 'Must not hold an item twice.');
  return [];
};

/** An object of exactly these members. */
export const shape = (members: Readonly<Record<string, Rule>>): Rule => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, rule]) => [name, rule.schema])),
    required: Object.keys(members),
    additionalProperties: false,
  },
  faults: (value, at) => {
    if (!isObject(value)) return fault(at, 'Must be a JSON object.');
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
    return [
      ...unknown.flatMap((name) => fault(pointerTo([name], at), 'There is no such field.')),
      ...Object.entries(members).flatMap(([name, rule]) => rule.faults(value[name], pointerTo([name], at))),
    ];
  },
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

export const fault = (pointer: string, detail: string): FieldError[] => [{ pointer, detail }];

const matching = (pattern: RegExp, detail: string, schema: object = {}): Rule => ({
  schema: { type: 'string', pattern: pattern.source, ...schema },
  faults: (value, at) => (typeof value === 'string' && pattern.test(value) ? [] : fault(at, detail)),
});

const patternOf = (pattern: RegExp | undefined, min: number) => (pattern ? { pattern: pattern.source } : min > 0 ? { pattern: '\\S' } : {});

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DIGITS = /^(0|[1-9][0-9]{0,18})$/;
const MAX_DIGITS = 2n ** 63n - 1n;
const TIME = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

// Date reads the 30th of February as a day in March; only a time that it writes back as it was read is one.
const isTime = (value: string): boolean => {
  if (!TIME.test(value)) return false;
  const read = new Date(value);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(value.slice(0, 19));
};
