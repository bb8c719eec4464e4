import type { Client } from '../support/client.js';
import { readEventLog, typesByStream } from '../support/event-log.js';
import { eventually } from '../support/eventually.js';
import { createSite, type Site } from '../support/processes.js';

const ask = (agent: Client, command: string, over: object = {}) =>
  agent.post('/api/hooks/classify', { toolName: 'bash', toolInput: { command }, agentId: 'agent_123', ...over });

/** What a hook makes of it: whatever is not a yes is a no. */
const runs = async (agent: Client, command: string, over: object = {}): Promise<boolean> => {
  try {
    const { status, body } = await ask(agent, command, over);
    return status === 200 && body.allow === true;
  } catch {
    return false;
  }
};

describe('A permission', () => {
  let site: Site;
  beforeEach(async () => {
    site = await createSite();
  });
  afterEach(() => site.remove());

  it('outlives a server that is killed, is the same after it, runs once, and nothing runs while none is there', async () => {
    const first = await site.start();
    const { eve, mia } = site.cast(first);
    const { requestId, expiresAt } = (await ask(eve, 'node job.js')).body;
    const known = await eventually(async () => (await mia.get('/api/permissions')).body.pending[0]);
    await first.kill('SIGKILL');
    for (const command of ['ls', 'node job.js', 'rm -rf /']) expect([command, await runs(eve, command)]).toEqual([command, false]);

    const second = await site.start();
    const again = { eve: eve.at(second.url), mia: mia.at(second.url) };
    expect((await again.mia.get('/api/permissions')).body.pending).toEqual([known]);
    expect(known).toMatchObject({ id: requestId, expiresAt, toolInput: { command: 'node job.js' } });
    expect((await again.mia.post('/api/permissions', { requestId, decision: 'approve' })).body).toMatchObject({ success: true });
    await second.kill('SIGKILL');

    const third = await site.start();
    expect(await runs(eve.at(third.url), 'node job.js', { requestId })).toBe(true);
    expect(await runs(eve.at(third.url), 'node job.js', { requestId })).toBe(false);
    expect((await mia.at(third.url).post('/api/permissions', { requestId, decision: 'approve' })).body).toMatchObject({
      code: 'permission/decided',
    });
  });

  it('is remembered once, whenever the server that was told so is killed', async () => {
    let server = await site.start();
    const cast = site.cast(server);
    // The approval is stored, and its grants may or may not be, when the process goes.
    for (let round = 0; round < 3; round++) {
      const command = `git push origin feature-${round}`;
      const over = { agentId: `agent_${round}` };
      const { requestId } = (await ask(cast.eve.at(server.url), command, over)).body;
      const deciding = cast.mia
        .at(server.url)
        .post('/api/permissions', { requestId, decision: 'approve_always' }, { key: `always-${round}` });
      const deadline = new Promise((resolve) => setTimeout(resolve, round * 20));
      await Promise.race([deciding.catch(() => undefined), deadline]);
      await server.kill('SIGKILL');
      await deciding.catch(() => undefined);
      server = await site.start();
      const retried = await cast.mia
        .at(server.url)
        .post('/api/permissions', { requestId, decision: 'approve_always' }, { key: `always-${round}` });
      expect(retried).toMatchObject({ status: 200, body: { success: true, remembered: true, grants: [expect.any(String)] } });
      expect(await runs(cast.eve.at(server.url), command, over)).toBe(true);
    }
    const { items } = (await cast.mia.at(server.url).get('/api/grants?status=active')).body;
    expect(items).toHaveLength(3);
    const grants = [...typesByStream(await readEventLog(site))].filter(([stream]) => stream.startsWith('grant-'));
    for (const [, types] of grants) expect(types).toEqual(['GrantCreated', 'GrantUsed']);
  });

  it('is remembered without the server that was told so, by whichever works', async () => {
    const api = await site.start({ WORKBENCH_ROLES: 'api' });
    const { eve, mia } = site.cast(api);
    const { requestId } = (await ask(eve, 'git push origin main')).body;
    const deciding = mia.post('/api/permissions', { requestId, decision: 'approve_always' });
    await eventually(async () =>
      [...typesByStream(await readEventLog(site)).values()].some((types) => types.includes('PermissionApproved')),
    );
    await api.kill('SIGKILL');
    await deciding.catch(() => undefined);
    const server = await site.start();
    await eventually(async () => (await mia.at(server.url).get('/api/grants?status=active')).body.items.length === 1);
    expect(await runs(eve.at(server.url), 'git push origin main')).toBe(true);
  });
});
