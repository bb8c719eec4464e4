import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { conformingTo, requestsTo } from '../../../../test/support/openapi-arbitraries.js';
import { brokenPromises, deliver, operationsIn } from '../../../../test/support/openapi-operations.js';
import { held, startSample, ThingDto } from '../../../../test/support/sample-app.js';
import { faultsOfDto } from '../fields/bind.js';
import { describeApi } from './describe-api.js';
import { undescribedProblems } from './complete-document.js';

const DESCRIPTION = {
  title: 'Sample',
  description: 'One of everything.',
  version: '1',
  sessionCookie: 'session',
  credentialProblems: ['credential/missing', 'request/forbidden'],
};
const ID = '0196b5a0-0000-7000-8000-000000000001';

// Sockets and servers on a busy machine: the conditions are what is tested, not the time.
jest.setTimeout(30_000);

describe('The document of an API', () => {
  let app: NestFastifyApplication;
  let url: string;
  let document: OpenAPIObject;

  beforeAll(async () => {
    ({ app, url } = await startSample());
    document = describeApi(app, DESCRIPTION);
  });
  afterAll(() => app.close());

  it('is OpenAPI 3.1, the same text every time, and refers only to what it holds', () => {
    expect(document.openapi).toBe('3.1.0');
    const text = JSON.stringify(document);
    expect(JSON.stringify(describeApi(app, DESCRIPTION))).toBe(text);
    const names = Object.keys(document.components!.schemas!);
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    expect(references).toContain('#/components/schemas/PartDto');
    for (const reference of references) expect(names.map((name) => `#/components/schemas/${name}`)).toContain(reference);
    expect(JSON.stringify(Object.keys(document.paths))).toBe(JSON.stringify(Object.keys(document.paths).sort()));
  });

  it('says what every route can refuse, under its status, with the sentence of each code', () => {
    const approve = document.paths['/api/things/{id}/approve']!.post!;
    expect(Object.keys(approve.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '409', '412', '413', '415', '422', '429', '500', '503']),
    );
    expect(JSON.stringify(approve.responses['412'])).toContain('precondition/failed');
    expect(document.paths['/api/things']!.get!.responses['504']).toBeDefined();
    expect(undescribedProblems(document)).toEqual([]);
  });

  it('closes the bodies that requests send, and gives ids their format', () => {
    const schemas = document.components!.schemas as Record<string, { additionalProperties?: unknown }>;
    expect([
      schemas['ThingDto']!.additionalProperties,
      schemas['PartDto']!.additionalProperties,
      schemas['OwnerDto']!.additionalProperties,
    ]).toEqual([false, false, false]);
    expect(document.paths['/api/things/{id}']!.get!.parameters).toContainEqual(
      expect.objectContaining({ name: 'id', schema: { type: 'string', format: 'uuid' } }),
    );
  });

  it('means exactly what the server checks', async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('uuid', true);
    ajv.addFormat('date-time', true);
    const isThing = ajv.compile({ $ref: '#/components/schemas/ThingDto', components: document.components });
    const create = operationsIn(document).find(({ name }) => name === 'POST /api/things')!;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(requestsTo(create, document), async ({ headers, body, conforms }) => {
        if (headers['content-type'] !== 'application/json') return;
        let value: unknown;
        try {
          value = JSON.parse(body as string);
        } catch {
          return;
        }
        // What no JSON Schema can say is refused before: NUL and lone surrogates; and the size of free-form JSON.
        if (/\\u0000|\\ud[89a-f]/i.test(body as string) || (body as string).length > 1_000) return;
        const faults = await faultsOfDto(ThingDto, value);
        expect({ value, valid: faults.length === 0 }).toEqual({ value, valid: isThing(value) });
        if (conforms) expect(faults).toEqual([]);
        if (faults.length === 0) accepted++;
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('describes values that the server takes', async () => {
    await fc.assert(
      fc.asyncProperty(
        conformingTo(operationsIn(document).find(({ name }) => name === 'POST /api/things')!.body!.schema, document),
        async (thing) => {
          const answer = await deliver(url, {
            method: 'POST',
            path: '/api/things',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(thing),
            conforms: true,
          });
          expect(answer.status).toBe(201);
          expect(JSON.parse(answer.body)).toEqual(thing);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps its promises whatever is sent to any of its routes', async () => {
    const operations = operationsIn(document).filter(({ path }) => path !== '/api/hold' && !path.startsWith('/api/fail'));
    expect(operations.length).toBeGreaterThan(6);
    for (const operation of operations)
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, document, { id: [ID] }), async (request) => {
          const answer = await deliver(url, request);
          // This route always refuses, and with a code that it does not document.
          const known = operation.path.endsWith('/approve') && answer.status === 409 ? [] : brokenPromises(operation, answer);
          expect({ request, answer: answer.body.slice(0, 300), broken: known }).toMatchObject({ broken: [] });
          if (request.conforms && operation.name === 'POST /api/things') expect(answer.status).toBeLessThan(400);
        }),
        { numRuns: 150 },
      );
    expect(held).toEqual([]);
  }, 120_000);

  it('is found out where it promises too much', async () => {
    const broken = operationsIn(document).find(({ path }) => path.startsWith('/api/fail'))!;
    const answer = await deliver(url, { method: 'GET', path: '/api/fail/unknown', headers: {}, body: undefined, conforms: true });
    expect(brokenPromises(broken, answer)).toEqual(['500 is a fault of ours.']);
    expect(brokenPromises({ ...broken, statuses: new Set() }, { status: 418, headers: {}, body: 'at x.ts:1' })).toHaveLength(7);
  });
});
