import type { Recorded } from '#libs/kernel';
import { eventually } from '../../../../test/support/eventually.js';
import type { StandingGrants } from '../grants/standing-grants.js';
import type { Party, SessionEvent, SessionOptions } from '../session-events.js';

/** Ida runs, Ian is accountable for her; Ann approves others' proposals and Otto operates. */
export type Who = 'ida' | 'ian' | 'ann' | 'otto' | 'eve';
type Call = Readonly<{ approvalId?: string; tool?: string; command?: string; tier?: number; waitMs?: number }>;
type Decision = Readonly<{
  approvalId?: string;
  allow: boolean;
  remember?: boolean;
  scope?: 'session' | 'conversation';
  presentedDigest?: string;
  feedback?: string;
  modifiedInput?: Record<string, unknown>;
}>;
/** What was answered, or the code of the refusal. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answers of two ways in
type Told = Record<string, any>;

export type Beginning = Readonly<{ by?: Who; parentSessionId?: string; conversationId?: string; agentId?: string; cwd?: string }>;

/** Standing approvals as another context would keep them: of Ian, for one agent of his in one place, for one command. */
export const standing = (owner: () => Party): StandingGrants => {
  let uses = 0;
  return async (_, { tool, toolInput, agentId, cwd }) => {
    if (toolInput['command'] === 'npm run broken') throw new Error('The other context is out of order.');
    const covers = tool === 'bash' && toolInput['command'] === 'npm run granted' && agentId === 'agent_123' && cwd === '/srv/site';
    return Promise.resolve(covers && uses++ < 2 ? { grants: [GRANT], by: owner() } : undefined);
  };
};
const GRANT = '0192f0c1-0000-7000-8000-0000000000aa';

/** One way in to the control plane. Refusals come as `{code}` and their facts. */
export type Plane = Readonly<{
  start(options?: Partial<SessionOptions>, over?: Beginning): Promise<Told>;
  request(sessionId: string, call: Call, who?: Who): Promise<Told>;
  resolve(sessionId: string, decision: Decision, who?: Who): Promise<Told>;
  cancel(sessionId: string, reason: string, who?: Who): Promise<Told>;
  read(sessionId: string, who?: Who): Promise<Told>;
  preview(sessionId: string, approvalId: string, who?: Who): Promise<Told>;
  grants(sessionId: string): Promise<readonly Told[]>;
  revoke(sessionId: string, grantId: string, who?: Who): Promise<Told>;
  events(sessionId: string): Promise<readonly Recorded<SessionEvent>[]>;
  /** All that a process remembers is gone; what follows runs elsewhere. */
  restart(): Promise<void>;
}>;

const LONG = 20_000;

