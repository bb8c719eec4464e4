import { CommandBus } from '@nestjs/cqrs';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { completeDocument, faultsOfDto, undescribedProblems } from '#libs/http';
import { streamName, systemPrincipal } from '#libs/kernel';
import { metaOf } from '#libs/kernel/testing';
import type { Answer } from '../../../test/support/client.js';
import { eventually } from '../../../test/support/eventually.js';
import {
  ApprovalAnswer,
  CancelAnswer,
  GrantAnswer,
  ResolvedAnswer,
  SessionAnswer,
  SessionGrantPreviewAnswer,
  SessionGrantsAnswer,
} from './answers.js';
import type { SessionEvent } from './session-events.js';
import { HandleSession } from './session.handler.js';
import { controlPlaneContract } from './testing/control-plane.js';
import { standing, type Plane, type Who } from './testing/plane.js';
import { startSessions, type SessionsServer } from './testing/sessions-server.js';

const BASE = '/api/agent/sessions';
const held = ({ tool = 'bash', command = 'npm test', ...call }: Readonly<{ tool?: string; command?: string }>) => ({
  ...call,
  tool,
  reason: 'asks',
  toolInput: tool === 'bash' || tool === 'exec' ? { command } : {},
});
const told = ({ body }: Answer) => body;

describe('Over HTTP', () => {
  let server: SessionsServer;
  let other: SessionsServer;
  const opened = async (): Promise<Plane> => {
    let ian = { id: '', name: 'Ian' };
    const shared = standing(() => ian);
    server = await startSessions({ standing: shared });
    other = await startSessions({ test: server.test, run: false, standing: shared });
    ian = (await server.as('ian').get('/api/me')).body;
    // Two servers of one database: whoever comes back after a restart finds the other one.
    let url = server.url;
    const as = (who: Who) => server.as(who).at(url);
    const credentialOfIda = (await server.as('ida').get('/api/me')).body.credentialId as string;
    return {
      start: async (options = {}, { by = 'ida', ...over } = {}) =>
        told(
          await as(by).post(BASE, {
            options,
            ...over,
            ...(by !== 'ida' && { runnerCredentialId: credentialOfIda }),
          }),
        ),
      request: async (sessionId, call, who = 'ida') => told(await as(who).post(`${BASE}/${sessionId}/approvals`, held(call))),
      resolve: async (sessionId, { approvalId, ...decision }, who = 'ian') =>
        told(
          await as(who).post(
            approvalId === undefined
              ? `${BASE}/${sessionId}/approvals/resolve`
              : `${BASE}/${sessionId}/approvals/${encodeURIComponent(approvalId)}/resolve`,
            decision,
          ),
        ),
      cancel: async (sessionId, reason, who = 'ian') => told(await as(who).post(`${BASE}/${sessionId}/cancel`, { reason })),
      read: async (sessionId, who = 'ian') => {
        const { revision: _, ...session } = told(await as(who).get(`${BASE}/${sessionId}`));
        return session;
      },
      preview: async (sessionId, approvalId, who = 'ian') =>
        told(await as(who).get(`${BASE}/${sessionId}/approvals/${approvalId}/preview`)),
      grants: async (sessionId) => (await as('ian').get(`${BASE}/${sessionId}/grants`)).body.items,
      revoke: async (sessionId, grantId, who = 'ian') => told(await as(who).delete(`${BASE}/${sessionId}/grants/${grantId}`)),
      events: async (sessionId) => (await server.store.readStream<SessionEvent>(streamName('session', sessionId))).events,
      restart: () => {
        url = url === server.url ? other.url : server.url;
        return Promise.resolve();
      },
    };
  };

  controlPlaneContract('over HTTP, on two servers', opened, async () => {
    await other.close();
    await server.close();
  });
});

