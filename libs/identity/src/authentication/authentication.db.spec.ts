import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EventStreams } from '#libs/http';
import { derivedId, streamName, type CommandMeta, type Principal, type Role } from '#libs/kernel';
import { Client } from '../../../../test/support/client.js';
import { eventually } from '../../../../test/support/eventually.js';
import { IdentityDirectory } from '../identity-directory.js';
import { startIdentity, type IdentityServer } from '../testing/identity-server.js';
import { newSecret, parseBearer, secretDigest, toBearer } from './bearer.js';
import { CredentialWatch } from './credential-watch.js';
import { Actor, Allow, Meta, Public } from './decorators.js';
import { sessionCookie } from './session-cookie.js';
import { TokenKey } from './token-key.js';

@Controller('test')
class Probe {
  constructor(private readonly streams: EventStreams) {}
  @Get('open') @Public() open() {
    return { ok: true };
  }
  @Get('any') any(@Actor() { id }: Principal) {
    return { id };
  }
  @Get('lease') @Allow('lease.claim') lease() {
    return { ok: true };
  }
  @Get('people') @Allow('approver', 'member') people() {
    return { ok: true };
  }
  @Post('meta/:id') meta(@Meta() meta: CommandMeta) {
    return meta;
  }
  @Get('stream') stream(@Actor() { credentialId }: Principal, @Res() reply: FastifyReply): void {
    this.streams.open(reply, credentialId).send('hello', {});
  }
}

