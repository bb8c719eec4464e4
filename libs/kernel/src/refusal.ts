/** How a refusal is answered at every edge; HTTP status in brackets. */
export type RefusalKind =
  | 'malformed' // 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not_found' // 404
  | 'conflict' // 409
  | 'gone' // 410
  | 'precondition' // 412
  | 'too_large' // 413
  | 'invalid' // 422
  | 'too_many' // 429
  | 'unavailable' // 503
  | 'timeout'; // 504

/** One wrong field: a JSON pointer into the body and a sentence that says what would be right. */
export type FieldError = Readonly<{ pointer: string; detail: string }>;

/**
 * A no that the caller can act on. `code` (`confirmation/expired`) is public API; `detail` is a sentence that says
 * what to do; `facts` are who, when and what, as JSON.
 */
export type Refusal = Readonly<{
  kind: RefusalKind;
  code: string;
  detail: string;
  facts?: Readonly<Record<string, unknown>>;
  errors?: readonly FieldError[];
}>;

export class DomainError extends Error {
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code}: ${refusal.detail}`);
    this.name = 'DomainError';
  }
}

export const refusal = (
  kind: RefusalKind,
  code: string,
  detail: string,
  facts?: Refusal['facts'],
  errors?: readonly FieldError[],
): Refusal => ({
  kind,
  code,
  detail,
  ...(facts && { facts }),
  ...(errors && { errors }),
});

/** A no that may be a yes a moment later, unchanged: what a reactor retries instead of concluding from it. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof DomainError) ||
  ['unavailable', 'timeout', 'too_many'].includes(error.refusal.kind) ||
  error.refusal.code === 'stream/busy';
