import type { OpenAPIObject } from '@nestjs/swagger';
import { problemDescription } from '../problems/descriptions.js';
import { PROBLEMS, WITHOUT_CREDENTIAL } from '../problems/problems.decorator.js';
import { statusOf } from '../problems/problem.js';
import { IDEMPOTENCY_KEY, INTERNAL, PROBLEM, WAIT_FOR } from './documented.js';

type Json = Record<string, unknown>;
type Operation = Json & {
  parameters?: Json[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
};

/** What the edge answers by itself where a guard says no and gives no reason. */
const CREDENTIAL = ['credential/missing', 'request/forbidden'];
const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * Adds what holds for every route of the edge: the problems that any request can meet and those that `@Problems` names, each
 * under its status; `?waitFor=` on reads; `Idempotency-Key` on mutations; closed request bodies. Keys are sorted, so one
 * application always gives the same text.
 */
export const completeDocument = (document: OpenAPIObject, credentialProblems: readonly string[] = CREDENTIAL): OpenAPIObject => {
  const schemas = ((document.components ??= {}).schemas ??= {}) as Record<string, Json>;
  for (const { path, method, operation } of operationsOf(document)) completeOperation(path, method, operation, schemas, credentialProblems);
  schemas['Problem'] = PROBLEM;
  return sorted(document) as OpenAPIObject;
};

/** Codes that routes name and nobody has described, sorted: a published code needs its sentence. */
export const undescribedProblems = (document: OpenAPIObject): string[] =>
  [...new Set(operationsOf(document).flatMap(({ operation }) => codesOf(operation)))].filter((code) => !problemDescription(code)).sort();

const completeOperation = (
  path: string,
  method: string,
  operation: Operation,
  schemas: Record<string, Json>,
  credentialProblems: readonly string[],
): void => {
  const open = operation[WITHOUT_CREDENTIAL] === true;
  delete operation[WITHOUT_CREDENTIAL];
  if (open) operation['security'] = [];

  const isRead = method === 'get' && path.startsWith('/api/');
  const parameters = [
    ...(operation.parameters ?? []),
    ...(isRead ? [WAIT_FOR] : []),
    ...(method !== 'get' && !open ? [IDEMPOTENCY_KEY] : []),
  ];
  operation.parameters = parameters.map(withSyntax);
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) close(schema, schemas, new Set());

  const codes = new Set([
    ...codesOf(operation),
    ...(open ? [] : credentialProblems),
    'request/invalid',
    'request/malformed',
    // A body is read, and judged, also where the route has no use for it.
    ...(method === 'get' ? [] : ['request/too-large', ...JSON_CODES]),
    ...(operation.parameters.some(({ schema }) => (schema as Json)['format'] === 'uuid') ? ['id/not-found'] : []),
    ...(isRead ? ['read-model/behind'] : ['stream/busy']),
    'request/too-many',
    'server/unavailable',
  ]);
  operation[PROBLEMS] = [...codes].sort();
  for (const code of [...codes].sort()) {
    const problem = problemDescription(code);
    addResponse(operation, problem ? String(statusOf[problem.kind]) : '4XX', `- \`${code}\`${problem ? `: ${problem.when}` : ''}`);
  }
  if (method !== 'get') addResponse(operation, '415', '- `request/content-type`: The body is in another media type, or compressed.');
  if (path.includes('{')) addResponse(operation, '414', '- `request/uri-too-long`: A part of the path is too long.');
  addResponse(operation, '500', INTERNAL);
};

const JSON_CODES = ['duplicate-key', 'lone-surrogate', 'malformed', 'nul', 'prototype-key', 'too-deep', 'unsafe-number'].map(
  (name) => `json/${name}`,
);

const addResponse = ({ responses }: Operation, status: string, line: string): void => {
  const { description, content, ...rest } = responses[status] ?? {};
  responses[status] = {
    ...rest,
    description: [description, line].filter(Boolean).join('\n'),
    content: { ...(content as Json), 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
};

const codesOf = (operation: Operation): string[] => (operation[PROBLEMS] as string[] | undefined) ?? [];

/** Path parameters get the syntax that their pipes ask for. */
const withSyntax = (parameter: Json): Json => {
  if (parameter['in'] !== 'path') return parameter;
  const name = parameter['name'] as string;
  if (name === 'sha256') return { ...parameter, schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } };
  const isPlain = JSON.stringify(parameter['schema'] ?? {}) === '{"type":"string"}';
  return isPlain && /(^id|Id)$/.test(name) ? { ...parameter, schema: { type: 'string', format: 'uuid' } } : parameter;
};

/** A request body holds the fields that it declares and no other. */
const close = (schema: Json, schemas: Record<string, Json>, seen: Set<string>): void => {
  const name = (schema['$ref'] as string | undefined)?.split('/').at(-1);
  if (name !== undefined) {
    if (!seen.has(name) && schemas[name]) close(schemas[name], schemas, seen.add(name));
    return;
  }
  const properties = schema['properties'] as Record<string, Json> | undefined;
  if (properties) schema['additionalProperties'] ??= false;
  for (const inner of [
    ...Object.values(properties ?? {}),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] as Json[] | undefined) ?? []),
    schema['items'],
  ])
    if (inner) close(inner as Json, schemas, seen);
};

const operationsOf = (document: OpenAPIObject): { path: string; method: string; operation: Operation }[] =>
  Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method]! })),
  );

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};
