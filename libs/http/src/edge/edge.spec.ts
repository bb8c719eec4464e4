import { once } from 'node:events';
import { connect } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { startSample } from '../../../../test/support/sample-app.js';
import { requestContext } from './request-context.js';
import type { FinishedRequest } from './options.js';

type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  requestId: string;
  errors?: { pointer: string; detail: string }[];
} & Record<string, unknown>;

const ID = '0196b5a0-0000-7000-8000-000000000001';
const thing = { title: 'Lamp', colour: 'red', tags: [], parts: [] };

// Sockets and servers on a busy machine: the conditions are what is tested, not the time.
jest.setTimeout(30_000);

describe('The HTTP edge', () => {
  let app: NestFastifyApplication;
  let url: string;
  const finished: (FinishedRequest & { inContext: boolean })[] = [];

  beforeAll(async () => {
    ({ app, url } = await startSample({
      observe: (request) => finished.push({ ...request, inContext: requestContext() === request.context }),
    }));
  });
  afterAll(() => app.close());

  const send = (method: string, path: string, body?: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: body as string }),
    });
  const refused = async (answer: Response): Promise<Problem> => {
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const problem = (await answer.json()) as Problem;
    expect(problem).toMatchObject({
      status: answer.status,
      type: `urn:workbench:problem:${problem.code}`,
      requestId: answer.headers.get('x-request-id'),
    });
    expect(problem.detail).toMatch(/\.$/);
    return problem;
  };
  const create = (body: unknown) => send('POST', '/api/things', typeof body === 'string' ? body : JSON.stringify(body));
  /** Sends bytes as they are and returns all that comes back until the server closes. */
  const raw = async (text: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.write(text);
    await once(socket, 'close');
    return received;
  };

  describe('A body', () => {
    it('comes back as it was sent', async () => {
      const answer = await create({ ...thing, title: 'Ünï\u2028 😀\r\n' });
      expect(answer.status).toBe(201);
      expect(await answer.json()).toEqual({ ...thing, title: 'Ünï\u2028 😀\r\n' });
    });
    it('is refused with every wrong field named', async () => {
      const problem = await refused(
        await create({ colour: 'blue', tags: [1], parts: [{ name: 'x', count: -1 }], owner: { id: 1 }, extra_: 1 }),
      );
      expect(problem).toMatchObject({ status: 422, code: 'request/invalid', title: 'Request: invalid' });
      expect(problem.errors!.map(({ pointer }) => pointer).sort()).toEqual([
        '/colour',
        '/extra_',
        '/owner/id',
        '/parts/0/count',
        '/tags/0',
        '/title',
      ]);
    });
    it('names at most 50 faults', async () => {
      const problem = await refused(await create(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, 1]))));
      expect(problem.errors).toHaveLength(50);
      expect(problem.detail).toContain('454 more');
    });
    it.each<[string, number, string]>([
      ['{"a":', 400, 'json/malformed'],
      ['{"title":"a","title":"b"}', 422, 'json/duplicate-key'],
      ['{"title":12345678901234567890}', 422, 'json/unsafe-number'],
      ['{"__proto__":{"x":1}}', 422, 'json/prototype-key'],
      ['{"title":"\\u0000"}', 422, 'json/nul'],
      ['{"title":"\\udead"}', 422, 'json/lone-surrogate'],
      ['['.repeat(40) + ']'.repeat(40), 422, 'json/too-deep'],
      ['[]', 422, 'request/invalid'],
      ['null', 422, 'request/invalid'],
      ['"x"', 422, 'request/invalid'],
    ])('%s is %i %s', async (body, status, code) => expect(await refused(await create(body))).toMatchObject({ status, code }));
    it('that is no UTF-8 is malformed', async () =>
      expect(await refused(await send('POST', '/api/things', Uint8Array.of(0x22, 0xff, 0x22)))).toMatchObject({
        status: 400,
        code: 'json/malformed',
      }));
    it('that is empty is none, with and without a content type', async () => {
      expect((await refused(await create(''))).errors!.map(({ pointer }) => pointer)).toEqual(['/title', '/colour', '/tags', '/parts']);
      expect((await refused(await send('POST', '/api/things'))).code).toBe('request/invalid');
      expect((await send('DELETE', `/api/things/${ID}`, '')).status).toBe(204);
    });
    it('over a MiB is too large, whether it says so or not', async () => {
      expect(await refused(await create(`"${'x'.repeat(1_048_576)}"`))).toMatchObject({ status: 413, code: 'request/too-large' });
      const chunked = `POST /api/things HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${('fffff\r\n' + ' '.repeat(0xfffff) + '\r\n').repeat(2)}0\r\n\r\n`;
      expect(await raw(chunked)).toMatch(/^HTTP\/1.1 413 /);
    });
    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      'nonsense',
      'application/jsonx',
    ])('as %s is the wrong content type', async (type) =>
      expect(await refused(await send('POST', '/api/things', '{}', { 'content-type': type }))).toMatchObject({
        status: 415,
        code: 'request/content-type',
      }),
    );
    it('without any content type is the wrong one too', async () => {
      expect(await raw('POST /api/things HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')).toMatch(
        /^HTTP\/1.1 415 [^]*request\/content-type/,
      );
    });
    it('may name UTF-8, and may not be compressed', async () => {
      expect((await send('POST', '/api/things', JSON.stringify(thing), { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
        201,
      );
      expect((await refused(await send('POST', '/api/things', '{}', { 'content-encoding': 'gzip' }))).status).toBe(415);
    });
    it('of bytes goes only where bytes are taken, up to the limit of the route', async () => {
      const bytes = (size: number, type = 'application/octet-stream') =>
        send('PUT', `/api/bytes/${'a'.repeat(64)}`, new Uint8Array(size), { 'content-type': type });
      expect(await (await bytes(1_000)).json()).toEqual({ size: 1_000 });
      expect((await refused(await bytes(1_001))).code).toBe('request/too-large');
      expect((await refused(await bytes(2, 'application/json'))).code).toBe('request/content-type');
      expect(await (await bytes(0)).json()).toEqual({ size: 0 });
    });
    it('that does not arrive whole writes nothing and harms nobody', async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('POST /api/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"tit');
      socket.end();
      await once(socket.resume(), 'close');
      expect((await create(thing)).status).toBe(201);
    });
  });

  describe('A parameter', () => {
    it.each(['x', '123', `${ID}0`, "';drop", '%F0%9F%98%80', '__proto__'])('%s as an id names nothing', async (id) =>
      expect(await refused(await send('GET', `/api/things/${id}`))).toMatchObject({ status: 404, code: 'id/not-found' }),
    );
    it('may write an id in capitals', async () =>
      expect(await (await send('GET', `/api/things/${ID.toUpperCase()}`)).json()).toEqual({ id: ID }));
    it.each([
      'limit=0',
      'limit=x',
      'limit=1&limit=2',
      'limit=',
      'colour=blue',
      'cursor=!',
      'cursor=bnVsbA',
      'cursor=IiI',
      'other=1',
      'owners=1',
      '__proto__=1',
      'constructor=1',
    ])('in the query %s is refused by name', async (query) => {
      const problem = await refused(await send('GET', `/api/things?${query}`));
      expect(problem).toMatchObject({
        status: 422,
        code: 'request/invalid',
        errors: [{ pointer: expect.stringMatching(`^/query/${query.split('=')[0]}`) as string }],
      });
    });
    it('holds no NUL, in a name or a value, in a path or a query', async () => {
      for (const path of ['/api/things?colour=%00', '/api/things?%00=1', '/api/things/a%00b', '/api/fail/%00'])
        expect(await refused(await send('GET', path))).toMatchObject({ status: 422, code: 'request/invalid' });
    });
    it('pages with the cursor of the page before', async () => {
      const first = (await (await send('GET', '/api/things?limit=2')).json()) as { items: unknown[]; next: string };
      expect(first.items).toHaveLength(2);
      const second = (await (await send('GET', `/api/things?limit=2&cursor=${first.next}`)).json()) as { items: { after: string }[] };
      expect(second.items[0]!.after).toBe(ID);
    });
    it.each(['-1', 'x', '9223372036854775808', ''])('waitFor=%s is no position', async (value) =>
      expect(await refused(await send('GET', `/api/things?waitFor=${value}`))).toMatchObject({
        status: 422,
        errors: [{ pointer: '/query/waitFor' }],
      }),
    );
    it('If-Match takes the present revision, and tells the present one to others', async () => {
      const put = (match: string) => send('PUT', `/api/things/${ID}`, '{"name":"x","count":1}', { 'if-match': match });
      const tag = (await send('GET', `/api/things/${ID}`)).headers.get('etag')!;
      expect(tag).toBe('"3"');
      for (const match of [tag, '*', '"1", "3"', '"3-stale"']) expect((await put(match)).status).toBe(200);
      for (const match of ['"2"', 'W/"3"'])
        expect(await refused(await put(match))).toMatchObject({ status: 412, code: 'precondition/failed', revision: '3' });
      for (const match of ['3', '"x"', '"-1"', '"9223372036854775808"', ','])
        expect(await refused(await put(match))).toMatchObject({ status: 422, errors: [{ pointer: '/header/if-match' }] });
    });
  });

  describe('An error', () => {
    it('that is a refusal carries its facts as members, which replace none of ours', async () => {
      expect(await refused(await send('POST', `/api/things/${ID}/approve`))).toMatchObject({
        status: 409,
        code: 'thing/decided',
        detail: 'Ann has decided.',
        by: 'Ann',
        revision: '9007199254740993',
      });
    });
    it.each<[string, number, string, Record<string, string>]>([
      ['wait', 429, 'thing/too-many', { 'retry-after': '7' }],
      ['login', 401, 'credential/expired', { 'www-authenticate': 'Bearer' }],
      ['refused', 503, 'server/unavailable', { 'retry-after': '2' }],
      ['pool', 503, 'server/unavailable', { 'retry-after': '2' }],
      ['stopping', 503, 'server/unavailable', { 'retry-after': '2' }],
    ])('"%s" is %i %s and says when to come again', async (how, status, code, headers) => {
      const answer = await send('GET', `/api/fail/${how}`);
      for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
      expect(await refused(answer)).toMatchObject({ status, code });
    });
    it('that nobody knows tells nothing of itself', async () => {
      const problem = await refused(await send('GET', '/api/fail/unknown'));
      expect(problem).toMatchObject({ status: 500, code: 'server/internal' });
      expect(JSON.stringify(problem)).not.toMatch(/secret|TypeError|stack/);
    });
    it.each<[string, string, number, string]>([
      ['GET', '/api/nothing', 404, 'route/not-found'],
      ['POST', '/', 404, 'route/not-found'],
      ['PATCH', `/api/things/${ID}`, 405, 'route/method-not-allowed'],
      ['GET', '/api/%ff', 400, 'request/bad-url'],
      ['GET', '/api/things/%zz', 400, 'request/bad-url'],
      ['GET', `/api/things/${'a'.repeat(300)}`, 414, 'request/uri-too-long'],
    ])('%s %s is %i %s', async (method, path, status, code) =>
      expect(await refused(await send(method, path))).toMatchObject({ status, code }),
    );
    it('HEAD answers as GET without a body, OPTIONS with what the path takes', async () => {
      const head = await send('HEAD', `/api/things/${ID}`);
      expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', '"3"']);
      expect((await send('HEAD', '/api/things/x')).status).toBe(404);
      const options = await send('OPTIONS', `/api/things/${ID}`);
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, DELETE, OPTIONS']);
      expect((await send('OPTIONS', '/api/nothing')).status).toBe(404);
    });
    it('before HTTP has even begun is a problem too', async () => {
      expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*request\/malformed/);
      expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 431 [^]*request\/headers-too-large/,
      );
      expect(await raw('GET / HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*request\/malformed/);
    });
  });

  it('lets its pages load nothing from elsewhere and be framed by nobody', async () => {
    const { headers } = await send('GET', '/api/things');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('tells of every request once, with the pattern of its route and the trace it belongs to', async () => {
    finished.length = 0;
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const answer = await send('GET', '/api/things?colour=red', undefined, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await answer.text();
    await send('GET', `/api/things/${ID}?secret=1`, undefined, { traceparent: 'nonsense' });
    await send('GET', '/api/nothing/at/all');
    expect(finished.map(({ method, route, status, aborted }) => ({ method, route, status, aborted }))).toEqual([
      { method: 'GET', route: '/api/things', status: 200, aborted: false },
      { method: 'GET', route: '/api/things/:id', status: 200, aborted: false },
      { method: 'GET', route: undefined, status: 404, aborted: false },
    ]);
    expect(finished[0]!.context).toMatchObject({ traceId, requestId: answer.headers.get('x-request-id') });
    expect(finished[1]!.context.traceId).toBeUndefined();
    expect(finished[0]!.durationMs).toBeGreaterThan(0);
  });

  it('never answers 5xx, whatever bytes come as a body', async () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await send('POST', '/api/things', body);
        expect([400, 422]).toContain((await refused(answer)).status);
      }),
      { numRuns: 200 },
    );
  });
});
