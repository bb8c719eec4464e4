import { Client } from '../../../../test/support/client.js';
import { eventually } from '../../../../test/support/eventually.js';
import { PermissionSettings } from '../permission-settings.js';
import { startPair, type Pair } from '../testing/conversation.js';
import { startPermissions, type PermissionServer } from '../testing/permission-server.js';

describe('A request', () => {
  let { server, other, to, close } = {} as Pair;
  beforeAll(async () => {
    ({ server, other, to, close } = await startPair());
  });
  afterAll(() => close());

  describe('an approval', () => {
    it('lets the same call through, once, on any server', async () => {
      const requestId = await to.queued('node a.js');
      expect((await to.redeem(requestId, 'node a.js')).body).toMatchObject({ allow: false, code: 'permission/pending' });
      expect(await to.decide(requestId, 'approve')).toMatchObject({
        status: 200,
        body: { success: true, requestId, decision: 'approve', tier: 'dangerous', remembered: false },
      });
      const over = { requestId };
      expect((await other.ask('node a.js ', over)).body).toMatchObject({ allow: false, code: 'permission/other-input' });
      expect((await other.ask('node a.js', { ...over, cwd: '/' })).body).toMatchObject({ allow: false, code: 'permission/other-input' });
      expect((await other.ask('node a.js', over)).body).toMatchObject({
        allow: true,
        requestId,
        via: 'human',
        tier: 'dangerous',
        policies: ['tool.approved-runs'],
      });
      expect((await to.redeem(requestId, 'node a.js')).body).toMatchObject({ allow: false, code: 'permission/consumed' });
      expect(await to.typesOf(requestId)).toEqual(['PermissionRequested', 'PermissionApproved', 'PermissionConsumed']);
    });
    it('redeemed 20 times at once lets one run', async () => {
      const requestId = await to.queued('node race.js');
      await to.decide(requestId, 'approve');
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? other : server).ask('node race.js', { requestId })),
      );
      expect(all.filter(({ body }) => body.allow === true)).toHaveLength(1);
      expect((await to.typesOf(requestId)).filter((type) => type === 'PermissionConsumed')).toHaveLength(1);
    });
    it('reaches an agent that waits, which runs what the answer says', async () => {
      const requestId = await to.queued('node waits.js');
      const waiting = server.as('eve').at(other.url).get(`/api/permissions/${requestId}?waitMs=20000`);
      await to.decide(requestId, 'approve', { feedback: 'Just this once.' });
      expect(await waiting).toMatchObject({
        status: 200,
        body: { id: requestId, allow: true, status: 'approved', toolInput: { command: 'node waits.js' }, feedback: 'Just this once.' },
      });
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=1000`)).body).toMatchObject({
        allow: false,
        code: 'permission/consumed',
      });
    });
    it('is not used up by looking', async () => {
      const requestId = await to.queued('node look.js');
      await to.decide(requestId, 'approve');
      expect((await server.as('eve').get(`/api/permissions/${requestId}`)).body).toMatchObject({ status: 'approved' });
      await server.as('mia').get(`/api/permissions/${requestId}?waitMs=1`);
      await server.as('eve').call('HEAD', `/api/permissions/${requestId}?waitMs=1`);
      expect((await to.redeem(requestId, 'node look.js')).body.allow).toBe(true);
    });
    it('waits no longer than asked', async () => {
      const requestId = await to.queued('node slow.js');
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=50`)).body).toMatchObject({
        allow: false,
        status: 'pending',
      });
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=55001`)).status).toBe(422);
    });
    it('of another input lets that one run, in place of what was asked', async () => {
      const requestId = await to.queued('node a.js --all');
      await to.decide(requestId, 'approve', { modifiedInput: 'node a.js --one' });
      expect((await to.redeem(requestId, 'node a.js --one')).body).toMatchObject({ allow: false, code: 'permission/other-input' });
      expect((await to.redeem(requestId, 'node a.js --all')).body).toMatchObject({
        allow: true,
        toolInput: { command: 'node a.js --one' },
      });
    });
    it('is for what its owner was shown, which stands beside it', async () => {
      const requestId = await to.queued('node shown.js');
      const { presentedDigest } = await to.listed('mia', requestId);
      expect(await to.decide(requestId, 'approve', { presentedDigest: 'b'.repeat(64) })).toMatchObject({
        status: 409,
        body: { code: 'permission/changed', presentedDigest },
      });
      expect((await to.redeem(requestId, 'node shown.js')).body.allow).toBe(false);
      expect((await to.decide(requestId, 'approve', { presentedDigest })).body).toMatchObject({ success: true });
      expect((await server.events(requestId))[1]!.data).toMatchObject({ presentedDigest });
    });
    it('of an input that is judged worse asks again, and of one that may not run is refused', async () => {
      const requestId = await to.queued('node b.js');
      expect((await to.decide(requestId, 'approve', { modifiedInput: 'pay 100' })).body).toMatchObject({
        success: false,
        reason: 'pay has the effect spend.',
      });
      expect(await to.listed('mia', requestId)).toMatchObject({ status: 'pending' });
      await eventually(async () => ((await to.listed('mia', requestId)) as any).ladder === 3);
      expect((await to.redeem(requestId, 'node b.js')).body).toMatchObject({ allow: false, code: 'permission/pending' });
      expect(await to.decide(requestId, 'approve', { modifiedInput: 'rm -rf /' })).toMatchObject({
        status: 409,
        body: { code: 'permission/blocked' },
      });
      expect(await to.decide(requestId, 'approve')).toMatchObject({ status: 409, body: { code: 'permission/changed' } });
      const { presentedDigest } = await to.listed('mia', requestId);
      expect((await to.decide(requestId, 'approve', { presentedDigest })).body).toMatchObject({ success: true });
      expect((await to.redeem(requestId, 'node b.js')).body).toMatchObject({ allow: true, toolInput: { command: 'pay 100' } });
    });
  });
  describe('a rejection', () => {
    it('reaches the agent with the owner’s words, whatever is in them', async () => {
      const feedback = 'use dist/ — not src/ 😀 "quoted"\n';
      const requestId = await to.queued('node c.js');
      expect((await to.decide(requestId, 'reject', { feedback })).body).toMatchObject({
        success: true,
        decision: 'reject',
        tier: 'dangerous',
      });
      expect((await to.redeem(requestId, 'node c.js')).body).toMatchObject({ allow: false, code: 'permission/rejected', feedback });
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=1`)).body).toMatchObject({
        allow: false,
        status: 'rejected',
        feedback,
      });
    });
    it('is final: the next decision is a 404 that says who, when and what', async () => {
      const requestId = await to.queued('node d.js');
      await to.decide(requestId, 'reject');
      expect(await to.decide(requestId, 'approve')).toMatchObject({
        status: 404,
        body: { code: 'permission/decided', decision: 'reject', by: { id: await server.idOf('mia') } },
      });
      expect((await to.redeem(requestId, 'node d.js')).body.allow).toBe(false);
    });
    it('is decided once, of many decisions at the same moment', async () => {
      const requestId = await to.queued('node e.js');
      const all = await Promise.all(Array.from({ length: 10 }, (_, index) => to.decide(requestId, index % 2 ? 'approve' : 'reject')));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await to.typesOf(requestId)).slice(1)).toHaveLength(1);
    });
  });
  it.each([
    [{ decision: 'approve' }, 400, 'Missing requestId or decision.'],
    [{ requestId: 'hook_1_a' }, 400, 'Missing requestId or decision.'],
    [{ requestId: 'hook_1_a', decision: 'maybe' }, 400, 'Invalid decision value. Must be one of: approve, reject, approve_always.'],
    [{ requestId: 7, decision: 'approve' }, 400, 'Invalid decision value. Must be one of: approve, reject, approve_always.'],
    [{ requestId: 'hook_1711929600000_a1b2c3d4e', decision: 'approve' }, 404, expect.stringContaining('Check the')],
    [{ requestId: 'nonsense', decision: 'approve' }, 404, expect.stringContaining('Check the')],
    [{ requestId: 'hook_1711929600000_a1b2c3d4e', decision: 'approve', userId: 'x' }, 422, expect.any(String)],
    [{ requestId: 'hook_1711929600000_a1b2c3d4e', decision: 'approve', feedback: 'x'.repeat(65_536) }, 422, expect.any(String)],
  ])('a decision %j is %i', async (body, status, detail) =>
    expect(await server.as('mia').post('/api/permissions', body)).toMatchObject({ status, body: { status, detail } }),
  );
  describe('another user', () => {
    it('neither sees, decides, redeems nor awaits a request, and changes nothing', async () => {
      const requestId = await to.queued('node mine.js');
      await to.listed('mia', requestId);
      const before = await to.typesOf(requestId);
      for (const who of ['ian', 'ann', 'otto']) {
        expect(await to.decide(requestId, 'approve', {}, who)).toMatchObject({ status: 404, body: { code: 'permission/not-found' } });
        expect(await server.as(who).get(`/api/permissions/${requestId}`)).toMatchObject({ status: 404 });
        expect(await server.as(who).post('/api/grants/preview', { requestId })).toMatchObject({ status: 404 });
        expect((await to.pending(who)).filter(({ id }) => id === requestId)).toEqual([]);
      }
      expect(await to.pending('ian', '?agentId=agent_123')).toEqual([]);
      expect(await to.redeem(requestId, 'node mine.js', {}, 'ida')).toMatchObject({ status: 404, body: { allow: false } });
      expect(await server.as('ida').get(`/api/permissions/${requestId}?waitMs=1`)).toMatchObject({ status: 404 });
      for (const who of ['eve', 'ida']) expect((await to.decide(requestId, 'approve', {}, who)).status).toBe(403);
      expect(await to.typesOf(requestId)).toEqual(before);
    });
    it('is listed by agent only what is theirs', async () => {
      const requestId = await to.queued('node other.js', { agentId: 'agent_9' });
      await to.listed('mia', requestId);
      expect((await to.pending('mia', '?agentId=agent_9')).map(({ id }) => id)).toEqual([requestId]);
    });
  });
  it('is taken back by the agent that asked, and by nobody else', async () => {
    const requestId = await to.queued('node back.js');
    const take = (who: string) => server.as(who).delete(`/api/permissions/${requestId}?reason=Ended`);
    expect(await take('ida')).toMatchObject({ status: 404 });
    expect(await take('mia')).toMatchObject({ status: 403 });
    expect(await take('eve')).toMatchObject({ status: 200, body: { requestId, status: 'cancelled' } });
    expect(await to.decide(requestId, 'approve')).toMatchObject({ status: 404, body: { code: 'permission/cancelled' } });
    expect(await take('eve')).toMatchObject({ status: 409, body: { code: 'permission/closed' } });
    expect((await to.redeem(requestId, 'node back.js')).body).toMatchObject({ allow: false, code: 'permission/cancelled' });
  });

  it('belongs to the workspace in which the agent asked, wherever its owner decides', async () => {
    const otto = server.as('otto');
    const { id: there } = (await otto.post('/api/workspaces', { name: 'There' })).body;
    const me = (await server.as('mia').get('/api/me')).body;
    const here = me.workspaces[0].id as string;
    const issue = async (wish: object) => new Client(server.url, (await otto.post('/api/credentials', wish)).body.credential);
    const mine = await issue({ principalId: me.id, roles: ['member'], workspaceIds: [here, there] });
    const robot = { kind: 'agent', name: 'There', roles: ['implementer'], capabilities: ['code'], accountableHuman: me.id };
    const agent = await issue({ ...robot, workspaceIds: [there] });
    const ask = async (command: string) =>
      (await agent.post('/api/hooks/classify', { toolName: 'bash', toolInput: { command }, agentId: 'a' })).body;

    const asked = await ask('git push origin main');
    expect((await to.pending('mia')).map(({ id }) => id)).not.toContain(asked.requestId);
    expect((await to.decide(asked.requestId, 'approve')).status).toBe(404);
    const decided = await mine.post('/api/permissions', { requestId: asked.requestId, decision: 'approve_always' });
    expect(decided.body).toMatchObject({ success: true, remembered: true });
    expect(await ask('git push origin dev')).toMatchObject({ allow: true, via: 'grant', grants: decided.body.grants });

    const enable = (workspace: string) =>
      mine.with({ 'workbench-workspace': workspace }).call('PUT', '/api/permissions/enablements/destroy.fs', '{}');
    expect((await enable(here)).status).toBe(200);
    expect((await ask('rm -rf build')).requestId).toBeUndefined();
    expect((await enable(there)).status).toBe(200);
    const destructive = await ask('rm -rf build');
    expect(
      (await mine.post('/api/permissions', { requestId: destructive.requestId, decision: 'approve', modifiedInput: 'rm -rf dist' })).body,
    ).toMatchObject({ success: true });
    const body = { toolName: 'bash', toolInput: { command: 'rm -rf build' }, agentId: 'a', requestId: destructive.requestId };
    expect((await agent.post('/api/hooks/classify', body)).body).toMatchObject({ allow: true, toolInput: { command: 'rm -rf dist' } });
    await mine.delete('/api/permissions/enablements/destroy.fs');
  });
});

