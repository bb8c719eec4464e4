import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** RFC 8785 JSON: one text for one value, whatever the order of its keys. Throws on what JSON cannot hold. */
export const canonicalJson = (value: unknown): string => {
  const copy = ordered(value);
  const text = copy === ODD ? canonicalize(value) : JSON.stringify(copy);
  if (text === undefined) throw new TypeError('Only a JSON value has a canonical form.');
  return text;
};

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 (64 hex digits) over the canonical form. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value));

// Of a value whose keys are put in order first, JSON.stringify writes the canonical text, in half of the time that the library takes;
// every event is hashed. Where it would not (an object of JavaScript has keys like 10 in an order of its own, and __proto__ is none), or
// where there is more than plain data to look at, the library writes it.
const ODD = Symbol('not for JSON.stringify');

const ordered = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : ODD;
  if (typeof value !== 'object' || depth > DEEP) return ODD;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const next = ordered(item, depth + 1);
      if (next === ODD) return ODD;
      items.push(next);
    }
    return items;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return ODD;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const first = key.charCodeAt(0);
    const item = (value as Record<string, unknown>)[key];
    if ((first >= ZERO && first <= NINE) || key === '__proto__' || key === 'toJSON') return ODD;
    if (item === undefined) continue;
    if ((copy[key] = ordered(item, depth + 1)) === ODD) return ODD;
  }
  return copy;
};
const [ZERO, NINE] = [48, 57];
const DEEP = 200;
