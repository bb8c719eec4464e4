import type { Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { CommandAnswer, completeDocument, faultsOfDto, undescribedProblems } from '#libs/http';
import {
  ClassifiedCallAnswer,
  EnablementAnswer,
  EnablementsAnswer,
  GrantItem,
  GrantRevokedAnswer,
  LadderAnswer,
  PendingPermissionsAnswer,
  PermissionAnswer,
  PermissionDecidedAnswer,
  PolicyAnswer,
  PreviewAnswer,
  TicketAnswer,
} from './answers.js';
import { startPermissions, type PermissionServer } from './testing/permission-server.js';

describe('The documentation of permissions', () => {
  let server: PermissionServer;
  beforeAll(async () => {
    server = await startPermissions();
  });
  afterAll(() => server.close());

  it('describes every refusal', () =>
    expect(undescribedProblems(completeDocument(SwaggerModule.createDocument(server.app, new DocumentBuilder().build())))).toEqual([]));

  it('is what the routes answer', async () => {
    const is = async (type: Type<object>, { status, body }: Readonly<{ status: number; body: unknown }>) => {
      expect(status).toBeLessThan(300);
      const { id, revision, position, auditId, ...own } = body as Record<string, unknown>;
      const isCommand = type.prototype instanceof CommandAnswer;
      if (isCommand) expect([id, revision, position, auditId]).toEqual(Array(4).fill(expect.any(String)));
      expect([type.name, await faultsOfDto(type, isCommand ? own : body)]).toEqual([type.name, []]);
      return body as any;
    };
    const [mia, eve] = [server.as('mia'), server.as('eve')];
    await is(ClassifiedCallAnswer, await server.ask('ls'));
    await is(ClassifiedCallAnswer, await server.ask('rm -rf /'));
    await is(ClassifiedCallAnswer, await server.ask('boom'));
    const over = { sessionId: 's1', cwd: '/srv/site' };
    const { requestId } = await is(ClassifiedCallAnswer, await server.ask('ls && git push a', over));
    await is(PermissionAnswer, await mia.get(`/api/permissions/${requestId}`));
    await is(PermissionAnswer, await eve.get(`/api/permissions/${requestId}?waitMs=1`));
    const { position, grants } = await is(
      PermissionDecidedAnswer,
      await mia.post('/api/permissions', { requestId, decision: 'approve_always', feedback: 'Fine.', modifiedInput: 'git push b' }),
    );
    await is(ClassifiedCallAnswer, await server.ask('ls && git push a', { ...over, requestId }));
    await is(ClassifiedCallAnswer, await server.ask('git push c'));
    const asked = await is(ClassifiedCallAnswer, await server.ask('git fetch c'));
    expect((await is(PendingPermissionsAnswer, await mia.get(`/api/permissions?waitFor=${position}`))).pending.length).toBeLessThanOrEqual(
      2,
    );
    await is(PreviewAnswer, await mia.post('/api/grants/preview', { requestId: asked.requestId }));
    const { items } = (await mia.get('/api/grants')).body;
    for (const item of items) await is(GrantItem, { status: 200, body: item });
    await is(GrantItem, await mia.get(`/api/grants/${grants[0]}`));
    await is(GrantRevokedAnswer, await mia.delete(`/api/grants/${grants[0]}`));
    await is(EnablementAnswer, await mia.call('PUT', '/api/permissions/enablements/destroy.db', '{}'));
    await is(EnablementsAnswer, await mia.get('/api/permissions/enablements'));
    await is(EnablementAnswer, await mia.delete('/api/permissions/enablements/destroy.db'));
    await is(PolicyAnswer, await server.as('otto').get('/api/policy'));
    await is(LadderAnswer, await server.as('otto').get('/api/risk-ladder'));
    await is(TicketAnswer, await mia.post('/api/ws-tickets'));
  });
});