describe('Who sends a request', () => {
  let server: IdentityServer;
  let other: IdentityServer;
  beforeAll(async () => {
    server = await startIdentity({ controllers: [Probe] });
    other = await startIdentity({ controllers: [Probe], test: server.test });
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });
  const withBearer = (bearer: string) => new Client(server.url, bearer);
  const revoke = async (bearer: string) => server.as('otto').delete(`/api/credentials/${parseBearer(bearer)!.credentialId}?reason=test`);

  /** A credential whose event came in by another way than the decider. */
  const smuggle = async (roles: readonly Role[], over: object = {}): Promise<string> => {
    const { store } = server;
    const { credentialId } = parseBearer(server.bearers['ida']!)!;
    const { events } = await store.readStream(streamName('credential', credentialId));
    const { contentHash: _, schemaVersion: __, ...meta } = events[0]!.meta;
    const secret = newSecret();
    const id = derivedId('smuggled', JSON.stringify([roles, over]));
    const data = { ...(events[0]!.data as object), roles, secretSha256: secretDigest(secret), ...over };
    await store.append(streamName('credential', id), [{ id: derivedId(id, 'event'), type: 'CredentialIssued', data, meta }], -1n);
    return toBearer(id, secret);
  };

  it('is known by a bearer credential', async () => {
    const { status, body } = await server.as('ida').get('/test/any');
    expect(status).toBe(200);
    expect(body).toEqual({ id: (await server.principal('ida')).id });
  });
  it('is nobody without one', async () => {
    const answer = await server.anyone.get('/test/any');
    expect(answer).toMatchObject({ status: 401, body: { code: 'auth/missing' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
  it('need not be known on a public route', async () => expect((await server.anyone.get('/test/open')).status).toBe(200));

  it('is told the same whether the credential does not exist, has another form, or another secret', async () => {
    const { credentialId } = parseBearer(server.bearers['ida']!)!;
    const wrong = [
      toBearer(credentialId, newSecret()),
      toBearer(derivedId('nobody'), newSecret()),
      'wbk_x',
      `${server.bearers['ida']!}A`,
      await server
        .issue({ name: 'Revoked' })
        .then(async (bearer) => (await revoke(bearer), toBearer(parseBearer(bearer)!.credentialId, newSecret()))),
    ];
    const answers = await Promise.all(wrong.map((bearer) => withBearer(bearer).get('/test/any')));
    const told = answers.map(({ status, body }) => ({ status, ...body, requestId: undefined }) as object);
    expect(told[0]).toMatchObject({ status: 401, code: 'auth/invalid' });
    expect(told).toEqual(told.map(() => told[0]));
  });
  it.each(['Basic eDp5', 'Bearer', 'Bearer a b', ''])('is not known by the header %j', async (authorization) =>
    expect(await server.anyone.get('/test/any', { headers: { authorization } })).toMatchObject({
      status: 401,
      body: { code: 'auth/invalid' },
    }),
  );

  it('is refused from the revocation on, on every server', async () => {
    const bearer = await server.issue({ name: 'Short' });
    expect((await withBearer(bearer).at(other.url).get('/test/any')).status).toBe(200);
    expect((await revoke(bearer)).status).toBe(200);
    for (const { url } of [server, other])
      expect(await withBearer(bearer).at(url).get('/test/any')).toMatchObject({ status: 401, body: { code: 'auth/revoked' } });
  });
  it('is refused when the credential has expired', async () => {
    const bearer = await server.issue({ name: 'Old', expiresAt: '2020-01-02T00:00:00.000Z' }, '2020-01-01T00:00:00.000Z');
    expect(await withBearer(bearer).get('/test/any')).toMatchObject({ status: 401, body: { code: 'auth/expired' } });
  });
  it.each([
    [['implementer', 'verifier'], 'credential/mixed-sides'],
    [['eve', 'approver'], 'credential/mixed-sides'],
    [['implementer', 'admin' as Role], 'credential/mixed-sides'],
    [['approver'], 'credential/kind'],
    [[], 'credential/no-role'],
  ] as [Role[], string][])('is refused with a credential of the roles %j, however it came in', async (roles, code) => {
    const bearer = await smuggle(roles);
    for (const path of ['/test/any', '/test/lease', '/api/me'])
      expect(await withBearer(bearer).get(path)).toMatchObject({ status: 403, body: { code } });
  });
  it('is refused with a worker capability that its role does not have, however it came in', async () =>
    expect(await withBearer(await smuggle(['verifier'], { capabilities: ['verification-worker'] })).get('/test/any')).toMatchObject({
      status: 403,
      body: { code: 'credential/capability' },
    }));

  it('may do what the table of authority says', async () => {
    expect((await server.as('ida').get('/test/lease')).status).toBe(200);
    expect(await server.as('vera').get('/test/lease')).toMatchObject({ status: 403, body: { code: 'auth/role' } });
    expect((await server.as('mia').get('/test/people')).status).toBe(200);
    expect((await server.as('otto').get('/test/people')).status).toBe(403);
  });

  describe('and what the command carries of it', () => {
    const meta = (path: string, body: object, key?: string, headers = {}) =>
      server
        .as('ida')
        .post<CommandMeta>(`/test/meta/${path}`, body, { ...(key && { key }), headers })
        .then(({ body: got }) => got);
    it('is the same command for the same key on the same route', async () => {
      const [a, b, c] = [await meta('1', { x: 1, y: 2 }, 'k'), await meta('1', { y: 2, x: 1 }, 'k'), await meta('1', { x: 2 }, 'k')];
      expect(b.commandId).toBe(a.commandId);
      expect(b.requestDigest).toBe(a.requestDigest);
      expect(c.commandId).toBe(a.commandId);
      expect(c.requestDigest).not.toBe(a.requestDigest);
    });
    it('is another command for another key, path, principal, or none', async () => {
      const ids = [
        await meta('1', {}, 'k'),
        await meta('1', {}, 'l'),
        await meta('2', {}, 'k'),
        await meta('1', {}),
        await meta('1', {}),
      ].map(({ commandId }) => commandId);
      const vera = await server.as('vera').post<CommandMeta>('/test/meta/1', {}, { key: 'k' });
      expect(new Set([...ids, vera.body.commandId]).size).toBe(6);
    });
    it('is bound to the principal, so that its further credentials repeat it', async () => {
      const { id } = await server.principal('ida');
      const second = await server.issue({ principalId: id, kind: undefined, name: undefined });
      const again = await withBearer(second).post<CommandMeta>('/test/meta/1', {}, { key: 'k' });
      expect(again.body.commandId).toBe((await meta('1', {}, 'k')).commandId);
    });
    it('names the trace, the policy and the workspace', async () => {
      const trace = 'ab'.repeat(16);
      const { workspaceIds, tenantId } = await server.principal('ida');
      expect(await meta('1', {}, undefined, { traceparent: `00-${trace}-${'cd'.repeat(8)}-01` })).toMatchObject({
        correlationId: trace,
        tenantId,
        workspaceId: workspaceIds[0],
        policyVersion: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
    });
    it('is refused with a key that is none', async () =>
      expect((await server.as('ida').post('/test/meta/1', {}, { key: 'a'.repeat(300) })).status).toBe(422));
    it('does not reach a workspace that is not one of the credential', async () =>
      expect(await server.as('ida').post('/test/meta/1', {}, { headers: { 'workbench-workspace': derivedId('elsewhere') } })).toMatchObject(
        {
          status: 404,
          body: { code: 'workspace/not-found' },
        },
      ));
  });

  describe('in a browser', () => {
    const login = (name: string, headers = {}) => server.anyone.post('/api/session', { credential: server.bearers[name]! }, { headers });
    const cookieOf = (headers: Headers) => headers.get('set-cookie')!.split(';')[0]!;
    const browser = (cookie: string, headers = {}) => server.anyone.with({ cookie, ...headers });

    it('is known by a session', async () => {
      const { status, headers, body } = await login('mia');
      expect(status).toBe(200);
      expect(headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
      expect(headers.get('set-cookie')).not.toContain(server.bearers['mia']!.slice(-43));
      expect((await browser(cookieOf(headers)).get('/api/me')).body).toEqual(body);
      expect((await browser(cookieOf(headers)).at(other.url).get('/api/me')).body).toEqual(body);
    });
    it('gets a Secure cookie where it speaks https', async () => {
      const origin = `https://${new URL(server.url).host}`;
      expect((await login('mia', { origin })).headers.get('set-cookie')).toContain('; Secure');
    });
    it('gets no session with a wrong credential', async () => {
      const answer = await server.anyone.post('/api/session', { credential: 'wbk_wrong' });
      expect(answer).toMatchObject({ status: 401, body: { code: 'auth/invalid' } });
      expect(answer.headers.get('set-cookie')).toBeNull();
    });
    it('changes nothing from the page of another site', async () => {
      const cookie = cookieOf((await login('mia')).headers);
      const foreign = { origin: 'https://evil.example' };
      expect(await browser(cookie, foreign).post('/api/delegations')).toMatchObject({ status: 403, body: { code: 'auth/origin' } });
      expect(await browser(cookie).post('/api/delegations')).toMatchObject({ status: 403, body: { code: 'auth/origin' } });
      expect((await browser(cookie, { origin: server.url }).post('/api/delegations')).status).toBe(201);
      expect(await login('mia', foreign)).toMatchObject({ status: 403, body: { code: 'auth/origin' } });
      expect((await server.anyone.delete('/api/session', { headers: foreign })).status).toBe(403);
    });
    it('streams nothing to the page of another site', async () => {
      const cookie = cookieOf((await login('mia')).headers);
      const headers = { cookie, accept: 'text/event-stream', origin: 'https://evil.example' };
      expect((await server.anyone.get('/test/stream', { headers })).status).toBe(403);
    });
    it('ends its session', async () => {
      const { status, headers } = await server.anyone.delete('/api/session');
      expect(status).toBe(204);
      expect(headers.get('set-cookie')).toContain('Max-Age=0');
    });
    it('has no session after its credential was revoked', async () => {
      const credential = await server.issue({ kind: 'human', name: 'Max', roles: ['member'] });
      const { headers } = await server.anyone.post('/api/session', { credential });
      await revoke(credential);
      expect(await browser(cookieOf(headers)).get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/revoked' } });
    });
    it('has no session after twelve hours, nor with one that was made up', async () => {
      const { credentialId } = parseBearer(server.bearers['mia']!)!;
      const old = sessionCookie(server.get(TokenKey), credentialId, '2026-01-01T00:00:00.000Z', false).split(';')[0]!;
      expect(await browser(old).get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/expired' } });
      const forged = sessionCookie(new TokenKey(new Uint8Array(32)), credentialId, server.clock.now(), false).split(';')[0]!;
      expect(await browser(forged).get('/api/me')).toMatchObject({ status: 401, body: { code: 'auth/missing' } });
    });
  });

  describe('and is revoked meanwhile', () => {
    const opened = async (bearer: string, url: string) => {
      const response = await fetch(`${url}/test/stream`, { headers: { authorization: `Bearer ${bearer}` } });
      expect(response.status).toBe(200);
      return response.text();
    };
    it('sees its streams end on every server, saying why, and others go on', async () => {
      const [gone, stays] = [await server.issue({ name: 'Gone' }), await server.issue({ name: 'Stays' })];
      const streams = [server, other].map(({ url }) => opened(gone, url));
      let ended = false;
      const kept = new AbortController();
      void fetch(`${server.url}/test/stream`, { headers: { authorization: `Bearer ${stays}` }, signal: kept.signal })
        .then((response) => response.text())
        .catch(() => (ended = true));
      await eventually(() => server.get(EventStreams).size === 2 && other.get(EventStreams).size === 1);
      await revoke(gone);
      const revoked = performance.now();
      for (const text of await Promise.all(streams)) expect(text).toMatch(/event: error\ndata: .*auth\/revoked.*\n\nevent: stream_end/);
      expect(performance.now() - revoked).toBeLessThan(2000);
      expect(ended).toBe(false);
      kept.abort();
    });
    it('is told while it waits for something else', async () => {
      const bearer = await server.issue({ name: 'Waits' });
      const { credentialId } = parseBearer(bearer)!;
      const watch = other.get(CredentialWatch);
      const silent = jest.fn();
      watch.watch(credentialId, silent)();
      const told = new Promise<string>((resolve) => watch.watch(credentialId, ({ code }) => resolve(code)));
      await revoke(bearer);
      expect(await told).toBe('auth/revoked');
      expect(silent).not.toHaveBeenCalled();
    });
  });

  it('is known to reactors as it is now', async () => {
    const directory = other.get(IdentityDirectory);
    const bearer = await server.issue({ name: 'Asked' });
    const { credentialId } = parseBearer(bearer)!;
    expect(await directory.principalOf(credentialId)).toMatchObject({ active: true, principal: { name: 'Asked', credentialId } });
    await revoke(bearer);
    expect(await directory.principalOf(credentialId)).toMatchObject({
      active: false,
      why: { code: 'auth/revoked' },
      principal: { name: 'Asked' },
    });
    await expect(directory.principalOf(derivedId('nobody'))).rejects.toThrow('credential/not-found');
  });
});
