import { streamName, type Recorded } from '#libs/kernel';
import { eventually } from '../../../../test/support/eventually.js';
import { converse, type Conversation } from '../testing/conversation.js';
import { startPermissions, type PermissionServer } from '../testing/permission-server.js';
import { denialId, type DenialEvent } from './denial.js';

describe('What is denied', () => {
  let server: PermissionServer;
  let to: Conversation;
  beforeAll(async () => {
    server = await startPermissions();
    to = converse(server);
  });
  afterAll(() => server.close());

  /** Of all days on which this could have run. */
  const denied = async (who: string): Promise<Recorded<DenialEvent>[]> => {
    const me = (await server.as(who).get('/api/me')).body;
    const days = [Date.now() - 60_000, Date.now()].map((time) => new Date(time).toISOString());
    const ids = new Set(days.map((day) => denialId(me.workspaces[0].id, me.id, day)));
    const streams = await Promise.all([...ids].map((id) => server.store.readStream<DenialEvent>(streamName('denial', id))));
    return streams.flatMap(({ events }) => events);
  };

  it('for good is on record once, with the policies that say so, as it was seen', async () => {
    for (let times = 0; times < 3; times++) await server.ask('rm -rf /');
    await Promise.all(Array.from({ length: 8 }, (_, index) => server.ask(`rm -rf /${index % 2}`)));
    expect((await server.ask('ls')).body.allow).toBe(true);
    const events = await denied('eve');
    expect(events.map(({ data }) => 'command' in data && data.command).sort()).toEqual(['rm -rf /', 'rm -rf /0', 'rm -rf /1']);
    const inForce = (await server.as('otto').get('/api/policy')).body;
    expect(events[0]).toMatchObject({
      type: 'CallBlocked',
      data: {
        owner: await server.idOf('mia'),
        agent: { id: await server.idOf('eve'), name: 'Eve' },
        tier: 'destructive',
        effects: ['destroy.fs'],
        proof: { policies: ['tool.destructive-only-when-enabled'], policyVersion: inForce.tools.version },
      },
      meta: { policyVersion: inForce.commands.version, policies: ['agents.run-under-permission'] },
    });
  });
  it('is shown shortened, and proved by the digest of all of it', async () => {
    const text = `rm -rf ${'/long'.repeat(10_000)}`;
    expect((await server.ask(text, {}, 'ida')).body.allow).toBe(false);
    const [event] = await denied('ida');
    expect(event!.data).toMatchObject({ callDigest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(event!.data).length).toBeLessThan(12_000);
  });
  it('to those who reach for a request that is not theirs is on record beside them, and nothing in its stream is', async () => {
    const requestId = await to.queued('node mine.js');
    const before = await server.events(requestId);
    for (let times = 0; times < 2; times++) {
      await server.as('ian').get(`/api/permissions/${requestId}`);
      await to.decide(requestId, 'approve', {}, 'ian');
      await server.as('ian').post('/api/grants/preview', { requestId });
      await to.redeem(requestId, 'node mine.js', {}, 'ida');
      await server.as('ida').delete(`/api/permissions/${requestId}`);
    }
    const told = (events: readonly Recorded<DenialEvent>[]) =>
      events.flatMap(({ type, data }) => (type === 'ForeignPermissionReached' ? [[data.requestId, data.attempt]] : []));
    expect(told(await denied('ian'))).toEqual(['read', 'decide', 'preview'].map((attempt) => [requestId, attempt]));
    expect(told(await denied('ida'))).toEqual(['run', 'take back'].map((attempt) => [requestId, attempt]));
    expect(await server.events(requestId)).toEqual(before);
    await eventually(async () => (await to.pending('mia')).some(({ id }) => id === requestId));
  });
  it('of what is not there at all leaves nothing', async () => {
    const before = (await denied('ian')).length;
    expect((await to.decide('hook_1711929600000_a1b2c3d4e', 'approve', {}, 'ian')).status).toBe(404);
    expect((await to.decide('nonsense', 'approve', {}, 'ian')).status).toBe(404);
    expect(await denied('ian')).toHaveLength(before);
  });
});