/** The promises of the control plane, one suite for every way in. */
export const controlPlaneContract = (name: string, open: () => Promise<Plane>, close: () => Promise<void> = () => Promise.resolve()) =>
  describe(`The control plane of a session, ${name}`, () => {
    let plane: Plane;
    beforeAll(async () => (plane = await open()));
    afterAll(() => close());

    const startId = async (options: Partial<SessionOptions> = {}): Promise<string> => (await plane.start(options)).sessionId as string;
    const ends = async (sessionId: string) =>
      (await plane.events(sessionId)).flatMap(({ type, data }) =>
        type === 'ApprovalResolved' ? [[data.approvalId, data.allow, data.via, data.cause]] : [],
      );
    const pending = async (sessionId: string): Promise<string[]> =>
      ((await plane.read(sessionId)).pending as Told[]).map(({ approvalId }) => approvalId as string);

    it('keeps the runner waiting until its owner decides', async () => {
      const sessionId = await startId();
      const waits = plane.request(sessionId, { approvalId: 'a', waitMs: LONG });
      await eventually(async () => (await pending(sessionId)).includes('a'));
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true })).toMatchObject({
        allow: true,
        via: 'human',
        remembered: false,
      });
      expect(await waits).toMatchObject({ approvalId: 'a', status: 'resolved', allow: true, via: 'human', cause: 'decision' });
    });

    it('hands on a rejection with its words, exactly', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a' });
      const feedback = 'use dist/ — not src/\r\n\u2028 e\u0301 👩‍👩‍👧 "\\"';
      await plane.resolve(sessionId, { approvalId: 'a', allow: false, remember: true, feedback });
      expect(await plane.request(sessionId, { approvalId: 'a', waitMs: LONG })).toMatchObject({ allow: false, via: 'human', feedback });
      expect(await plane.grants(sessionId)).toEqual([]);
    });

    it('gives an id to who brings none', async () => {
      const sessionId = await startId();
      const { approvalId, status, allow } = await plane.request(sessionId, {});
      expect([approvalId, status, allow]).toEqual([expect.stringMatching(/^perm_\d+_[a-z0-9]{9}$/), 'pending', false]);
    });

    it('denies at once where nobody is there, announced and recorded', async () => {
      const sessionId = await startId({ unattended: true });
      const told = await plane.request(sessionId, { approvalId: 'a', waitMs: LONG });
      expect(told).toMatchObject({ allow: false, via: 'auto', cause: 'unattended' });
      expect((await plane.events(sessionId)).map(({ type }) => type)).toEqual(['SessionStarted', 'ApprovalRequested', 'ApprovalResolved']);
      const child = await plane.start({}, { parentSessionId: sessionId });
      expect(await plane.request(child.sessionId as string, { waitMs: LONG })).toMatchObject({ allow: false, cause: 'unattended' });
    });

    it('lets an operator’s policy ratify one action, and the runner set none', async () => {
      expect(await plane.start({ unattended: true, amendmentPolicy: 'approve' })).toMatchObject({ code: 'session/policy-not-yours' });
      const { sessionId } = await plane.start({ unattended: true, amendmentPolicy: 'approve' }, { by: 'otto' });
      expect(await plane.request(sessionId as string, { tool: 'alter_verification' })).toMatchObject({ allow: true, via: 'policy' });
      expect(await plane.request(sessionId as string, { tool: 'switch_to_editing' })).toMatchObject({ allow: false, via: 'auto' });
      expect(await plane.request(sessionId as string, { command: 'npm test' })).toMatchObject({ allow: false, via: 'auto' });
    });

    it('denies what nobody resolves in time, tells so at that time, and banks nothing', async () => {
      const sessionId = await startId({ approvalTimeoutMs: 150 });
      expect(await plane.request(sessionId, { approvalId: 'a', waitMs: LONG })).toMatchObject({
        allow: false,
        via: 'auto',
        cause: 'timeout',
      });
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true })).toMatchObject({
        code: 'approval/timed-out',
        cause: 'timeout',
      });
      expect(await ends(sessionId)).toEqual([['a', false, 'auto', 'timeout']]);
      expect(await plane.request(sessionId, { approvalId: 'b' })).toMatchObject({ status: 'pending', allow: false });
    });

    it('ends an approval once where a yes and the end of its time come together', async () => {
      for (let round = 0; round < 5; round++) {
        const sessionId = await startId({ approvalTimeoutMs: 40 + round * 5 });
        const waits = plane.request(sessionId, { approvalId: 'a', waitMs: LONG });
        await eventually(async () => (await plane.events(sessionId)).length > 1);
        const answers = await Promise.all(Array.from({ length: 4 }, () => plane.resolve(sessionId, { approvalId: 'a', allow: true })));
        const told = await waits;
        const [end, ...others] = await ends(sessionId);
        expect(others).toEqual([]);
        expect(end!.slice(1)).toEqual([told['allow'], told['via'], told['cause']]);
        expect(answers.filter(({ code }) => code === undefined)).toHaveLength(told['allow'] ? 1 : 0);
      }
    });

    it('ends an approval once among 20 who decide', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => plane.resolve(sessionId, { approvalId: 'a', allow: index % 2 === 0, remember: true })),
      );
      expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1);
      expect(await ends(sessionId)).toHaveLength(1);
    });

    it('trips the token for good, and denies what is in flight', async () => {
      const sessionId = await startId();
      const waits = plane.request(sessionId, { approvalId: 'a', waitMs: LONG });
      await eventually(async () => (await pending(sessionId)).length === 1);
      await plane.cancel(sessionId, 'enough');
      expect(await waits).toMatchObject({ allow: false, via: 'auto', cause: 'cancelled' });
      await plane.restart();
      expect(await plane.read(sessionId)).toMatchObject({
        status: 'cancelled',
        cancelled: { reason: 'enough', by: { id: expect.anything() as string } },
      });
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true })).toMatchObject({
        code: 'approval/decided',
        cause: 'cancelled',
      });
      expect(await plane.request(sessionId, { approvalId: 'b' })).toMatchObject({ code: 'session/cancelled', reason: 'enough' });
      expect(await plane.cancel(sessionId, 'again')).toMatchObject({ code: 'session/cancelled' });
    });

    it('keeps what waits over a restart, and decides it once after', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a', command: 'npm test', tier: 3 });
      const before = ((await plane.read(sessionId)).pending as Told[])[0];
      await plane.restart();
      expect(((await plane.read(sessionId)).pending as Told[])[0]).toEqual(before);
      expect(before).toMatchObject({ approvalId: 'a', toolInput: { command: 'npm test' }, tier: 3 });
      const waits = plane.request(sessionId, { approvalId: 'a', command: 'npm test', tier: 3, waitMs: LONG });
      await plane.resolve(sessionId, { approvalId: 'a', allow: true });
      expect(await waits).toMatchObject({ allow: true });
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: false })).toMatchObject({ code: 'approval/decided', allow: true });
    });

    it('touches nothing for an id that is wrong, stale or of another session', async () => {
      const [sessionId, other] = [await startId(), await startId()];
      await plane.request(other, { approvalId: 'of-other' });
      await plane.request(sessionId, { approvalId: 'old' });
      await plane.resolve(sessionId, { approvalId: 'old', allow: false });
      await plane.request(sessionId, { approvalId: 'waits' });
      const { length } = await plane.events(sessionId);
      for (const approvalId of ['nowhere', 'of-other', 'toString', '__proto__'])
        expect([approvalId, await plane.resolve(sessionId, { approvalId, allow: true })]).toEqual([
          approvalId,
          expect.objectContaining({ code: 'approval/not-found' }),
        ]);
      expect(await plane.resolve(sessionId, { approvalId: 'old', allow: true })).toMatchObject({ code: 'approval/decided', allow: false });
      expect(await plane.events(sessionId)).toHaveLength(length);
      expect(await pending(sessionId)).toEqual(['waits']);
    });

    it('takes a decision without an id for the sole one that waits', async () => {
      const sessionId = await startId();
      expect(await plane.resolve(sessionId, { allow: true })).toMatchObject({ code: 'approval/not-found' });
      await plane.request(sessionId, { approvalId: 'a' });
      await plane.request(sessionId, { approvalId: 'b' });
      expect(await plane.resolve(sessionId, { allow: true })).toMatchObject({ code: 'approval/ambiguous', pending: 2 });
      await plane.resolve(sessionId, { approvalId: 'a', allow: false });
      expect(await plane.resolve(sessionId, { allow: true })).toMatchObject({ approvalId: 'b', allow: true });
    });

    it('is closed to everyone but its owner and its runner, and tells nobody that it is there', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a' });
      const { length } = await plane.events(sessionId);
      const closed = expect.objectContaining({ code: 'session/not-found' }) as unknown;
      expect(await plane.read(sessionId, 'ann')).toEqual(closed);
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true }, 'ann')).toEqual(closed);
      expect(await plane.resolve(sessionId, { allow: true, modifiedInput: { command: 'ls' } }, 'otto')).toEqual(closed);
      expect(await plane.cancel(sessionId, 'x', 'otto')).toEqual(closed);
      expect(await plane.request(sessionId, { approvalId: 'a' }, 'eve')).toEqual(closed);
      expect(await plane.events(sessionId)).toHaveLength(length);
    });

    it('holds an id to one call', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a', command: 'npm test' });
      expect(await plane.request(sessionId, { approvalId: 'a', command: 'npm run build' })).toMatchObject({ code: 'approval/exists' });
      const asked = await Promise.all(Array.from({ length: 8 }, () => plane.request(sessionId, { approvalId: 'b', command: 'ls' })));
      expect(asked.map(({ status }) => status as string)).toEqual(Array(8).fill('pending'));
      expect(await pending(sessionId)).toEqual(['a', 'b']);
    });

    it('takes many calls at once', async () => {
      const sessionId = await startId();
      const asked = await Promise.all(Array.from({ length: 16 }, (_, index) => plane.request(sessionId, { approvalId: `call-${index}` })));
      expect(asked.map(({ status }) => status as string)).toEqual(Array(16).fill('pending'));
    });

    it('remembers a yes for such calls of this session alone, over a restart, until it is revoked', async () => {
      const [sessionId, other] = [await startId(), await startId()];
      await plane.request(sessionId, { approvalId: 'a' });
      const told = await plane.resolve(sessionId, { approvalId: 'a', allow: true, remember: true });
      expect(told).toMatchObject({ remembered: true, grant: { tool: 'bash', program: ['npm', 'test'] } });
      await plane.restart();
      const { length } = await plane.events(sessionId);
      const { grantId } = told['grant'] as { grantId: string };
      expect(await plane.request(sessionId, { approvalId: 'b', waitMs: LONG })).toMatchObject({ allow: true, via: 'grant', grantId });
      expect((await plane.events(sessionId)).slice(length).map(({ type }) => type)).toEqual(['ApprovalResolved']);
      expect(await plane.request(sessionId, { command: 'npm run deploy' })).toMatchObject({ status: 'pending' });
      expect(await plane.request(sessionId, { tool: 'exec' })).toMatchObject({ status: 'pending' });
      expect(await plane.request(sessionId, { tier: 4 })).toMatchObject({ status: 'pending' });
      expect(await plane.request(other, {})).toMatchObject({ status: 'pending' });

      await plane.revoke(sessionId, grantId);
      expect(await plane.request(sessionId, { approvalId: 'c' })).toMatchObject({ status: 'pending' });
      expect(await plane.revoke(sessionId, grantId)).toMatchObject({ code: 'session-grant/over' });
    });

    it('keeps both of two grants that are stored at once', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a', command: 'npm test' });
      await plane.request(sessionId, { approvalId: 'b', command: 'npm run build' });
      await Promise.all(['a', 'b'].map((approvalId) => plane.resolve(sessionId, { approvalId, allow: true, remember: true })));
      expect((await plane.grants(sessionId)).map(({ program }) => (program as string[]).join(' ')).sort()).toEqual([
        'npm run build',
        'npm test',
      ]);
    });

    it('remembers a yes for all tasks of a conversation, over a restart, until it is revoked in any of them', async () => {
      const begin = async (over: Beginning) => (await plane.start({}, over)).sessionId as string;
      const [first, later, other] = [
        await begin({ conversationId: 'c1' }),
        await begin({ conversationId: 'c1' }),
        await begin({ conversationId: 'c2' }),
      ];
      await plane.request(first, { approvalId: 'a' });
      const told = await plane.resolve(first, { approvalId: 'a', allow: true, remember: true, scope: 'conversation' });
      expect(told).toMatchObject({ allow: true, remembered: true, grant: { program: ['npm', 'test'], scope: 'conversation' } });
      const { grantId } = told['grant'] as { grantId: string };
      await plane.restart();
      for (const sessionId of [first, later]) {
        expect(await plane.request(sessionId, { waitMs: LONG })).toMatchObject({
          allow: true,
          via: 'grant',
          grantId,
          grantScope: 'conversation',
        });
        expect(await plane.grants(sessionId)).toMatchObject([{ grantId, scope: 'conversation' }]);
      }
      expect((await plane.events(later)).map(({ type }) => type)).toEqual(['SessionStarted', 'ApprovalResolved']);
      for (const sessionId of [other, await startId()]) expect(await plane.request(sessionId, {})).toMatchObject({ status: 'pending' });
      expect(await plane.request(later, { command: 'npm run deploy' })).toMatchObject({ status: 'pending' });
      expect(await plane.request(later, { tier: 4 })).toMatchObject({ status: 'pending' });

      await plane.revoke(later, grantId);
      for (const sessionId of [first, later]) expect(await plane.request(sessionId, {})).toMatchObject({ status: 'pending' });
      expect(await plane.revoke(first, grantId)).toMatchObject({ code: 'session-grant/over' });
    });

    it('remembers nothing for a conversation that there is none of, and no contract for any', async () => {
      const alone = await startId();
      await plane.request(alone, { approvalId: 'a' });
      const widely = { approvalId: 'a', allow: true, remember: true, scope: 'conversation' } as const;
      expect(await plane.resolve(alone, widely)).toMatchObject({ code: 'session/no-conversation' });
      const { sessionId } = await plane.start({}, { conversationId: 'c3' });
      for (const [approvalId, tool] of [
        ['a', 'alter_verification'],
        ['b', 'alter_verification'],
      ] as const) {
        expect(await plane.request(sessionId as string, { approvalId, tool })).toMatchObject({ status: 'pending' });
        expect(await plane.resolve(sessionId as string, { ...widely, approvalId })).toMatchObject({ allow: true, remembered: false });
      }
      expect(await plane.grants(sessionId as string)).toEqual([]);
    });

    it('lets through what its owner allows for good, for that agent, there, and no longer than that holds', async () => {
      const begin = async (over: Beginning) => (await plane.start({}, over)).sessionId as string;
      const here = { agentId: 'agent_123', cwd: '/srv/site' };
      const granted = { command: 'npm run granted', waitMs: 0 };
      for (const over of [{}, { ...here, cwd: '/srv/other' }, { ...here, agentId: 'agent_x' }])
        expect(await plane.request(await begin(over), granted)).toMatchObject({ status: 'pending' });
      const sessionId = await begin(here);
      expect(await plane.request(sessionId, { command: 'npm run broken' })).toMatchObject({ status: 'pending', allow: false });
      expect(await plane.request(sessionId, { ...granted, tier: 4 })).toMatchObject({ status: 'pending' });
      const told = await plane.request(sessionId, { ...granted, approvalId: 'a' });
      expect(told).toMatchObject({ allow: true, via: 'grant', grantScope: 'standing', grants: [expect.any(String)] });
      expect((await plane.events(sessionId)).at(-1)).toMatchObject({ type: 'ApprovalResolved', data: { asked: { tool: 'bash' } } });
      expect(await plane.request(sessionId, granted)).toMatchObject({ allow: true });
      expect(await plane.request(sessionId, granted)).toMatchObject({ status: 'pending' });
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
        await plane.request(sessionId, { ...call, approvalId });
        if (allow !== undefined) await plane.resolve(sessionId, { approvalId, allow });
      }
      await plane.request(sessionId, { approvalId: 'a', command });
      const told = await plane.preview(sessionId, 'a');
      expect(told).toMatchObject({ approvalId: 'a', days: 30, covered: 3, denied: 1, deniedCalls: [{ approvalId: 'p2', sessionId }] });
      // Those of other sessions are counted as well.
      expect(told['calls']).toBeGreaterThanOrEqual(5);
      expect((told['coveredCalls'] as Told[]).map(({ approvalId }) => approvalId as string).sort()).toEqual(['p1', 'p2', 'p5']);
      const { grant } = await plane.resolve(sessionId, { approvalId: 'a', allow: true, remember: true });
      expect(grant).toMatchObject(told['proposedGrant'] as object);

      await plane.request(sessionId, { approvalId: 'b', tool: 'alter_verification' });
      expect(await plane.preview(sessionId, 'b')).toMatchObject({
        proposedGrant: null,
        covered: 0,
        ungrantable: expect.any(String) as string,
      });
      expect(await plane.preview(sessionId, 'a')).toMatchObject({ code: 'approval/decided' });
      expect(await plane.preview(sessionId, 'none')).toMatchObject({ code: 'approval/not-found' });
      expect(await plane.preview(sessionId, 'b', 'ann')).toMatchObject({ code: 'session/not-found' });
    });

    it('is decided as it was shown', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a' });
      const [{ presentedDigest }] = (await plane.read(sessionId)).pending as [{ presentedDigest: string }];
      const other = { approvalId: 'a', allow: true, presentedDigest: 'a'.repeat(64) };
      expect(await plane.resolve(sessionId, other)).toMatchObject({ code: 'approval/changed', presentedDigest });
      expect(await plane.resolve(sessionId, { ...other, presentedDigest })).toMatchObject({ allow: true });
    });

    it('that is cancelled takes with it what works for it: tokens tripped, calls in flight denied, nothing new begun', async () => {
      const parentSessionId = await startId();
      const child = (await plane.start({}, { parentSessionId })).sessionId as string;
      const grandchild = (await plane.start({}, { parentSessionId: child })).sessionId as string;
      const stranger = await startId();
      for (const sessionId of [child, grandchild, stranger]) await plane.request(sessionId, { approvalId: 'a' });
      const waits = plane.request(grandchild, { approvalId: 'a', waitMs: LONG });
      await plane.cancel(parentSessionId, 'enough');
      expect(await waits).toMatchObject({ allow: false, via: 'auto', cause: 'cancelled' });
      await plane.restart();
      for (const sessionId of [child, grandchild]) {
        expect(await plane.read(sessionId)).toMatchObject({ status: 'cancelled', pending: [], cancelled: { reason: 'enough' } });
        expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true })).toMatchObject({
          code: 'approval/decided',
          cause: 'cancelled',
        });
        expect(await plane.start({}, { parentSessionId: sessionId })).toMatchObject({ code: 'session/parent-over' });
      }
      expect(await plane.request(stranger, { approvalId: 'a' })).toMatchObject({ status: 'pending' });
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
      await plane.request(sessionId, { ...call, approvalId: 'a' });
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true, remember: true })).toMatchObject({
        allow: true,
        remembered: false,
      });
      expect(await plane.grants(sessionId)).toEqual([]);
      expect(await plane.request(sessionId, { ...call, approvalId: 'b' })).toMatchObject({ status: 'pending' });
    });

    it('lets the owner write another input, and asks again where that is worse', async () => {
      const sessionId = await startId();
      await plane.request(sessionId, { approvalId: 'a' });
      const worse = { command: 'rm -rf build' };
      expect(await plane.resolve(sessionId, { approvalId: 'a', allow: true, modifiedInput: worse })).toMatchObject({
        status: 'pending',
        allow: false,
      });
      expect((await plane.read(sessionId)).pending).toMatchObject([
        { approvalId: 'a', amended: true, toolInput: worse, tier: 4, proposedGrant: null },
      ]);
      await plane.resolve(sessionId, { approvalId: 'a', allow: true, modifiedInput: { command: 'npm run lint' } });
      expect(await plane.request(sessionId, { approvalId: 'a', waitMs: LONG })).toMatchObject({
        allow: true,
        toolInput: { command: 'npm run lint' },
      });
    });
  });
