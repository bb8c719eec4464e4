import { noteServerTime } from './clock.js';

/** Why a call did not do what it was asked: `reached` false means that nobody knows whether the server acted. */
export type Failure = { reached: boolean; status: number; code: string; detail: string };
export type Answer<T> = { ok: true; value: T } | { ok: false; failure: Failure };

type Problem = { code?: string; detail?: string; title?: string; errors?: { pointer?: string; detail?: string }[] };
/** `verbatim`: the body as it came, not as JSON read. `workspace`: the one that is meant where there are several. */
type Options = { body?: unknown; key?: string; accept?: string; verbatim?: boolean; workspace?: string };

const TIMEOUT_MS = 20_000;
let signedOut = (): void => undefined;
/** One listener learns that the session has ended, whichever call found out. */
export const whenSignedOut = (listener: () => void): void => void (signedOut = listener);

/** One request with the session's cookie. Never throws: a refusal and a lost connection are both answers. */
export const call = async <T>(
  method: string,
  path: string,
  { body, key, accept, verbatim, workspace }: Options = {},
): Promise<Answer<T>> => {
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        Accept: accept ?? 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key ? { 'Idempotency-Key': key } : {}),
        ...(workspace ? { 'Workbench-Workspace': workspace } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return unreachable;
  }
  noteServerTime(response.headers.get('date'), sentAt);
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return unreachable;
  if (response.ok && verbatim) return { ok: true, value: text as T };
  const value = parsed(text);
  if (response.ok) {
    if (value === undefined) return refused(502, {}, 'The answer could not be read.');
    return { ok: true, value: value as T };
  }
  if (response.status === 401 && path !== '/api/session') signedOut();
  return refused(response.status, value ?? {});
};

/** A key that makes repeating a request safe; `randomUUID` would need HTTPS, this does not. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const parsed = (text: string): unknown => {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const unreachable: { ok: false; failure: Failure } = {
  ok: false,
  failure: {
    reached: false,
    status: 0,
    code: 'console/unreachable',
    detail: 'The server cannot be reached. Check your connection and try again.',
  },
};

const refused = (status: number, problem: Problem, detail?: string): { ok: false; failure: Failure } => {
  const fields = (problem.errors ?? []).flatMap((error) => (error.detail ? [error.detail] : []));
  const said = [problem.detail ?? problem.title ?? detail ?? byStatus(status), ...fields].join(' ');
  return { ok: false, failure: { reached: true, status, code: problem.code ?? `http/${status}`, detail: said } };
};

const byStatus = (status: number): string => {
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'You are not allowed to do this.';
  if (status === 404) return 'This does not exist, or you may not see it.';
  if (status === 429) return 'Too many requests. Wait a moment and try again.';
  if (status >= 500) return 'The server failed to answer. Try again; if it goes on, tell whoever operates it.';
  return `The server refused this (${status}).`;
};
