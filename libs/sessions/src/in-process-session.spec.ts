import { DomainError, EventTypes, InMemoryEventStore, streamName, type Principal } from '#libs/kernel';
import { principal, WORKSPACE } from '#libs/kernel/testing';
import { Session } from './in-process-session.js';
import { sessionEvents } from './event-types.js';
import type { SessionEvent } from './session-events.js';
import { controlPlaneContract } from './testing/control-plane.js';
import { standing, type Plane, type Who } from './testing/plane.js';
import { approvalView, grantView, viewOf } from './views.js';

const cast: Readonly<Record<Who, Principal>> = {
  ida: principal('ida', { kind: 'agent', roles: ['implementer'], accountableHuman: 'ian' }),
  ian: principal('ian', { roles: ['member'] }),
  ann: principal('ann', { roles: ['approver'] }),
  otto: principal('otto', { roles: ['operator'] }),
  eve: principal('eve', { kind: 'agent', roles: ['eve'], accountableHuman: 'mia' }),
};

const openPlane = (): Promise<Plane> => {
  const ian = { id: cast.ian.id, name: cast.ian.name };
  const host = { store: new InMemoryEventStore(new EventTypes(sessionEvents)), standing: standing(() => ian) };
  const session = (sessionId: string) => Session.open(host, WORKSPACE, sessionId);
  const told = async (work: () => Promise<object | void>) => {
    try {
      return { ...(await work()) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...error.refusal.facts, code: error.refusal.code };
    }
  };
  return Promise.resolve({
    start: (options = {}, { by = 'ida', ...over } = {}) =>
      told(async () => {
        const begin = { runner: cast.ida, options, ...over };
        const { sessionId } = await Session.start(host, WORKSPACE, begin, cast[by]);
        return { sessionId };
      }),
    request: (sessionId, { tool = 'bash', command = 'npm test', waitMs = 0, ...call }, who = 'ida') =>
      told(async () => {
        const asked = { ...call, tool, reason: 'asks', toolInput: tool === 'bash' || tool === 'exec' ? { command } : {} };
        return approvalView(await session(sessionId).requestApproval(cast[who], asked, { waitMs }));
      }),
    resolve: (sessionId, decision, who = 'ian') =>
      told(async () => {
        const { approvalId, resolution, remembered, grant, scope } = await session(sessionId).resolveApproval(cast[who], decision);
        return {
          status: resolution ? ('resolved' as const) : ('pending' as const),
          allow: false,
          approvalId,
          ...resolution,
          remembered,
          ...(grant && { grant: { ...grant, scope } }),
        };
      }),
    cancel: (sessionId, reason, who = 'ian') => told(() => session(sessionId).cancel(cast[who], reason)),
    read: (sessionId, who = 'ian') => told(async () => viewOf(await session(sessionId).read(cast[who]))),
    preview: (sessionId, approvalId, who = 'ian') => told(() => session(sessionId).preview(cast[who], approvalId)),
    grants: async (sessionId) => (await session(sessionId).grants(cast.ian)).map((grant) => grantView(grant, grant.scope)),
    revoke: (sessionId, grantId, who = 'ian') => told(() => session(sessionId).revokeGrant(cast[who], grantId)),
    events: async (sessionId) => (await host.store.readStream<SessionEvent>(streamName('session', sessionId))).events,
    // Every call opens the session anew: nothing is remembered in between.
    restart: () => Promise.resolve(),
  });
};

controlPlaneContract('in the same process', openPlane);

describe('A session in the same process', () => {
  const host = () => ({ store: new InMemoryEventStore(new EventTypes(sessionEvents)) });
  const call = { tool: 'bash', reason: 'asks', toolInput: { command: 'npm test' } };

  it('allows a call only where its decision came and is a yes', async () => {
    const session = await Session.start(host(), WORKSPACE, { runner: cast.ida });
    expect(await session.isAllowed(cast.ida, { ...call, approvalId: 'a' }, { waitMs: 0 })).toBe(false);
    await session.resolveApproval(cast.ian, { allow: true });
    expect(await session.isAllowed(cast.ida, { ...call, approvalId: 'a' })).toBe(true);
  });
  it('shows a call that cannot be judged to a person, and never remembers it', async () => {
    const judge = () => {
      throw new Error('no table');
    };
    const session = await Session.start({ ...host(), judge }, WORKSPACE, { runner: cast.ida });
    await session.requestApproval(cast.ida, call, { waitMs: 0 });
    expect(await session.resolveApproval(cast.ian, { allow: true, remember: true })).toMatchObject({ remembered: false });
  });
  it('lets go of a runner that does not want to wait any more, and decides nothing by it', async () => {
    const session = await Session.start(host(), WORKSPACE, { runner: cast.ida });
    const leave = new AbortController();
    const waits = session.requestApproval(cast.ida, { ...call, approvalId: 'a' }, { signal: leave.signal });
    leave.abort();
    expect(await waits).toMatchObject({ status: 'pending' });
  });
});
