import type { OpenAPIObject } from '@nestjs/swagger';
import fc, { type Arbitrary } from 'fast-check';
import type { FuzzRequest, Operation, Schema } from './openapi-operations.js';

/** Values that lead on, by the name of the parameter or field: ids of things that exist, tokens, digests. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** Requests to one route: some as the document says, most of them wrong in one way or in many. */
export const requestsTo = (operation: Operation, document: OpenAPIObject, samples: Samples = {}): Arbitrary<FuzzRequest> => {
  const conforming = build(operation, (schema, name) => conformingTo(schema, document, samples, name), fc.constant(undefined)).map(
    (request) => ({ ...request, conforms: true }),
  );
  const wild = build(
    operation,
    (schema, name) => fc.oneof({ weight: 2, arbitrary: conformingTo(schema, document, samples, name) }, { weight: 1, arbitrary: hostile }),
    operation.body
      ? fc.option(wildBody(operation, document, samples), { nil: undefined, freq: 4 })
      : fc.option(rawBody, { nil: undefined }),
  );
  return fc.oneof({ weight: 1, arbitrary: conforming }, { weight: 3, arbitrary: wild });
};

/** Values that keep a schema of the document. */
export const conformingTo = (
  schema: Schema,
  document: OpenAPIObject,
  samples: Samples = {},
  name?: string,
  depth = 0,
): Arbitrary<unknown> => {
  const known = name === undefined ? undefined : samples[name];
  if (known && known.length > 0)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: conformingTo(schema, document, {}, undefined, depth) },
    );
  const {
    $ref,
    anyOf,
    oneOf,
    allOf,
    type,
    enum: values,
  } = schema as { $ref?: string; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[]; type?: string | string[]; enum?: unknown[] };
  if ($ref !== undefined)
    return conformingTo(document.components!.schemas![$ref.split('/').at(-1)!] as Schema, document, samples, undefined, depth);
  if (allOf?.length === 1) return conformingTo(allOf[0]!, document, samples, name, depth);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => conformingTo(choice, document, samples, name, depth)));
  if (values) return fc.constantFrom(...values);
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => conformingTo({ ...schema, type: one }, document, samples, name, depth)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema['minimum'] ?? -1_000), max: Number(schema['maximum'] ?? 1_000) });
    case 'string':
      return texts(schema);
    case 'array': {
      const limits = {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: Math.max(Number(schema['minItems'] ?? 0), Math.min(5, Number(schema['maxItems'] ?? 5))),
      };
      const items = conformingTo((schema['items'] ?? {}) as Schema, document, samples, name, depth + 1);
      return schema['uniqueItems'] === true
        ? fc.uniqueArray(items, { ...limits, selector: (item) => JSON.stringify(item) })
        : fc.array(items, limits);
    }
    default:
      return schema['properties']
        ? objects(schema, document, samples, depth)
        : fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), plainJson, { maxKeys: 4 });
  }
};

const objects = (schema: Schema, document: OpenAPIObject, samples: Samples, depth: number): Arbitrary<unknown> => {
  const required = (schema['required'] ?? []) as string[];
  const properties = Object.entries(schema['properties'] as Record<string, Schema>).filter(
    ([name]) => depth < 6 || required.includes(name),
  );
  return fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, conformingTo(inner, document, samples, name, depth + 1)])), {
    requiredKeys: required,
  });
};

const texts = (schema: Schema): Arbitrary<string> => {
  const { format, pattern } = schema as { format?: string; pattern?: string };
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'binary') return fc.string({ maxLength: 100 });
  const min = Number(schema['minLength'] ?? 0);
  const max = Number(schema['maxLength'] ?? 1_000);
  const fits = (value: string): boolean =>
    [...value].length >= min && [...value].length <= max && (pattern === undefined || new RegExp(pattern, 'u').test(value));
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern)).filter(fits);
  const unit = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('é', '😀', '\u2028', '\r', '\n', '\t', '\u202e', "'", '"', '\\', '%') },
  );
  return fc
    .string({ unit, minLength: min, maxLength: Math.min(max, Math.max(min, 40)) })
    .map((value) => (fits(value) ? value : 'x'.repeat(Math.max(1, min))));
};

const plainJson = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: true })
  .map((value) => JSON.stringify(value, onlySafeNumbers))
  // Keys that reach into prototypes are refused, wherever they stand.
  .filter((text) => !/"(?:__proto__|prototype)":/.test(text))
  .map((text) => JSON.parse(text) as unknown);
const onlySafeNumbers = (_: string, value: unknown): unknown => (typeof value === 'number' ? Math.trunc(value % 1_000) || 0 : value);

/** What has broken parsers, databases and templates before. */
const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '..',
    '../..',
    '.',
    '%',
    '%00',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '-1',
    '-0',
    '1e400',
    '9223372036854775808',
    '9007199254740993',
    "' or 1=1 --",
    '${7*7}',
    '{{7*7}}',
    '\r\nx: y',
    '<script>',
    'x'.repeat(199),
    'x'.repeat(5_000),
  ),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    { length: 1 },
    { then: 1 },
    { toString: 1 },
    { constructor: { name: 'x' } },
    { hasOwnProperty: 1 },
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 3 }),
);

