import { invalid } from '../fields/request.pipe.js';

/** The header `Idempotency-Key`: 1 to 255 visible ASCII characters, else 422 `request/invalid`; undefined without one. */
export const parseIdempotencyKey = (header: string | readonly string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalid([{ pointer: '/header/idempotency-key', detail: 'Must be 1 to 255 visible ASCII characters without spaces, sent once.' }]);
};
