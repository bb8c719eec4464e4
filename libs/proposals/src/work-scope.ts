import { canonicalJson, digestOf, type FieldError } from '#libs/kernel';

/**
 * What an executor may touch and must show, fixed on the card and widened by nothing later. `repository` is a URL or an
 * absolute path, `baseRevision` a full git commit id, `paths` files or directories relative to the repository's root,
 * `commands` what the executor is expected to run (for people), `checks` argument lists that must pass, `criteria` sentences.
 */
export type WorkScope = Readonly<{
  repository: string;
  baseRevision: string;
  paths: readonly string[];
  commands: readonly string[];
  checks: readonly (readonly string[])[];
  criteria: readonly string[];
}>;

/** Named by lease, report, verdict and receipt. */
export const scopeDigest = (work: WorkScope): string => digestOf(work);

/** Whether a path of the repository is one of the scope's files or lies in one of its directories. No patterns: what is shown is what is meant. */
export const isInScope = (path: string, work: Pick<WorkScope, 'paths'>): boolean =>
  isPlainPath(path) && work.paths.some((entry) => path === trimmed(entry) || path.startsWith(`${trimmed(entry)}/`));

/** Most bytes of a scope's canonical JSON: it is copied into card, task and receipt. */
export const MAX_SCOPE_BYTES = 100_000;

/** Faults that a person would not see on a card: paths that climb out, are absolute, or name git's own folder; and sheer size. */
export const scopeFaults = (work: WorkScope, base: string): FieldError[] => [
  ...(Buffer.byteLength(canonicalJson(work)) > MAX_SCOPE_BYTES
    ? [{ pointer: base, detail: `Must have at most ${MAX_SCOPE_BYTES} bytes together.` }]
    : []),
  ...work.paths.flatMap((path, index) =>
    isPlainPath(trimmed(path))
      ? []
      : [{ pointer: `${base}/paths/${index}`, detail: 'Must be a relative path without "..", ".", empty parts or ".git".' }],
  ),
  ...work.checks.flatMap((check, index) =>
    check.length > 0 && check[0] !== '' ? [] : [{ pointer: `${base}/checks/${index}`, detail: 'Must be a program and its arguments.' }],
  ),
];

const trimmed = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
const isPlainPath = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