type Body = Readonly<{ headers: Record<string, string>; body: string | Uint8Array }>;

const wildBody = (operation: Operation, document: OpenAPIObject, samples: Samples): Arbitrary<Body> => {
  const near = fc
    .tuple(
      conformingTo(operation.body!.schema, document, samples),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'add'), hostile), { minLength: 1, maxLength: 3 }),
    )
    .map(([value, changes]) => changes.reduce<unknown>((changed, [place, how, other]) => change(changed, place, how, other), value));
  const json = fc
    .oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: hostile })
    .map((value): Body => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }));
  return fc.oneof({ weight: 4, arbitrary: json }, { weight: 1, arbitrary: rawBody });
};

/** Bodies that are wrong before anyone looks at fields. */
const rawBody: Arbitrary<Body> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom<string>(
        '',
        '{',
        '{}',
        '[]',
        'null',
        '{"a":1,"a":2}',
        '{"__proto__":{}}',
        '{"a":"\\u0000"}',
        '{"a":"\\ud800"}',
        '{"a":1e999}',
        '{"a":9007199254740993}',
        '['.repeat(100) + ']'.repeat(100),
        '\ufeff{}',
        '{"a":1}{"b":2}',
        "{'a':1}",
      ),
      fc.json({ maxDepth: 3 }),
      fc.uint8Array({ maxLength: 50 }),
    ),
    fc.constantFrom(
      'application/json',
      'application/json',
      'application/json; charset=utf-8',
      'application/octet-stream',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'image/png',
      'x',
    ),
  )
  .map(([body, type]) => ({ body, headers: { 'content-type': type } }));

/** One change somewhere in a value: at the `place`-th of all its places, counted around. */
const change = (value: unknown, place: number, how: 'replace' | 'remove' | 'add', other: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return how === 'add' ? [value, other] : other;
  const keys = Object.keys(value);
  const key = keys[place % Math.max(1, keys.length)];
  if (key === undefined || how === 'add')
    return Array.isArray(value) ? [...(value as unknown[]), other] : { ...value, [`extra${place % 3}`]: other };
  const inner = (value as Record<string, unknown>)[key];
  const goDeeper = typeof inner === 'object' && inner !== null && place % 3 !== 0;
  const changed = goDeeper ? change(inner, Math.floor(place / 3), how, other) : other;
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item, index) => (String(index) !== key ? [item] : !goDeeper && how === 'remove' ? [] : [changed]));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      name !== key ? [[name, item]] : !goDeeper && how === 'remove' ? [] : [[name, changed]],
    ),
  );
};

const build = (
  operation: Operation,
  values: (schema: Schema, name: string) => Arbitrary<unknown>,
  bodies: Arbitrary<Body | undefined>,
): Arbitrary<FuzzRequest> => {
  const parameters = operation.parameters.filter((parameter) => parameter.in !== 'cookie');
  const given = fc.record(
    Object.fromEntries(
      parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, values(parameter.schema ?? {}, parameter.name)]),
    ),
    {
      requiredKeys: parameters
        .filter((parameter) => parameter.in === 'path' || parameter.required)
        .map((parameter) => `${parameter.in} ${parameter.name}`),
    },
  );
  const body = operation.body
    ? operation.body.required
      ? values(operation.body.schema, '')
      : fc.option(values(operation.body.schema, ''), { nil: undefined })
    : fc.constant(undefined);
  return fc.tuple(given, body, bodies).map(([chosen, plain, raw]) => {
    const of = (place: string) =>
      parameters
        .filter((parameter) => parameter.in === place && chosen[`${place} ${parameter.name}`] !== undefined)
        .map(({ name }) => [name, chosen[`${place} ${name}`]] as const);
    const path = of('path').reduce((url, [name, value]) => url.replace(`{${name}}`, encode(value)), operation.path);
    const query = of('query').flatMap(([name, value]) => [value].flat().map((one) => `${encode(name)}=${encode(one)}`));
    const headers = Object.fromEntries(
      of('header').map(([name, value]) => [name.toLowerCase(), asText(value).replace(/[^\x21-\x7e]/g, '?')]),
    );
    const content: Body | undefined = raw ?? (plain === undefined ? undefined : contentOf(operation.body!.type, plain));
    return {
      method: operation.method,
      path: query.length > 0 ? `${path}?${query.join('&')}` : path,
      headers: { ...headers, ...content?.headers },
      body: content?.body,
      conforms: false,
    };
  });
};

const contentOf = (type: string, value: unknown): Body => ({
  headers: { 'content-type': type },
  body: type === 'application/json' ? JSON.stringify(value) : asText(value),
});
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** encodeURIComponent throws on half a surrogate pair; its bytes are sent as some clients do. */
const encode = (value: unknown): string => {
  const text = asText(value);
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
};
