import { request as httpRequest } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';

export type Schema = Readonly<Record<string, unknown>>;
type Parameter = Readonly<{ name: string; in: 'path' | 'query' | 'header' | 'cookie'; required?: boolean; schema?: Schema }>;

/** One route of the document, as a fuzzer sees it. */
export type Operation = Readonly<{
  name: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: Readonly<{ type: string; schema: Schema; required: boolean }> | undefined;
  /** Statuses that the document names, `4XX` included. */
  statuses: ReadonlySet<string>;
  isStream: boolean;
}>;

/** `conforms`: all of it is as the document says, so only the state of things may refuse it. */
export type FuzzRequest = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
  conforms: boolean;
}>;

export type FuzzAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string | string[] | undefined>>; body: string }>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export const operationsIn = (document: OpenAPIObject): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method]!;
      const [type, content] = Object.entries((operation.requestBody as { content?: object } | undefined)?.content ?? {})[0] ?? [];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []) as unknown as Parameter[],
        body:
          type === undefined
            ? undefined
            : {
                type,
                schema: (content as { schema: Schema }).schema,
                required: (operation.requestBody as { required?: boolean }).required !== false,
              },
        statuses: new Set(Object.keys(operation.responses)),
        isStream: JSON.stringify(operation.responses).includes('text/event-stream'),
      };
    }),
  );

/** Sends it as it is: unlike fetch, nothing is normalised on the way. A stream is left as soon as it answers. */
export const deliver = (
  base: string,
  { method, path, headers, body }: FuzzRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<FuzzAnswer> =>
  new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body as string);
    const sent = httpRequest(
      base,
      { method, path, headers: { ...(bytes && { 'content-length': bytes.length }), ...headers, ...more } },
      (answer) => {
        const done = (text: string): void => resolve({ status: answer.statusCode!, headers: answer.headers, body: text });
        if (answer.headers['content-type']?.startsWith('text/event-stream')) {
          sent.destroy();
          return done('');
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(Buffer.concat(chunks).toString()));
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });

/**
 * What every answer owes its caller, as a sentence for each promise that is broken: no fault of ours, a status that the
 * document names, and for every refusal problem details with a stable code, what to do, and the places that are wrong.
 */
export const brokenPromises = ({ statuses }: Operation, { status, headers, body }: FuzzAnswer): string[] => {
  if (status < 400) return statuses.has(String(status)) ? [] : [`${status} is not documented.`];
  const broken: string[] = [];
  const say = (kept: boolean, sentence: string): void => void (kept || broken.push(sentence));
  say(status < 500 || status === 503 || status === 504, `${status} is a fault of ours.`);
  say(/^application\/problem\+json/.test(String(headers['content-type'])), `${String(headers['content-type'])} is not problem details.`);
  let problem: { code?: unknown; detail?: unknown; status?: unknown; requestId?: unknown; errors?: unknown } = {};
  try {
    problem = JSON.parse(body) as typeof problem;
  } catch {
    say(false, 'The problem is not JSON.');
  }
  const { code, detail, errors } = problem;
  // A hostile path may be another route, or none.
  say(
    statuses.has(String(status)) || (statuses.has('4XX') && status < 500) || String(code).startsWith('route/'),
    `${status} ${String(code)} is not documented.`,
  );
  say(typeof code === 'string' && /^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/.test(code), `${String(code)} is not a code.`);
  say(typeof detail === 'string' && detail.length > 5, 'It does not say what to do.');
  say(problem.status === status && typeof problem.requestId === 'string', 'Status or requestId is missing.');
  const named =
    Array.isArray(errors) && errors.length > 0 && errors.every((error) => typeof (error as { pointer: unknown }).pointer === 'string');
  if (code === 'request/invalid' || (String(code).startsWith('json/') && status === 422)) say(named, 'It names no place.');
  say(!/\bat .*\.[jt]s:\d|node_modules|QueryFailedError/.test(body), 'It tells of our insides.');
  return broken;
};
