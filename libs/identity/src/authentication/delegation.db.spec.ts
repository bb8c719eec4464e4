import { Controller, Get, Post } from '@nestjs/common';
import type { CommandMeta, Principal } from '#libs/kernel';
import { Client } from '../../../../test/support/client.js';
import { startIdentity, type IdentityServer } from '../testing/identity-server.js';
import { parseBearer } from './bearer.js';
import { Actor, Allow, Meta, OnBehalfOf } from './decorators.js';
import { Delegations } from './delegation.js';
import type { Delegation } from './request-identity.js';

@Controller('test')
class Probe {
  @Get('whose') whose(@OnBehalfOf() delegation?: Delegation) {
    return { delegation };
  }
  @Post('propose') @Allow('proposal.submit') propose(@Actor() actor: Principal, @Meta() meta: CommandMeta) {
    return { actor: actor.id, onBehalfOf: meta.onBehalfOf, workspaceId: meta.workspaceId };
  }
}

describe('A delegation', () => {
  let server: IdentityServer;
  beforeAll(async () => (server = await startIdentity({ controllers: [Probe] })));
  afterAll(() => server.close());

  const mint = async (client: Client, body = {}, headers = {}): Promise<string> =>
    (await client.post('/api/delegations', body, { headers })).body.delegation as string;
  const eve = (delegation: string, client = server.as('eve')) => client.with({ 'workbench-delegation': delegation });
  const refused = async (client: Client, code: string) =>
    expect(await client.get('/test/whose')).toMatchObject({ status: 403, body: { code } });

  it.each(['mia', 'ann', 'otto'])('of %s lets Eve act for that human', async (name) => {
    const human = await server.principal(name);
    const { status, body } = await server.as(name).post('/api/delegations');
    expect(status).toBe(201);
    expect(Object.keys(body as object).sort()).toEqual(['delegation', 'expiresAt']);
    const { id, ...delegation } = (await eve(body.delegation as string).get('/test/whose')).body.delegation;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(delegation).toEqual({ principalId: human.id, credentialId: human.credentialId, name: human.name, roles: human.roles });
    expect((await eve(body.delegation as string).post('/test/propose')).body).toEqual({
      actor: (await server.principal('eve')).id,
      onBehalfOf: human.id,
      workspaceId: human.workspaceIds[0],
    });
  });
  it('is not needed by Eve, who then acts for nobody', async () => expect((await server.as('eve').get('/test/whose')).body).toEqual({}));

  it('lasts 15 minutes, or as long as was asked, at most an hour', async () => {
    const seconds = async (body: object) => {
      const before = Date.parse(server.clock.now());
      const { expiresAt } = (await server.as('mia').post('/api/delegations', body)).body;
      return Math.round((Date.parse(expiresAt as string) - before) / 1000);
    };
    expect(await seconds({})).toBe(900);
    expect(await seconds({ expiresInSeconds: 60 })).toBe(60);
    expect(await seconds({ expiresInSeconds: 3600 })).toBe(3600);
    for (const expiresInSeconds of [0, 3601, 1.5, '900', null])
      expect(await server.as('mia').post('/api/delegations', { expiresInSeconds })).toMatchObject({
        status: 422,
        body: { code: 'request/invalid', errors: [{ pointer: '/expiresInSeconds' }] },
      });
  });
  it('names no human but the one whose credential asks', async () =>
    expect((await server.as('mia').post('/api/delegations', { principalId: (await server.principal('ann')).id })).status).toBe(422));
  it.each(['eve', 'ida', 'vera'])('is not minted by %s', async (name) =>
    expect(await server.as(name).post('/api/delegations')).toMatchObject({ status: 403, body: { code: 'auth/role' } }),
  );

  it.each(['mia', 'ann', 'ida', 'vera'])('is of no use to %s', async (name) =>
    refused(eve(await mint(server.as('mia')), server.as(name)), 'delegation/not-eve'),
  );
  it('is refused when it was made up or changed', async () => {
    const good = await mint(server.as('mia'));
    const [body, signature] = good.slice(4).split('.') as [string, string];
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const ann = await server.principal('ann');
    const forged = Buffer.from(JSON.stringify({ ...payload, principalId: ann.id, credentialId: ann.credentialId })).toString('base64url');
    for (const bad of ['x', 'wbd_', good.slice(4), `${good}A`, `wbd_${forged}.${signature}`, server.bearers['mia']!])
      await refused(eve(bad), 'delegation/invalid');
  });
  it('is refused after its time', async () => {
    const { delegation } = server.get(Delegations).mint(await server.principal('mia'), (await server.principal('mia')).workspaceIds[0]!, 0);
    await refused(eve(delegation), 'delegation/expired');
  });
  it('is refused once the credential that minted it is revoked', async () => {
    const bearer = await server.issue({ kind: 'human', name: 'Max', roles: ['member'] });
    const token = await mint(new Client(server.url, bearer));
    expect((await eve(token).get('/test/whose')).status).toBe(200);
    await server.as('otto').delete(`/api/credentials/${parseBearer(bearer)!.credentialId}`);
    await refused(eve(token), 'delegation/revoked');
  });
  it('is refused once the credential that minted it has expired', async () => {
    const bearer = await server.issue(
      { kind: 'human', name: 'Moe', roles: ['member'], expiresAt: '2020-01-02T00:00:00.000Z' },
      '2020-01-01T00:00:00.000Z',
    );
    const { principal } = await server.directory.principalOf(parseBearer(bearer)!.credentialId);
    await refused(eve(server.get(Delegations).mint(principal, principal.workspaceIds[0]!, 60).delegation), 'delegation/revoked');
  });
  it('is for one workspace, and reaches no other', async () => {
    const { body: opened } = await server.as('otto').post('/api/workspaces', { name: 'Second' });
    const first = (await server.principal('mia')).workspaceIds[0]!;
    const workspaceIds = [first, opened.id as string];
    const issued = async (body: object) =>
      new Client(server.url, (await server.as('otto').post('/api/credentials', body)).body.credential as string);
    const { id: mia } = await server.principal('mia');
    const { id: eveId } = await server.principal('eve');
    const wideMia = await issued({ principalId: mia, roles: ['member'], workspaceIds });
    const wideEve = await issued({ principalId: eveId, roles: ['eve'], workspaceIds, accountableHuman: mia });

    const second = await mint(wideMia, {}, { 'workbench-workspace': opened.id as string });
    expect((await eve(second, wideEve).post('/test/propose')).body.workspaceId).toBe(opened.id);
    await refused(eve(second, wideEve).with({ 'workbench-workspace': first }), 'delegation/foreign');
    await refused(eve(second), 'delegation/foreign');
  });
  it('of another tenant is refused', async () => {
    const { body } = await server.as('otto').post('/api/tenants', { name: 'Acme', operator: 'Olga' });
    await refused(eve(await mint(new Client(server.url, body.operator.credential as string))), 'delegation/foreign');
  });
});
