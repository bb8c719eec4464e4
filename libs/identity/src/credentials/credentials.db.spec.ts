import { derivedId } from '#libs/kernel';
import { Client } from '../../../../test/support/client.js';
import { eventually } from '../../../../test/support/eventually.js';
import { parseBearer } from '../authentication/bearer.js';
import { startIdentity, type IdentityServer } from '../testing/identity-server.js';

describe('An operator', () => {
  let server: IdentityServer;
  beforeAll(async () => (server = await startIdentity()));
  afterAll(() => server.close());
  const issue = (body: object, key?: string) => server.as('otto').post('/api/credentials', body, key ? { key } : {});
  const agent = async (over = {}) => ({
    kind: 'agent',
    name: 'Robin',
    roles: ['implementer'],
    accountableHuman: (await server.principal('ian')).id,
    ...over,
  });

  it('issues a credential, whose secret is shown this once', async () => {
    const { status, body } = await issue(await agent({ capabilities: ['code'] }));
    expect(status).toBe(201);
    expect(body).toMatchObject({ revision: '0', name: 'Robin', principalKind: 'agent', roles: ['implementer'], capabilities: ['code'] });
    expect(body).not.toHaveProperty('secretSha256');
    const bearer = body.credential as string;
    expect(parseBearer(bearer)!.credentialId).toBe(body.id);
    const { body: me } = await new Client(server.url, bearer).get('/api/me');
    expect(me).toMatchObject({ id: body.principalId, credentialId: body.id, capabilities: ['code'], roles: ['implementer'] });
    expect(JSON.stringify((await server.store.readStream(`credential-${body.id}`)).events[0]!.data)).not.toContain(bearer.slice(-43));
  });
  it('issues it once for one key, and learns the secret of a repeat no more', async () => {
    const [first, again] = [await issue(await agent({ name: 'Once' }), 'once'), await issue(await agent({ name: 'Once' }), 'once')];
    expect(again.status).toBe(201);
    expect(again.body).toEqual({ ...first.body, credential: null });
    expect((await new Client(server.url, first.body.credential as string).get('/api/me')).status).toBe(200);
    expect(await issue(await agent({ name: 'Other' }), 'once')).toMatchObject({ status: 422, body: { code: 'idempotency/other-body' } });
  });
  it('issues it for 90 days, or as many as asked', async () => {
    const days = async (over: object) => {
      const { body } = await issue(await agent(over));
      return (Date.parse(body.expiresAt as string) - Date.parse(body.at as string)) / 86_400_000;
    };
    expect(await days({})).toBe(90);
    expect(await days({ expiresInDays: 7 })).toBe(7);
  });
  it.each([
    [{ roles: ['implementer', 'verifier'] }, 422, 'credential/mixed-sides', '/roles'],
    [{ roles: ['eve', 'verifier'] }, 422, 'credential/mixed-sides', '/roles'],
    [{ roles: ['approver'] }, 422, 'credential/kind', '/kind'],
    [{ accountableHuman: undefined }, 422, 'credential/accountable-human', '/accountableHuman'],
    [{ accountableHuman: derivedId('nobody') }, 422, 'credential/accountable-human', '/accountableHuman'],
    [{ capabilities: ['verification-worker'] }, 422, 'credential/capability', '/capabilities'],
    [{ workspaceIds: [derivedId('elsewhere')] }, 404, 'workspace/not-found', '/workspaceIds/0'],
    [{ principalId: derivedId('nobody'), kind: undefined, name: undefined }, 404, 'principal/not-found', '/principalId'],
    [{ spawnedBy: derivedId('nobody') }, 404, 'credential/not-found', '/spawnedBy'],
    [{ name: undefined }, 422, 'credential/principal', '/name'],
  ])('does not issue %j', async (over, status, code, pointer) =>
    expect(await issue(await agent(over))).toMatchObject({ status, body: { code, errors: [{ pointer }] } }),
  );
  it.each([
    [{ roles: [] }, '/roles'],
    [{ roles: ['admin'] }, '/roles/0'],
    [{ roles: ['implementer', 'implementer'] }, '/roles'],
    [{ capabilities: ['root'] }, '/capabilities/0'],
    [{ workspaceIds: [] }, '/workspaceIds'],
    [{ workspaceIds: ['x'] }, '/workspaceIds/0'],
    [{ kind: 'robot' }, '/kind'],
    [{ name: '' }, '/name'],
    [{ expiresInDays: 367 }, '/expiresInDays'],
    [{ lineage: { sessions: [] } }, '/lineage'],
    [{ tenantId: derivedId('tenant') }, '/tenantId'],
  ])('is told that %j is not a credential', async (over, pointer) =>
    expect(await issue(await agent(over))).toMatchObject({ status: 422, body: { code: 'request/invalid', errors: [{ pointer }] } }),
  );

  it('issues further credentials of a principal, and one that continues the sessions of another', async () => {
    const { body: parent } = await issue(await agent({ name: 'Parent' }));
    const { body: second } = await issue({
      principalId: parent.principalId,
      roles: ['verifier'],
      accountableHuman: (await server.principal('ian')).id,
    });
    expect(second).toMatchObject({ principalId: parent.principalId, name: 'Parent', principalKind: 'agent' });
    const { body: child } = await issue(await agent({ name: 'Child', spawnedBy: parent.id }));
    const lineage = async (id: string) => (await server.directory.principalOf(id)).principal.lineage.sessions;
    const [own, inherited] = [await lineage(parent.id as string), await lineage(child.id as string)];
    expect(own).toHaveLength(1);
    expect(inherited).toEqual([...own, inherited[1]]);
  });

  it('sees the credentials of the workspace, page by page, and nothing of their secrets', async () => {
    const { body } = await issue(await agent({ name: 'Listed' }));
    const items: Record<string, unknown>[] = [];
    let next = '';
    do {
      const { body: page } = await server.as('otto').get(`/api/credentials?limit=5&waitFor=${body.position}${next && `&cursor=${next}`}`);
      items.push(...(page.items as Record<string, unknown>[]));
      next = (page.next as string | null) ?? '';
    } while (next);
    expect(items.length).toBeGreaterThan(9);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(items.at(-1)).toMatchObject({ id: body.id, name: 'Listed', kind: 'agent', status: 'issued', revokedAt: null });
    expect(JSON.stringify(items)).not.toMatch(/wbk_|sha256/i);
    expect((await server.as('otto').get('/api/credentials?cursor=eyJ4IjoxfQ')).status).toBe(422);
  });
  it('revokes a credential once, saying why', async () => {
    const { body } = await issue(await agent({ name: 'Lost' }));
    const remove = () => server.as('otto').delete(`/api/credentials/${body.id}?reason=lost`);
    const answer = await remove();
    expect(answer).toMatchObject({ status: 200, body: { id: body.id, status: 'revoked', revision: '1' } });
    const otto = await server.principal('otto');
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'credential/revoked', by: otto.id, reason: 'lost' } });
    const { body: page } = await server.as('otto').get(`/api/credentials?limit=200&waitFor=${answer.body.position}`);
    expect((page.items as Record<string, unknown>[]).find(({ id }) => id === body.id)).toMatchObject({
      status: 'revoked',
      revokedBy: otto.id,
      revokedReason: 'lost',
    });
  });
  it.each([derivedId('nobody'), 'x'])('does not revoke %s, which is not there', async (id) =>
    expect((await server.as('otto').delete(`/api/credentials/${id}`)).status).toBe(404),
  );

  it.each(['mia', 'ann', 'eve', 'ida', 'vera'])('is not %s, who may do none of it', async (name) => {
    const client = server.as(name);
    for (const answer of [await client.post('/api/credentials', {}), await client.get('/api/credentials')])
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth/role' } });
    expect((await client.delete(`/api/credentials/${(await server.principal('ben')).credentialId}`)).status).toBe(403);
    expect((await client.post('/api/tenants', {})).status).toBe(403);
    expect((await client.post('/api/workspaces', {})).status).toBe(403);
  });

  it('finds principals by name for display, within the tenant', async () => {
    const [mia, ida] = [await server.principal('mia'), await server.principal('ida')];
    await eventually(async () => (await server.directory.namesOf(mia.tenantId, [mia.id, ida.id, derivedId('nobody')])).size === 2);
    expect((await server.directory.namesOf(mia.tenantId, [mia.id, mia.id])).get(mia.id)).toBe('Mia Member');
    expect((await server.directory.namesOf(derivedId('other-tenant'), [mia.id])).size).toBe(0);
    expect((await server.directory.namesOf(mia.tenantId, [])).size).toBe(0);
  });
});
