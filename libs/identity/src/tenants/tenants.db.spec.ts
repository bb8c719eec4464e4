import { derivedId } from '#libs/kernel';
import { Client } from '../../../../test/support/client.js';
import { eventually } from '../../../../test/support/eventually.js';
import { startIdentity, type IdentityServer } from '../testing/identity-server.js';
import { ROOT_TENANT_ID } from './tenant.js';

type Named = { id: string; name: string };

describe('Tenants and workspaces', () => {
  let server: IdentityServer;
  let olga: Client;
  let acme: { id: string; workspace: Named; operator: { credentialId: string } };
  beforeAll(async () => {
    server = await startIdentity();
    const { body } = await server.as('otto').post('/api/tenants', { name: 'Acme', operator: 'Olga', workspace: 'Yard' }, { key: 'acme' });
    acme = body as typeof acme;
    olga = new Client(server.url, body.operator.credential as string);
  });
  afterAll(() => server.close());
  const issue = async (by: Client, body: object) => {
    const answer = await by.post('/api/credentials', body);
    expect(answer.status).toBe(201);
    return new Client(server.url, answer.body.credential as string);
  };

  it('start with one workspace and one operator', async () => {
    expect((await olga.get('/api/me')).body).toMatchObject({
      name: 'Olga',
      roles: ['operator'],
      tenant: { id: acme.id, name: 'Acme' },
      workspaces: [{ id: acme.workspace.id, name: 'Yard' }],
    });
    expect((await server.as('mia').get('/api/me')).body).toMatchObject({ tenant: { id: ROOT_TENANT_ID, name: 'Demo' } });
  });
  it('are founded once for one key', async () => {
    const { status, body } = await server
      .as('otto')
      .post('/api/tenants', { name: 'Acme', operator: 'Olga', workspace: 'Yard' }, { key: 'acme' });
    expect(status).toBe(201);
    expect(body).toEqual({ ...acme, operator: { ...acme.operator, credential: null } });
  });
  it('are founded from the root tenant alone', async () =>
    expect(await olga.post('/api/tenants', { name: 'Sub', operator: 'Oz' })).toMatchObject({
      status: 403,
      body: { code: 'tenant/not-root' },
    }));
  it('are seen by the tenant itself and by the one that founded them', async () => {
    const names = async (client: Client) => (((await client.get('/api/tenants')).body.items as Named[]) ?? []).map(({ name }) => name);
    await eventually(async () => (await names(server.as('otto'))).length === 2);
    expect(await names(server.as('otto'))).toEqual(['Demo', 'Acme']);
    expect(await names(olga)).toEqual(['Acme']);
    const { body } = await server.as('otto').get('/api/tenants?limit=1');
    expect((await server.as('otto').get(`/api/tenants?limit=1&cursor=${body.next}`)).body).toMatchObject({
      items: [{ id: acme.id }],
      next: null,
    });
  });
  it('are never deleted', async () => {
    expect(await server.as('otto').delete(`/api/tenants/${acme.id}`)).toMatchObject({ status: 409, body: { code: 'tenant/permanent' } });
    expect(await olga.delete(`/api/tenants/${acme.id}`)).toMatchObject({ status: 409, body: { code: 'tenant/permanent' } });
  });

  it('are opened and used by the operator who opened them', async () => {
    const { status, body } = await olga.post('/api/workspaces', { name: 'Lab' });
    expect(status).toBe(201);
    const lab = body.id as string;
    expect(await olga.get('/api/me', { headers: { 'workbench-workspace': lab } })).toMatchObject({ status: 404 });
    const { id } = (await olga.get('/api/me')).body;
    const wide = await issue(olga, { principalId: id, roles: ['operator'], workspaceIds: [lab, acme.workspace.id] });
    expect((await wide.get('/api/me', { headers: { 'workbench-workspace': lab } })).body.workspaces).toEqual([
      { id: lab, name: 'Lab' },
      acme.workspace,
    ]);
    const { body: listed } = await wide.get(`/api/workspaces?waitFor=${body.position}`);
    expect((listed.items as Named[]).map(({ name }) => name)).toEqual(['Yard', 'Lab']);
  });
  it('are out of reach, and out of every list, for an operator of the same tenant who does not hold them', async () => {
    const { body: opened } = await olga.post('/api/workspaces', { name: 'Vault' });
    const oscar = await issue(olga, { kind: 'human', name: 'Oscar', roles: ['operator'] });
    expect(await oscar.delete(`/api/workspaces/${opened.id}`)).toMatchObject({ status: 404, body: { code: 'workspace/not-found' } });
    const { body } = await oscar.get(`/api/workspaces?waitFor=${opened.position}`);
    expect((body.items as Named[]).map(({ name }) => name)).toEqual(['Yard']);
    const wish = { kind: 'human', name: 'Spy', roles: ['member'], workspaceIds: [opened.id] };
    expect(await oscar.post('/api/credentials', wish)).toMatchObject({ status: 404, body: { code: 'workspace/not-found' } });
  });
  it('are archived once, after which nobody acts there', async () => {
    const { body: opened } = await olga.post('/api/workspaces', { name: 'Attic' });
    const ada = await issue(olga, { kind: 'human', name: 'Ada', roles: ['member'], workspaceIds: [opened.id] });
    expect((await ada.get('/api/me')).status).toBe(200);
    const archive = () => olga.delete(`/api/workspaces/${opened.id}?reason=empty`);
    expect(await archive()).toMatchObject({ status: 200, body: { status: 'archived' } });
    expect(await archive()).toMatchObject({ status: 409, body: { code: 'workspace/archived' } });
    await eventually(async () => (await ada.get('/api/me')).status === 403);
    expect(await ada.get('/api/me')).toMatchObject({ body: { code: 'credential/no-workspace' } });
    const wish = { kind: 'human', name: 'Late', roles: ['member'], workspaceIds: [opened.id] };
    expect(await olga.post('/api/credentials', wish)).toMatchObject({ status: 409, body: { code: 'workspace/archived' } });
  });

  it('keep from each other whatever they have', async () => {
    const mia = await server.principal('mia');
    const wish = { kind: 'agent', name: 'Mole', roles: ['implementer'] };
    const answers = [
      await olga.delete(`/api/credentials/${mia.credentialId}`),
      await olga.delete(`/api/workspaces/${mia.workspaceIds[0]}`),
      await olga.delete(`/api/tenants/${ROOT_TENANT_ID}`),
      await olga.get('/api/me', { headers: { 'workbench-workspace': mia.workspaceIds[0]! } }),
      await olga.post('/api/credentials', { ...wish, workspaceIds: mia.workspaceIds }),
      await olga.post('/api/credentials', { principalId: mia.id, roles: ['member'] }),
      await server.as('otto').delete(`/api/credentials/${acme.operator.credentialId}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(await olga.post('/api/credentials', { ...wish, accountableHuman: mia.id })).toMatchObject({
      status: 422,
      body: { code: 'credential/accountable-human' },
    });
    const { body } = await olga.get('/api/credentials?limit=200');
    expect((body.items as Named[]).map(({ name }) => name)).not.toContain('Mia Member');
    expect((await server.as('mia').get('/api/me')).status).toBe(200);
  });
  it('refuse what is no id with the same 404', async () =>
    expect(await olga.delete(`/api/tenants/${derivedId('nothing')}`)).toMatchObject({ status: 404, body: { code: 'tenant/not-found' } }));
});
