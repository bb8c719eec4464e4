import { eventually } from '../../../../test/support/eventually.js';
import type { SessionOptions } from '../session-events.js';
import { grantsContract } from './grants-contract.js';
import { LONG, type Plane, type Told } from './plane.js';

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

    grantsContract(() => plane);

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
