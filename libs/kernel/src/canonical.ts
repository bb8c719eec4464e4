import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** RFC 8785 JSON: one text for one value, whatever the order of its keys. Throws on what JSON cannot hold. */
export const canonicalJson = (value: unknown): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only a JSON value has a canonical form.');
  return text;
};

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 (64 hex digits) over the canonical form. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value));
