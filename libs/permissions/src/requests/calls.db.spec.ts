import { query } from '../../../../test/support/cluster.js';
import { startPair, type Pair } from '../testing/conversation.js';
import { startPermissions } from '../testing/permission-server.js';

const QUEUED = /^hook_\d{13}_[a-z0-9]{9}$/;

describe('A call', () => {
  let { server, other, to, close } = {} as Pair;
  beforeAll(async () => {
    ({ server, other, to, close } = await startPair());
  });
  afterAll(() => close());

  it('that only reads runs at once, with the policy that says so', async () => {
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
    const entry = await to.listed('mia', body.requestId);
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

describe('An outage', () => {
  it('of the classifier denies every call, also one that is approved or granted, and uses neither up', async () => {
    const server = await startPermissions();
    const fail = (): never => {
      throw new Error('The classifier is gone.');
    };
    const broken = await startPermissions({ test: server.test, judgement: { judge: fail, offer: fail, cover: fail } });
    try {
      const { requestId } = (await server.ask('node x.js')).body;
      await server.as('mia').post('/api/permissions', { requestId, decision: 'approve' });
      const always = (await server.ask('git push a')).body.requestId;
      expect((await server.as('mia').post('/api/permissions', { requestId: always, decision: 'approve_always' })).body.remembered).toBe(
        true,
      );
      for (const over of [{}, { requestId }])
        for (const command of ['ls', 'node x.js', 'git push a', 'rm -rf /'])
          expect((await broken.ask(command, over)).body).toMatchObject({ allow: false, code: 'permission/undecidable' });
      expect((await server.as('eve').at(broken.url).get(`/api/permissions/${requestId}?waitMs=1`)).body).toMatchObject({ allow: false });
      const { body } = await server.as('mia').at(broken.url).post('/api/permissions', { requestId: always, decision: 'reject' });
      expect(body.code).toBe('permission/decided');
      expect((await server.ask('node x.js', { requestId })).body.allow).toBe(true);
      expect((await server.ask('git push a')).body).toMatchObject({ allow: true, via: 'grant' });
    } finally {
      await broken.close();
      await server.close();
    }
  });
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