describe('Time', () => {
  let server: PermissionServer;
  beforeAll(async () => {
    server = await startPermissions({ settings: new PermissionSettings({ requestMs: 400 }) });
  });
  afterAll(() => server.close());

  it('to decide ends by itself, told apart from a rejection, and no approval is banked', async () => {
    const { requestId } = (await server.ask('node late.js')).body;
    const waiting = server.as('eve').get(`/api/permissions/${requestId}?waitMs=20000`);
    expect((await waiting).body).toMatchObject({ allow: false, status: 'expired', code: 'permission/expired' });
    expect(await server.as('mia').post('/api/permissions', { requestId, decision: 'approve' })).toMatchObject({
      status: 404,
      body: { code: 'permission/expired' },
    });
    expect((await server.ask('node late.js', { requestId })).body).toMatchObject({ allow: false, code: 'permission/expired' });
    expect((await server.ask('node late.js')).body).toMatchObject({ allow: false, requestId: expect.not.stringMatching(requestId) });
    expect((await server.events(requestId)).map(({ type }) => type)).toEqual(['PermissionRequested', 'PermissionExpired']);
  });
  it('to run what was approved ends as well', async () => {
    const { requestId } = (await server.ask('node unrun.js')).body;
    await server.as('mia').post('/api/permissions', { requestId, decision: 'approve' });
    await eventually(async () => (await server.events(requestId)).at(-1)!.type === 'PermissionExpired');
    expect((await server.ask('node unrun.js', { requestId })).body).toMatchObject({ allow: false, code: 'permission/expired' });
  });
});
