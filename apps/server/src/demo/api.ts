import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

// Answers are read as any client would read them: without the server's types.
export type Json = any;

/** Something that the person at the terminal can act on; shown without a stack. */
export class DemoError extends Error {
  override name = 'DemoError';
}

/** One credential's view of the API over real HTTP. What is no success is a DemoError with the problem's own words. */
export type Api = Readonly<{
  get(path: string, accept?: string): Promise<Json>;
  post(path: string, body?: object): Promise<Json>;
  put(path: string, bytes: Uint8Array): Promise<Json>;
  bytes(path: string, accept?: string): Promise<Buffer>;
  with(headers: Readonly<Record<string, string>>): Api;
}>;

export const api = (url: string, credential: string, extra: Readonly<Record<string, string>> = {}): Api => {
  const call = async (
    method: string,
    path: string,
    body?: string | Buffer<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const request = {
      method,
      headers: { authorization: `Bearer ${credential}`, ...extra, ...headers },
      ...(body !== undefined && { body }),
    };
    const response = await fetch(`${url}${path}`, request).catch((error: Error) => {
      throw new DemoError(
        `No server answers at ${url} (${(error.cause as Error | undefined)?.message ?? error.message}). Start one with npm start.`,
      );
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string; errors?: unknown };
    throw new DemoError(
      `${method} ${path}: ${response.status} ${problem.code ?? ''} ${problem.detail ?? ''} ${problem.errors ? JSON.stringify(problem.errors) : ''}`.trim(),
    );
  };
  const json = async (response: Promise<Response>): Promise<Json> => {
    const text = await (await response).text();
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    get: (path, accept = 'application/json') => json(call('GET', path, undefined, { accept })),
    post: (path, body = {}) => json(call('POST', path, JSON.stringify(body), { 'content-type': 'application/json' })),
    put: (path, bytes) => json(call('PUT', path, Buffer.from(bytes), { 'content-type': 'application/octet-stream' })),
    bytes: async (path, accept = 'application/octet-stream') =>
      Buffer.from(await (await call('GET', path, undefined, { accept })).arrayBuffer()),
    with: (headers) => api(url, credential, { ...extra, ...headers }),
  };
};

export type Cast = Readonly<Record<'member' | 'approver' | 'eve' | 'implementer' | 'verifier' | 'operator', Api>>;

/** The first credential of each role, from the file that the server wrote, or `WORKBENCH_CREDENTIALS`, which names another. */
export const castFrom = (environment: NodeJS.ProcessEnv): Readonly<{ url: string; cast: Cast }> => {
  const file = environment['WORKBENCH_CREDENTIALS'] ?? `${environment['WORKBENCH_DATA'] ?? '.data'}/credentials.json`;
  let ready: { url: string; credentials: readonly { role: string; credential: string }[] };
  try {
    ready = JSON.parse(readFileSync(file, 'utf8')) as typeof ready;
  } catch (error) {
    throw new DemoError(
      `No credentials in ${file} (${(error as NodeJS.ErrnoException).code ?? 'not JSON'}). Start the server with npm start; it writes them.`,
    );
  }
  const url = environment['WORKBENCH_URL'] ?? ready.url;
  const of = (role: string): Api => {
    const found = ready.credentials.find((one) => one.role === role);
    if (!found) throw new DemoError(`${file} holds no credential for the role ${role}.`);
    return api(url, found.credential);
  };
  const [member, approver, eve, implementer, verifier, operator] = ['member', 'approver', 'eve', 'implementer', 'verifier', 'operator'].map(
    of,
  ) as [Api, Api, Api, Api, Api, Api];
  return { url, cast: { member, approver, eve, implementer, verifier, operator } };
};

/** Asks again until there is an answer; a DemoError after `ms` says what was waited for. */
export const until = async <T>(what: string, ask: () => Promise<T | undefined>, ms = 30_000): Promise<T> => {
  for (const end = Date.now() + ms; ; await pause(100)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new DemoError(`Waited ${ms / 1000} s for ${what}. Is a worker running?`);
  }
};
