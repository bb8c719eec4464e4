import { query } from '../../../test/support/cluster.js';
import { eventually } from '../../../test/support/eventually.js';
import { PermissionSettings } from './permission-settings.js';
import { startPermissions, type PermissionServer } from './testing/permission-server.js';

const QUEUED = /^hook_\d{13}_[a-z0-9]{9}$/;

describe('Permissions', () => {
  let server: PermissionServer;
  let other: PermissionServer;
  beforeAll(async () => {
    server = await startPermissions();
    other = await startPermissions({ test: server.test });
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });
  const decide = (requestId: string, decision: string, over: object = {}, who = 'mia') =>
    server.as(who).post('/api/permissions', { requestId, decision, ...over });
  const queued = async (command: string, over: object = {}, who = 'eve'): Promise<string> => {
    const { body } = await server.ask(command, over, who);
    expect(body).toMatchObject({ allow: false, requestId: expect.stringMatching(QUEUED) });
    return body.requestId;
  };
  const redeem = (requestId: string, command: string, over: object = {}, who = 'eve') => server.ask(command, { requestId, ...over }, who);
  const pending = async (who: string, query = '') =>
    (await server.as(who).get(`/api/permissions${query}`)).body.pending as { id: string }[];
  const listed = (who: string, requestId: string) => eventually(async () => (await pending(who)).find(({ id }) => id === requestId));
  const typesOf = async (requestId: string) => (await server.events(requestId)).map(({ type }) => type);

  describe('a call', () => {
    it('that only reads runs at once, with the policy that says so, and leaves nothing', async () => {
      expect(await server.ask('ls -la')).toMatchObject({
        status: 200,
        body: { allow: true, tier: 'safe', ladder: 0, reason: 'ls has the effect read.', policies: ['tool.safe-runs'], via: 'policy' },
      });
    });
    it('that is dangerous is queued for the owner of the agent, with all that a person needs to see', async () => {
      const { status, body } = await server.ask('ls && git push origin main', { sessionId: 's1', cwd: '/srv/site' });
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          allow: false,
          tier: 'dangerous',
          reason: 'Queued for approval: git has the effect vcs.remote.',
          requestId: expect.stringMatching(QUEUED),
          ladder: 2,
          span: { start: 6, end: 26 },
          effects: ['read', 'vcs.remote'],
          segments: [
            expect.objectContaining({ text: 'ls' }),
            expect.objectContaining({ text: 'git push origin main', prefix: ['git', 'push'] }),
          ],
          grantable: true,
          proposedGrant: [{ tool: 'bash', prefix: ['git', 'push'], tier: 'dangerous', effects: ['vcs.remote'], constraints: {} }],
          expiresAt: expect.any(Number),
          policies: ['tool.needs-its-owner'],
          code: 'permission/pending',
        },
      });
      const entry = await listed('mia', body.requestId);
      expect(entry).toMatchObject({
        id: body.requestId,
        agentId: 'agent_123',
        userId: await server.idOf('mia'),
        toolName: 'bash',
        toolInput: { command: 'ls && git push origin main' },
        tier: 'dangerous',
        reason: 'git has the effect vcs.remote.',
        timestamp: expect.any(Number),
        status: 'pending',
        agent: { id: await server.idOf('eve'), name: 'Eve' },
        actions: ['approve', 'reject', 'approve_always'],
      });
      const [requested] = await server.events(body.requestId);
      const inForce = (await server.as('otto').get('/api/policy')).body;
      expect(requested!.meta).toMatchObject({
        actor: { id: await server.idOf('eve'), kind: 'agent' },
        policyVersion: inForce.commands.version,
        policies: ['agents.run-under-permission'],
      });
      expect(requested!.data).toMatchObject({
        proof: { policies: ['tool.needs-its-owner'], policyVersion: inForce.tools.version },
        owner: await server.idOf('mia'),
      });
    });
    it('that cannot be undone is blocked, and nobody is asked', async () => {
      const { status, body } = await server.ask('rm -rf /');
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          allow: false,
          tier: 'destructive',
          ladder: 4,
          reason: 'Blocked: rm has the effect destroy.fs.',
          policies: ['tool.destructive-only-when-enabled'],
        },
      });
      expect(body.requestId).toBeUndefined();
    });
    it('that cannot be shown whole is denied, and nobody is asked', async () => {
      const { body } = await server.ask(`git push ${'x'.repeat(200)}`);
      expect(body).toMatchObject({ allow: false, policies: ['tool.shown-whole-or-not-at-all'] });
      expect(body.requestId).toBeUndefined();
    });
    it.each([
      ['without a tool', { toolName: undefined }, 422],
      ['of a tool without a name', { toolName: '' }, 422],
      ['whose input is no object', { toolInput: 'ls' }, 422],
      ['with a member that is not known', { allow: true }, 422],
      ['of an agent that says it is another principal', { agentId: '0192f0c1-0000-7000-8000-00000000000a' }, 403],
    ])('%s is refused, and not allowed', async (_, over, status) => {
      const answer = await server.ask('ls', over);
      expect(answer).toMatchObject({ status, body: { allow: false, status } });
    });
    it.each([
      ['NUL', '{"toolName":"bash","toolInput":{"command":"ls \\u0000"},"agentId":"a"}', 422],
      ['half a surrogate pair', '{"toolName":"bash","toolInput":{"command":"ls \\ud800"},"agentId":"a"}', 422],
      ['half a body', '{"toolName":"bash"', 400],
    ])('with %s is refused, and not allowed', async (_, body, status) =>
      expect(await server.as('eve').call('POST', '/api/hooks/classify', body)).toMatchObject({ status, body: { allow: false } }),
    );
    it('is not judged for who may not ask: people decide, and never ask with the same credential', async () => {
      expect(await server.ask('ls', {}, 'mia')).toMatchObject({ status: 403, body: { allow: false, code: 'auth/role' } });
      expect(await server.as('eve').with({ authorization: 'Bearer x' }).post('/api/hooks/classify', {})).toMatchObject({
        status: 401,
        body: { allow: false },
      });
    });
    it('is denied where its judgement fails', async () => {
      expect(await server.ask('boom')).toMatchObject({
        status: 200,
        body: { allow: false, tier: 'dangerous', code: 'permission/undecidable', policies: [] },
      });
    });
    it('that is sent again under its key makes no second request', async () => {
      const body = { toolName: 'bash', toolInput: { command: 'make' }, agentId: 'agent_123' };
      const [first, second] = [
        await server.as('eve').post('/api/hooks/classify', body, { key: 'k1' }),
        await server.as('eve').at(other.url).post('/api/hooks/classify', body, { key: 'k1' }),
      ];
      expect(second.body).toEqual(first.body);
      expect(await server.as('eve').post('/api/hooks/classify', { ...body, toolName: 'sh' }, { key: 'k1' })).toMatchObject({
        status: 422,
        body: { allow: false, code: 'idempotency/other-body' },
      });
    });
  });

  describe('an approval', () => {
    it('lets the same call through, once, on any server', async () => {
      const requestId = await queued('node a.js');
      expect((await redeem(requestId, 'node a.js')).body).toMatchObject({ allow: false, code: 'permission/pending' });
      expect(await decide(requestId, 'approve')).toMatchObject({
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
      expect((await redeem(requestId, 'node a.js')).body).toMatchObject({ allow: false, code: 'permission/consumed' });
      expect(await typesOf(requestId)).toEqual(['PermissionRequested', 'PermissionApproved', 'PermissionConsumed']);
    });
    it('redeemed 20 times at once lets one run', async () => {
      const requestId = await queued('node race.js');
      await decide(requestId, 'approve');
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? other : server).ask('node race.js', { requestId })),
      );
      expect(all.filter(({ body }) => body.allow === true)).toHaveLength(1);
      expect((await typesOf(requestId)).filter((type) => type === 'PermissionConsumed')).toHaveLength(1);
    });
    it('reaches an agent that waits, which runs what the answer says', async () => {
      const requestId = await queued('node waits.js');
      const waiting = server.as('eve').at(other.url).get(`/api/permissions/${requestId}?waitMs=20000`);
      await decide(requestId, 'approve', { feedback: 'Just this once.' });
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
      const requestId = await queued('node look.js');
      await decide(requestId, 'approve');
      expect((await server.as('eve').get(`/api/permissions/${requestId}`)).body).toMatchObject({ status: 'approved' });
      await server.as('mia').get(`/api/permissions/${requestId}?waitMs=1`);
      await server.as('eve').call('HEAD', `/api/permissions/${requestId}?waitMs=1`);
      expect((await redeem(requestId, 'node look.js')).body.allow).toBe(true);
    });
    it('waits no longer than asked', async () => {
      const requestId = await queued('node slow.js');
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=50`)).body).toMatchObject({
        allow: false,
        status: 'pending',
      });
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=55001`)).status).toBe(422);
    });
    it('of another input lets that one run, in place of what was asked', async () => {
      const requestId = await queued('node a.js --all');
      await decide(requestId, 'approve', { modifiedInput: 'node a.js --one' });
      expect((await redeem(requestId, 'node a.js --one')).body).toMatchObject({ allow: false, code: 'permission/other-input' });
      expect((await redeem(requestId, 'node a.js --all')).body).toMatchObject({ allow: true, toolInput: { command: 'node a.js --one' } });
    });
    it('of an input that is judged worse asks again, and of one that may not run is refused', async () => {
      const requestId = await queued('node b.js');
      expect((await decide(requestId, 'approve', { modifiedInput: 'pay 100' })).body).toMatchObject({
        success: false,
        reason: 'pay has the effect spend.',
      });
      expect(await listed('mia', requestId)).toMatchObject({ status: 'pending' });
      await eventually(async () => ((await listed('mia', requestId)) as any).ladder === 3);
      expect((await redeem(requestId, 'node b.js')).body).toMatchObject({ allow: false, code: 'permission/pending' });
      expect(await decide(requestId, 'approve', { modifiedInput: 'rm -rf /' })).toMatchObject({
        status: 409,
        body: { code: 'permission/blocked' },
      });
      expect((await decide(requestId, 'approve')).body).toMatchObject({ success: true });
      expect((await redeem(requestId, 'node b.js')).body).toMatchObject({ allow: true, toolInput: { command: 'pay 100' } });
    });
  });

  describe('a rejection', () => {
    it('reaches the agent with the owner’s words, whatever is in them', async () => {
      const feedback = 'use dist/ — not src/ 😀 "quoted"\n';
      const requestId = await queued('node c.js');
      expect((await decide(requestId, 'reject', { feedback })).body).toMatchObject({
        success: true,
        decision: 'reject',
        tier: 'dangerous',
      });
      expect((await redeem(requestId, 'node c.js')).body).toMatchObject({ allow: false, code: 'permission/rejected', feedback });
      expect((await server.as('eve').get(`/api/permissions/${requestId}?waitMs=1`)).body).toMatchObject({
        allow: false,
        status: 'rejected',
        feedback,
      });
    });
    it('is final: the next decision is a 404 that says who, when and what', async () => {
      const requestId = await queued('node d.js');
      await decide(requestId, 'reject');
      expect(await decide(requestId, 'approve')).toMatchObject({
        status: 404,
        body: { code: 'permission/decided', decision: 'reject', by: { id: await server.idOf('mia') } },
      });
      expect((await redeem(requestId, 'node d.js')).body.allow).toBe(false);
    });
    it('is decided once, of many decisions at the same moment', async () => {
      const requestId = await queued('node e.js');
      const all = await Promise.all(Array.from({ length: 10 }, (_, index) => decide(requestId, index % 2 ? 'approve' : 'reject')));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await typesOf(requestId)).slice(1)).toHaveLength(1);
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
      const requestId = await queued('node mine.js');
      await listed('mia', requestId);
      const before = await typesOf(requestId);
      for (const who of ['ian', 'ann', 'otto']) {
        expect(await decide(requestId, 'approve', {}, who)).toMatchObject({ status: 404, body: { code: 'permission/not-found' } });
        expect(await server.as(who).get(`/api/permissions/${requestId}`)).toMatchObject({ status: 404 });
        expect(await server.as(who).post('/api/grants/preview', { requestId })).toMatchObject({ status: 404 });
        expect((await pending(who)).filter(({ id }) => id === requestId)).toEqual([]);
      }
      expect(await pending('ian', '?agentId=agent_123')).toEqual([]);
      expect(await redeem(requestId, 'node mine.js', {}, 'ida')).toMatchObject({ status: 404, body: { allow: false } });
      expect(await server.as('ida').get(`/api/permissions/${requestId}?waitMs=1`)).toMatchObject({ status: 404 });
      for (const who of ['eve', 'ida']) expect((await decide(requestId, 'approve', {}, who)).status).toBe(403);
      expect(await typesOf(requestId)).toEqual(before);
    });
    it('is listed by agent only what is theirs', async () => {
      const requestId = await queued('node other.js', { agentId: 'agent_9' });
      await listed('mia', requestId);
      expect((await pending('mia', '?agentId=agent_9')).map(({ id }) => id)).toEqual([requestId]);
    });
  });

  describe('a standing approval', () => {
    const agentId = 'agent_grants';
    it('covers exactly what its preview said, survives, and is over at the very next call once revoked, on another server', async () => {
      const rejectedBefore = await queued('git push --force', { agentId });
      await decide(rejectedBefore, 'reject');
      const requestId = await queued('git push origin main', { agentId });
      await listed('mia', requestId);
      await eventually(async () => (await pending('mia', `?agentId=${agentId}`)).length === 1);
      const preview = (await server.as('mia').post('/api/grants/preview', { requestId })).body;
      expect(preview).toMatchObject({ grantable: true, calls: 1, covered: 1, denied: 1, deniedCalls: [{ id: rejectedBefore }] });

      const decided = (await decide(requestId, 'approve_always')).body;
      expect(decided).toMatchObject({ success: true, decision: 'approve_always', remembered: true, grants: [expect.any(String)] });
      const [grantId] = decided.grants as [string];
      const grant = (await server.as('mia').get(`/api/grants/${grantId}`)).body;
      const { tool, prefix, tier, effects, constraints } = grant;
      expect([{ tool, prefix, tier, effects, constraints }]).toEqual(preview.scopes);

      const granted = (await other.ask('git push origin dev', { agentId })).body;
      expect(granted).toMatchObject({ allow: true, via: 'grant', grants: [grantId], policies: ['tool.granted-runs'], tier: 'dangerous' });
      expect(await typesOf(granted.requestId)).toEqual(['PermissionApproved', 'PermissionConsumed']);
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
      const requestId = await queued('node f.js', { agentId });
      expect((await decide(requestId, 'approve_always')).body).toMatchObject({ success: true, remembered: false, grants: [] });
      expect((await redeem(requestId, 'node f.js', { agentId })).body.allow).toBe(true);
      expect((await server.ask('node f.js', { agentId })).body.allow).toBe(false);
    });
    it('is made for each of two decisions at the same moment', async () => {
      const [push, fetch] = [await queued('git push a', { agentId: 'agent_two' }), await queued('git fetch a', { agentId: 'agent_two' })];
      await Promise.all([decide(push, 'approve_always'), decide(fetch, 'approve_always')]);
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

  describe('what cannot be undone', () => {
    const enable = (body: object = {}) => server.as('ian').call('PUT', '/api/permissions/enablements/destroy.fs', JSON.stringify(body));
    it('is asked for every time while its owner has enabled it, and blocked again at once after', async () => {
      expect((await server.ask('rm -rf build', {}, 'ida')).body).toMatchObject({ allow: false, tier: 'destructive' });
      expect(await enable({ expiresInSeconds: 600, reason: 'Cleaning up.' })).toMatchObject({
        status: 200,
        body: { effect: 'destroy.fs', enabled: true },
      });
      expect(
        (await server.as('ian').get('/api/permissions/enablements')).body.enablements.filter((item: { enabled: boolean }) => item.enabled),
      ).toHaveLength(1);
      // Mia has not.
      expect((await server.ask('rm -rf build')).body).toMatchObject({ allow: false, policies: ['tool.destructive-only-when-enabled'] });

      const requestId = await queued('rm -rf build', {}, 'ida');
      expect(await listed('ian', requestId)).toMatchObject({ tier: 'destructive', actions: ['approve', 'reject'] });
      expect((await decide(requestId, 'approve_always', {}, 'ian')).body).toMatchObject({
        success: true,
        tier: 'destructive',
        remembered: false,
      });
      expect((await redeem(requestId, 'rm -rf build', {}, 'ida')).body.allow).toBe(true);
      const again = await queued('rm -rf build', {}, 'ida');
      await decide(again, 'approve', {}, 'ian');

      expect(await server.as('ian').delete('/api/permissions/enablements/destroy.fs')).toMatchObject({
        status: 200,
        body: { enabled: false },
      });
      expect((await other.ask('rm -rf build', { requestId: again }, 'ida')).body).toMatchObject({
        allow: false,
        code: 'permission/judged-worse',
      });
      expect((await other.ask('rm -rf build', {}, 'ida')).body).toMatchObject({ allow: false, tier: 'destructive' });
    });
    it('is enabled by people only, and by its name', async () => {
      expect((await server.as('ida').call('PUT', '/api/permissions/enablements/destroy.fs', '{}')).status).toBe(403);
      expect(await server.as('ian').call('PUT', '/api/permissions/enablements/read', '{}')).toMatchObject({
        status: 404,
        body: { code: 'enablement/unknown-effect' },
      });
      expect(await server.as('ian').delete('/api/permissions/enablements/destroy.db')).toMatchObject({
        status: 404,
        body: { code: 'enablement/not-found' },
      });
      expect((await enable({ expiresInSeconds: 86_401 })).status).toBe(422);
    });
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

describe('An outage', () => {
  it('of the store denies every call, and none runs', async () => {
    const server = await startPermissions();
    try {
      const { requestId } = (await server.ask('node x.js')).body;
      await server.as('mia').post('/api/permissions', { requestId, decision: 'approve' });
      await query(server.test.urls.owner, 'alter table es.events rename to gone');
      for (const over of [{}, { requestId }])
        for (const command of ['ls', 'node x.js', 'rm -rf /']) {
          const { status, body } = await server.ask(command, over);
          expect([command, body.allow]).toEqual([command, false]);
          expect(status).not.toBe(404);
        }
    } finally {
      await server.close();
    }
  });
});
