import { canonicalJson, refuse, type Decision } from '#libs/kernel';

/**
 * Most bytes of canonical JSON that a report, and a verdict, may have: a receipt is one event that holds both, its artifacts
 * twice, and the scope, in base64; work that was shipped must not turn out to be too large to be receipted.
 */
export const MAX_STATEMENT_BYTES = 190_000;

/** 413 `report/too-large` or `verdict/too-large` for what no receipt could hold; undefined where it fits. */
export const beyondStatement = (what: 'report' | 'verdict', content: object): Decision<never> | undefined => {
  const bytes = Buffer.byteLength(canonicalJson(content));
  return bytes > MAX_STATEMENT_BYTES
    ? refuse(
        'too_large',
        `${what}/too-large`,
        `A ${what} has at most ${MAX_STATEMENT_BYTES} bytes, this one ${bytes}. Keep large content as artifacts, or split the work.`,
        { bytes, limit: MAX_STATEMENT_BYTES },
      )
    : undefined;
};
