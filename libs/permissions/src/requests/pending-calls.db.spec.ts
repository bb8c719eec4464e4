import { eventually } from '../../../../test/support/eventually.js';
import { PermissionSettings } from '../permission-settings.js';
import { converse, type Conversation } from '../testing/conversation.js';
import { startPermissions, type PermissionServer } from '../testing/permission-server.js';
import { allEvents } from '../../../../test/support/stored-events.js';

describe('What waits for an owner', () => {
  let server: PermissionServer;
  let other: PermissionServer;
  let to: Conversation;
  beforeAll(async () => {
    const settings = new PermissionSettings({ pendingPerAgent: 4, pendingPerOwner: 5 });
    server = await startPermissions({ settings });
    other = await startPermissions({ settings, test: server.test });
    to = converse(server);
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });
  const requests = async (): Promise<number> => (await allEvents(server.app)).filter(({ type }) => type === 'PermissionRequested').length;
  const allTaken = async (requestIds: readonly string[]) => {
    for (const requestId of requestIds) await server.as('eve').delete(`/api/permissions/${requestId}`);
    await eventually(async () => (await to.pending('mia')).length === 0);
  };

  it('is one request for a call that is asked for again, on any server, until that is decided', async () => {
    const before = await requests();
    const all = await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 2 ? other : server).ask('node same.js')));
    const ids = new Set(all.map(({ body }) => body.requestId));
    expect(ids.size).toBe(1);
    expect(all.every(({ status, body }) => status === 200 && !body.allow && body.code === 'permission/pending')).toBe(true);
    expect(await requests()).toBe(before + 1);
    const [requestId] = [...ids] as [string];
    // Another name, another place or another agent is another call.
    const others = [await to.queued('node same.js', { agentId: 'agent_other' }), await to.queued('node same.js', { cwd: '/srv/site' })];
    expect(new Set([requestId, ...others]).size).toBe(3);
    expect(await to.queued('node same.js', {}, 'ida')).not.toBe(requestId);

    await to.decide(requestId, 'reject');
    const next = await to.queued('node same.js');
    expect(next).not.toBe(requestId);
    await allTaken([next, ...others]);
  });

  it('is no more than a person can answer: what is too much is refused with what to do, and not queued', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) ids.push(await to.queued(`node many-${index}.js`));
    const before = await requests();
    const refused = await other.ask('node many-4.js');
    expect(refused).toMatchObject({
      status: 429,
      body: { allow: false, code: 'permission/too-many-pending', pending: 4, detail: expect.stringMatching(/waitMs.*DELETE/) },
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await requests()).toBe(before);
    // What waits already is found again, what nobody has to be asked for runs, and others have room of their own.
    expect(await to.queued('node many-0.js')).toBe(ids[0]);
    expect((await server.ask('ls')).body.allow).toBe(true);
    await to.queued('node many-4.js', {}, 'ida');

    await to.decide(ids[0]!, 'reject');
    const more = await eventually(async () => {
      const { status, body } = await other.ask('node many-4.js');
      return status === 200 && body.requestId;
    });
    await allTaken([...ids.slice(1), more]);
  });

  it('is counted for all agents of one owner together, also at the same moment', async () => {
    const me = (await server.as('mia').get('/api/me')).body;
    const issued = await server.as('otto').post('/api/credentials', {
      kind: 'agent',
      name: 'Second',
      roles: ['implementer'],
      capabilities: ['code'],
      accountableHuman: me.id,
    });
    const second = server.as('eve').with({ authorization: `Bearer ${issued.body.credential}` });
    const ask = (index: number) =>
      index % 2
        ? second.at(other.url).post('/api/hooks/classify', {
            toolName: 'bash',
            toolInput: { command: `node both-${index}.js` },
            agentId: 'second',
          })
        : server.ask(`node both-${index}.js`);
    const all = await Promise.all(Array.from({ length: 16 }, (_, index) => ask(index)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(11);
  });
});