describe('Sessions over HTTP', () => {
  let server: SessionsServer;
  beforeAll(async () => (server = await startSessions()));
  afterAll(() => server.close());
  const start = async (body = {}): Promise<string> => (await server.as('ida').post(BASE, body)).body.sessionId as string;
  const ask = (sessionId: string, body = {}) => server.as('ida').post(`${BASE}/${sessionId}/approvals`, { ...held({}), ...body });

  it('deny by themselves what nobody resolves in time, also where nobody waits', async () => {
    const sessionId = await start({ options: { approvalTimeoutMs: 100 } });
    await ask(sessionId, { approvalId: 'a' });
    const end = await eventually(async () =>
      (await server.store.readStream<SessionEvent>(streamName('session', sessionId))).events.find(
        ({ type }) => type === 'ApprovalResolved',
      ),
    );
    expect([end.data, end.meta.actor.kind]).toMatchObject([{ allow: false, via: 'auto', cause: 'timeout' }, 'service']);
  });
  it('that work for a cancelled one are cancelled also where the server that took that never got to them', async () => {
    const parentSessionId = await start();
    const child = await start({ parentSessionId });
    await ask(child, { approvalId: 'a' });
    const [began] = (await server.store.readStream<SessionEvent>(streamName('session', parentSessionId))).events;
    const { tenantId, workspaceId } = began!.meta;
    // As if it had been killed in between: only the parent's own event is there.
    await server.app.get(CommandBus).execute(
      new HandleSession(parentSessionId, {
        type: 'CancelSession',
        data: { reason: 'enough' },
        meta: { ...metaOf(systemPrincipal(tenantId, workspaceId)), tenantId, workspaceId },
      }),
    );
    const events = await eventually(async () => {
      const { events } = await server.store.readStream<SessionEvent>(streamName('session', child));
      return events.some(({ type }) => type === 'SessionCancelled') && events;
    });
    expect(events.slice(-2)).toMatchObject([
      { type: 'SessionCancelled', data: { reason: 'enough' }, meta: { actor: { kind: 'service' } } },
      { type: 'ApprovalResolved', data: { allow: false, cause: 'cancelled' } },
    ]);
  });
  it('answer a repeated request as the first', async () => {
    const sessionId = await start();
    const again = async () => (await server.as('ida').post(`${BASE}/${sessionId}/approvals`, held({}), { key: 'one' })).body.approvalId;
    expect(await again()).toBe(await again());
  });
  it('tell who is wrong with what', async () => {
    const sessionId = await start();
    await ask(sessionId, { approvalId: 'a' });
    const resolve = (who: string, body: object) => server.as(who).post(`${BASE}/${sessionId}/approvals/a/resolve`, body);
    for (const feedback of ['x'.repeat(65_536), 'a\0b', 'a\ud800b'])
      expect((await resolve('ian', { allow: false, feedback })).status).toBe(422);
    expect(await resolve('ida', { allow: true })).toMatchObject({ status: 403, body: { code: 'auth/role' } });
    expect(await resolve('ann', { allow: true })).toMatchObject({ status: 404, body: { code: 'session/not-found' } });
    expect(await server.as('ian').post(BASE, {})).toMatchObject({ status: 422, body: { code: 'session/runner' } });
    const { credentialId } = (await server.as('ida').get('/api/me')).body;
    expect(await server.as('mia').post(BASE, { runnerCredentialId: credentialId })).toMatchObject({
      status: 404,
      body: { code: 'credential/not-found' },
    });
    expect(await server.as('ian').post(BASE, { runnerCredentialId: credentialId, options: { escalationPolicy: 'approve' } })).toMatchObject(
      {
        status: 403,
        body: { code: 'session/policy-not-yours' },
      },
    );
    expect(await resolve('ian', { allow: true })).toMatchObject({ status: 200 });
    expect(await resolve('ian', { allow: true })).toMatchObject({ status: 409, body: { code: 'approval/decided' } });
  });
  it('say of calls of other sessions as well what a grant would have covered', async () => {
    const [before, now] = [await start(), await start()];
    const toolInput = { command: 'npm run preview' };
    await ask(before, { approvalId: 'a', toolInput });
    await server.as('ian').post(`${BASE}/${before}/approvals/a/resolve`, { allow: false });
    await ask(now, { approvalId: 'b', toolInput });
    const preview = await eventually(async () => {
      const { body } = await server.as('ian').get(`${BASE}/${now}/approvals/b/preview`);
      return body.covered > 0 && body;
    });
    expect(preview).toMatchObject({
      covered: 1,
      denied: 1,
      deniedCalls: [{ sessionId: before, approvalId: 'a', toolInput, denied: true }],
    });
  });
  it('list what waits for those whom it concerns, and for nobody else', async () => {
    const sessionId = await start({ title: 'Mine' });
    await ask(sessionId, { approvalId: 'a', toolInput: { command: 'npm run build' } });
    const listed = (who: string) =>
      eventually(async () => {
        const { items } = (await server.as(who).get(`${BASE}?status=running`)).body;
        return (items as { sessionId: string; pending: object[] }[]).find(
          (item) => item.sessionId === sessionId && item.pending.length > 0,
        );
      });
    for (const who of ['ian', 'ida']) expect((await listed(who)).pending).toMatchObject([{ approvalId: 'a' }]);
    for (const who of ['ann', 'otto', 'eve']) expect((await server.as(who).get(BASE)).body.items).toEqual([]);
    const first = (await server.as('ian').get(`${BASE}?limit=1`)).body;
    const second = (await server.as('ian').get(`${BASE}?limit=1&cursor=${first.next}`)).body;
    expect(second.items[0].sessionId).not.toBe(first.items[0].sessionId);
  });
  it('are answered as they are documented', async () => {
    const is = async (type: Parameters<typeof faultsOfDto>[0], { status, body }: Answer<any>) => {
      expect(status).toBeLessThan(300);
      const { id: _i, position: _p, auditId: _a, revision: _r, ...rest } = body;
      expect(await faultsOfDto(type, rest)).toEqual([]);
      return body;
    };
    const ian = server.as('ian');
    const { sessionId } = await is(SessionAnswer, await server.as('ida').post(BASE, { options: { approvalTimeoutMs: 60_000 } }));
    await is(ApprovalAnswer, await ask(sessionId, { approvalId: 'a' }));
    await is(SessionAnswer, await ian.get(`${BASE}/${sessionId}`));
    await is(SessionGrantPreviewAnswer, await ian.get(`${BASE}/${sessionId}/approvals/a/preview`));
    const { grant } = await is(
      ResolvedAnswer,
      await ian.post(`${BASE}/${sessionId}/approvals/a/resolve`, { allow: true, remember: true, feedback: '' }),
    );
    await is(ApprovalAnswer, await ask(sessionId, { approvalId: 'b' }));
    await is(SessionGrantsAnswer, await ian.get(`${BASE}/${sessionId}/grants`));
    await is(GrantAnswer, await ian.delete(`${BASE}/${sessionId}/grants/${grant.grantId}`));
    await is(ApprovalAnswer, await ask(sessionId, { approvalId: 'c' }));
    await is(ResolvedAnswer, await ian.post(`${BASE}/${sessionId}/approvals/resolve`, { allow: true, modifiedInput: { command: 'rm x' } }));
    await is(CancelAnswer, await ian.post(`${BASE}/${sessionId}/cancel`, { reason: 'enough' }));
    await is(SessionAnswer, await ian.get(`${BASE}/${sessionId}`));

    const document = completeDocument(SwaggerModule.createDocument(server.app, new DocumentBuilder().build()));
    expect(undescribedProblems(document)).toEqual([]);
  });
});
