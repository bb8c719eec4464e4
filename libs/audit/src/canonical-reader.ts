import { canonicalJson } from '#libs/kernel';

/** Why a receipt is not accepted; `code` is stable, the message is for people. */
export class ReceiptRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ReceiptRefused';
  }
}

/** Reads JSON only where its bytes are the RFC 8785 form of its value: that leaves no room for duplicate keys or other spellings. */
export const parseCanonical = (bytes: Uint8Array, what: string): unknown => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (canonicalJson(value) === text) return value;
  } catch {
    // Not UTF-8, not JSON, or too deep to be ours.
    throw new ReceiptRefused(`${what}/unreadable`, `The ${what} is not JSON.`);
  }
  throw new ReceiptRefused(`${what}/not-canonical`, `The ${what} is not in its canonical form: it was changed or re-formatted.`);
};

/** An object with exactly these keys. */
export const isPlainObject = (value: unknown, keys: readonly string[]): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === keys.length &&
  keys.every((key) => Object.hasOwn(value, key));
