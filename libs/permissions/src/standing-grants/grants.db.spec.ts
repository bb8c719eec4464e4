import { eventually } from '../../../../test/support/eventually.js';
import { startPair, type Pair } from '../testing/conversation.js';

describe('A standing approval', () => {
  let { server, other, to, close } = {} as Pair;
  beforeAll(async () => {
    ({ server, other, to, close } = await startPair());
  });
  afterAll(() => close());

  const agentId = 'agent_grants';
  it('covers exactly what its preview said, survives, and is over at the very next call once revoked, on another server', async () => {
    const rejectedBefore = await to.queued('git push --force', { agentId });
    await to.decide(rejectedBefore, 'reject');
    const requestId = await to.queued('git push origin main', { agentId });
    await to.listed('mia', requestId);
    await eventually(async () => (await to.pending('mia', `?agentId=${agentId}`)).length === 1);
    const preview = (await server.as('mia').post('/api/grants/preview', { requestId })).body;
    expect(preview).toMatchObject({ grantable: true, calls: 1, covered: 1, denied: 1, deniedCalls: [{ id: rejectedBefore }] });

    const decided = (await to.decide(requestId, 'approve_always')).body;
    expect(decided).toMatchObject({ success: true, decision: 'approve_always', remembered: true, grants: [expect.any(String)] });
    const [grantId] = decided.grants as [string];
    const grant = (await server.as('mia').get(`/api/grants/${grantId}`)).body;
    const { tool, prefix, tier, effects, constraints } = grant;
    expect([{ tool, prefix, tier, effects, constraints }]).toEqual(preview.scopes);

    const granted = (await other.ask('git push origin dev', { agentId })).body;
    expect(granted).toMatchObject({ allow: true, via: 'grant', grants: [grantId], policies: ['tool.granted-runs'], tier: 'dangerous' });
    expect(await to.typesOf(granted.requestId)).toEqual(['PermissionApproved', 'PermissionConsumed']);
    expect((await other.ask('git push origin dev', { agentId, requestId: granted.requestId })).body.allow).toBe(false);
    // Not another agent, not more than its scope.
    expect((await server.ask('git push origin dev', { agentId: 'agent_x' })).body.allow).toBe(false);
    expect((await server.ask('git push origin dev', { agentId }, 'ida')).body.allow).toBe(false);
    expect((await server.ask('git push origin dev && node x.js', { agentId })).body.allow).toBe(false);
    expect((await server.ask('git push origin dev && rm -rf /', { agentId })).body).toMatchObject({ allow: false, tier: 'destructive' });
    expect((await server.ask('git push origin dev && ls', { agentId })).body.allow).toBe(true);

    expect(await server.as('ian').delete(`/api/grants/${grantId}`)).toMatchObject({ status: 404 });
    expect(await server.as('ian').get(`/api/grants/${grantId}`)).toMatchObject({ status: 404 });
    expect((await server.as('ian').get('/api/grants')).body.items).toEqual([]);
    expect(await server.as('mia').delete(`/api/grants/${grantId}?reason=Enough`)).toMatchObject({
      status: 200,
      body: { status: 'revoked' },
    });
    expect((await other.ask('git push origin dev', { agentId })).body.allow).toBe(false);
    expect((await server.as('mia').get(`/api/grants/${grantId}`)).body).toMatchObject({ status: 'revoked', uses: 2 });
  });
  it('is not made where nothing was offered: it is approved once, and says so', async () => {
    const requestId = await to.queued('node f.js', { agentId });
    expect((await to.decide(requestId, 'approve_always')).body).toMatchObject({ success: true, remembered: false, grants: [] });
    expect((await to.redeem(requestId, 'node f.js', { agentId })).body.allow).toBe(true);
    expect((await server.ask('node f.js', { agentId })).body.allow).toBe(false);
  });
  it('is made for each of two decisions at the same moment', async () => {
    const [push, fetch] = [
      await to.queued('git push a', { agentId: 'agent_two' }),
      await to.queued('git fetch a', { agentId: 'agent_two' }),
    ];
    await Promise.all([to.decide(push, 'approve_always'), to.decide(fetch, 'approve_always')]);
    const answers = await Promise.all([
      server.ask('git push b', { agentId: 'agent_two' }),
      other.ask('git fetch b', { agentId: 'agent_two' }),
    ]);
    expect(answers.map(({ body }) => body.via)).toEqual(['grant', 'grant']);
    const both = (await server.ask('git push b && git fetch b', { agentId: 'agent_two' })).body;
    expect(both).toMatchObject({ allow: true, grants: [expect.any(String), expect.any(String)] });
    expect((await server.as('mia').get('/api/grants?status=active')).body.items).toHaveLength(2);
  });
  it('is used once by one command, however often that is sent', async () => {
    const body = { toolName: 'bash', toolInput: { command: 'git push again' }, agentId: 'agent_two' };
    const [first, second] = [
      await server.as('eve').post('/api/hooks/classify', body, { key: 'g1' }),
      await server.as('eve').post('/api/hooks/classify', body, { key: 'g1' }),
    ];
    expect(second.body).toEqual(first.body);
    expect(first.body.allow).toBe(true);
    const [grantId] = first.body.grants as [string];
    const { uses } = (await server.as('mia').get(`/api/grants/${grantId}`)).body;
    expect(uses).toBe(3);
  });
  it('is an operator’s to revoke as well', async () => {
    const [{ id }] = (await server.as('mia').get('/api/grants?status=active')).body.items;
    expect(await server.as('ann').delete(`/api/grants/${id}`)).toMatchObject({ status: 404 });
    expect(await server.as('otto').delete(`/api/grants/${id}`)).toMatchObject({ status: 200 });
  });
});
