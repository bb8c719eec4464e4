import { derivedId, digestOf, newId } from '#libs/kernel';
import { eventually } from '../../../../test/support/eventually.js';
import type { Client } from '../../../../test/support/client.js';
import { startWork, type WorkServer } from '../testing/work-server.js';

jest.setTimeout(60_000);

const claim = (client: Client, body: object = { queue: 'code' }, key?: string) =>
  client.post('/api/leases', body, key === undefined ? {} : { key });
const grants = async (server: WorkServer, taskId: string) =>
  (await server.events(taskId)).filter(({ type }) => type === 'LeaseGranted').length;

describe('A claim', () => {
  let server: WorkServer;
  beforeAll(async () => (server = await startWork()));
  afterAll(() => server.close());
  /** Nothing is left over for the next test. */
  afterEach(async () => {
    for (let page; (page = (await server.as('otto').get('/api/queue?limit=200')).body.items as { taskId: string }[]).length > 0;)
      for (const { taskId } of page) {
        const { body } = await server.as('otto').post(`/api/tasks/${taskId}/cancel`, { reason: 'next test' });
        await server.as('otto').get(`/api/queue?waitFor=${body.position}`);
      }
  });

  it('gets brief, scope, fence and time', async () => {
    const taskId = await server.queue();
    const { status, body } = await claim(server.as('ida'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: taskId,
      lease: { leaseId: `${taskId}.1`, taskId, fence: '1', kind: 'implementation' },
      fence: '1',
      brief: 'Say hello to whoever is named.',
      work: { paths: ['src', 'README.md'] },
      scopeDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      revision: '1',
      position: expect.any(String),
      auditId: expect.any(String),
    });
    expect(body.expiresAt).toBe(body.lease.expiresAt);
    expect(await server.as('otto').get(`/api/tasks/${taskId}`)).toMatchObject({
      body: { status: 'leased', holder: { id: await server.idOf('ida'), name: 'Ida Implementer' }, fence: '1', attempts: 0 },
    });
  });
  it('gets 204 where nothing is claimable', async () => expect(await claim(server.as('ida'))).toMatchObject({ status: 204, body: '' }));
  it('gets the oldest task first', async () => {
    const [first, second] = [await server.queue(), await server.queue()];
    expect((await claim(server.as('ida'))).body.id).toBe(first);
    expect((await claim(server.as('ida'))).body.id).toBe(second);
  });
  it('gets a task only of the queues that the credential is capable of, and that the claim doesn’t narrow away', async () => {
    const studio = await server.queue({ queue: 'studio' });
    const coder = await server.agent({ capabilities: ['code'] });
    expect(await claim(coder, {})).toMatchObject({ status: 204 });
    expect(await claim(coder, { queue: 'studio' })).toMatchObject({ status: 403, body: { code: 'lease/not-capable' } });
    expect(await claim(coder, { taskId: studio })).toMatchObject({ status: 403, body: { code: 'lease/not-capable' } });
    expect(await claim(coder, { capabilities: ['code', 'studio'] })).toMatchObject({ status: 403, body: { code: 'lease/not-capable' } });
    expect(await claim(server.as('ida'), { capabilities: ['content'] })).toMatchObject({ status: 204 });
    expect(await claim(server.as('ida'), { capabilities: ['studio'] })).toMatchObject({ status: 200, body: { id: studio } });
  });
  it('of a named task that is taken is told who has it', async () => {
    const taskId = await server.queue();
    await claim(server.as('ida'), { taskId });
    expect(await claim(await server.agent(), { taskId })).toMatchObject({
      status: 409,
      body: { code: 'lease/taken', heldBy: { name: 'Ida Implementer' }, fence: '1' },
    });
    expect(await claim(server.as('ida'), { taskId: newId() })).toMatchObject({ status: 404, body: { code: 'task/not-found' } });
  });
  it('may not say when its lease ends', async () =>
    expect(await claim(server.as('ida'), { queue: 'code', expiresAt: '2099-01-01T00:00:00.000Z' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/expiresAt' }] },
    }));

  // C01
  it('wins alone, of 50 that race for one task', async () => {
    const taskId = await server.queue();
    const agents = await Promise.all(Array.from({ length: 5 }, () => server.agent()));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => claim(agents[index % 5]!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(49);
    expect(await grants(server, taskId)).toBe(1);
  });
  it('wins a task of its own, of 50 that race for 10', async () => {
    const queued = await Promise.all(Array.from({ length: 10 }, () => server.queue()));
    const agents = await Promise.all(Array.from({ length: 5 }, () => server.agent()));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => claim(agents[index % 5]!)));
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.id as string);
    expect(won.sort()).toEqual(queued.sort());
    expect(await Promise.all(queued.map((taskId) => grants(server, taskId)))).toEqual(queued.map(() => 1));
  });

  // C07
  it('that is repeated by its key gets the same lease', async () => {
    const taskId = await server.queue();
    await server.queue();
    const first = await claim(server.as('ida'), { queue: 'code' }, 'once');
    const again = await claim(server.as('ida'), { queue: 'code' }, 'once');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await grants(server, taskId)).toBe(1);
    expect(await claim(server.as('ida'), { queue: 'code', model: 'm' }, 'once')).toMatchObject({
      status: 422,
      body: { code: 'idempotency/other-body' },
    });
    expect((await claim(server.as('ida'))).body.id).not.toBe(taskId);
  });
  it('that names another task under its key is refused, and gets no second lease', async () => {
    const [one, two] = [await server.queue(), await server.queue()];
    const ida = server.as('ida');
    expect(await claim(ida, { taskId: one }, 'named')).toMatchObject({ status: 200, body: { id: one } });
    expect(await claim(ida, { taskId: two }, 'named')).toMatchObject({ status: 422, body: { code: 'idempotency/other-body' } });
    expect(await claim(ida, { taskId: one }, 'named')).toMatchObject({ status: 200, body: { id: one } });
    expect(await claim(ida, {}, 'any')).toMatchObject({ status: 200, body: { id: two } });
    expect(await claim(ida, { taskId: one }, 'any')).toMatchObject({ status: 422, body: { code: 'idempotency/other-body' } });
    expect([await grants(server, one), await grants(server, two)]).toEqual([1, 1]);
  });
  it('whose hint is of a task that its agent reported meanwhile does not take that up again', async () => {
    const [taskId, ida] = [await server.queue(), server.as('ida')];
    const { id, tenant } = (await ida.get('/api/me')).body;
    const commandId = derivedId(tenant.id, id, 'POST /api/leases', digestOf({}), 'late');
    await server.test.database.projector.query(
      'insert into workbench.claims (command_id, tenant_id, task_id, fence) values ($1, $2, $3, 0)',
      [commandId, tenant.id, taskId],
    );
    await claim(ida, { taskId });
    const artifacts = [{ path: 'src/a', mediaType: 'text/plain', size: 1, sha256: 'a'.repeat(64) }];
    const report = {
      fence: '1',
      revision: 'c'.repeat(40),
      artifacts,
      changedPaths: [{ path: 'src/a', change: 'added' }],
      evidence: [],
      summary: 's',
    };
    expect(await ida.post(`/api/leases/${taskId}.1/report`, report)).toMatchObject({ status: 200 });
    expect((await claim(ida, { queue: 'code' }, 'late')).body?.id).not.toBe(taskId);
    expect(await grants(server, taskId)).toBe(1);
  });
  it('that is sent several times at once by one key gets one lease', async () => {
    await server.queue();
    await server.queue();
    const answers = await Promise.all(Array.from({ length: 8 }, () => claim(server.as('ida'), { queue: 'code' }, 'at-once')));
    const granted = answers.filter(({ status }) => status === 200);
    expect(new Set(granted.map(({ body }) => body.lease.leaseId as string)).size).toBe(1);
    expect((await server.as('otto').get('/api/queue')).body.items.length).toBeGreaterThanOrEqual(1);
  });

  it('waits for work as long as it says, and is woken by it', async () => {
    const began = Date.now();
    const waiting = claim(server.as('ida'), { queue: 'code', waitMs: 55_000 });
    const other = claim(await server.agent({ capabilities: ['studio'] }), { waitMs: 500 });
    const taskId = await server.queue();
    expect((await waiting).body.id).toBe(taskId);
    expect(Date.now() - began).toBeLessThan(20_000);
    expect((await other).status).toBe(204);
  });
  it('is woken by a lease that is given back', async () => {
    const taskId = await server.queue();
    const holder = await server.agent();
    const { lease } = (await claim(holder)).body;
    const began = Date.now();
    const waiting = claim(server.as('ida'), { queue: 'code', waitMs: 55_000 });
    await holder.post(`/api/leases/${lease.leaseId}/release`, { fence: '1', reason: 'going home' });
    expect((await waiting).body).toMatchObject({ id: taskId, fence: '2' });
    // By the release itself, not by looking again from time to time.
    expect(Date.now() - began).toBeLessThan(2_500);
  });
  it('lists what is claimable for it', async () => {
    await server.queue({ queue: 'studio', title: 'Draw' });
    const taskId = await server.queue();
    const coder = await server.agent();
    expect((await coder.get('/api/queue')).body).toMatchObject({ items: [{ taskId, status: 'queued', queue: 'code' }], next: null });
    expect((await server.as('otto').get('/api/queue?queue=studio')).body.items).toMatchObject([{ title: 'Draw' }]);
    const first = (await server.as('ida').get('/api/queue?limit=1')).body;
    expect((await server.as('ida').get(`/api/queue?limit=1&cursor=${first.next}`)).body.items).toMatchObject([{ taskId }]);
  });
});

describe('While read models stand still', () => {
  let worker: WorkServer;
  let one: WorkServer;
  let other: WorkServer;
  beforeAll(async () => {
    worker = await startWork();
    [one, other] = [await startWork({ test: worker.test, run: false }), await startWork({ test: worker.test, run: false })];
  });
  afterAll(async () => {
    // The worker last: the stores are its own.
    for (const each of [one, other, worker]) await each.close();
  });

  it('a claim that is repeated on another server gets the same lease, and others get none of it', async () => {
    const taskId = await worker.queue();
    const rival = await worker.agent();
    await worker.app.close();

    const first = await claim(one.as('ida'), { queue: 'code' }, 'lost');
    expect(first).toMatchObject({ status: 200, body: { id: taskId } });
    const again = await claim(one.as('ida').at(other.url), { queue: 'code' }, 'lost');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await claim(rival.at(other.url))).toMatchObject({ status: 204 });
    // Once the hint is old, the task is tried, and its stream says no.
    await worker.test.database.projector.query(`update workbench.claims set at = at - interval '1 minute'`);
    expect(await claim(rival.at(one.url))).toMatchObject({ status: 204 });
    expect(await claim(one.as('ida').at(other.url), { queue: 'code' }, 'lost')).toMatchObject({ status: 200, body: first.body });
    expect(await grants(one, taskId)).toBe(1);
    expect((await one.as('otto').get(`/api/tasks/${taskId}`)).body.status).toBe('leased');
    expect((await one.as('otto').get('/api/tasks')).body.items).toMatchObject([{ taskId, status: 'queued' }]);
  });
});

describe('A lease', () => {
  let server: WorkServer;
  beforeAll(async () => (server = await startWork()));
  afterAll(() => server.close());

  // C06, C08
  it('expires by itself where its holder gives no sign of life, and the third time exhausts the task', async () => {
    const taskId = await server.queue({ leaseMs: 150 });
    const next = await server.queue();
    for (const fence of ['1', '2', '3']) {
      const { body } = await claim(server.as('ida'), { taskId });
      expect(body.fence).toBe(fence);
      await eventually(async () => (await server.as('otto').get(`/api/tasks/${taskId}`)).body.attempts === Number(fence));
    }
    const { body } = await eventually(async () => {
      const listed = await server.as('otto').get('/api/tasks?status=exhausted');
      return listed.body.items.length > 0 && listed;
    });
    expect(body.items).toEqual([expect.objectContaining({ taskId, status: 'exhausted', attempts: 3 })]);
    expect(body.items[0]).not.toHaveProperty('holder');
    expect(body.items[0]).not.toHaveProperty('leaseExpiresAt');
    expect(await claim(server.as('ida'))).toMatchObject({ status: 200, body: { id: next } });
    expect(await claim(server.as('ida'), { taskId })).toMatchObject({ status: 409, body: { code: 'lease/not-claimable' } });

    expect(await server.as('otto').post(`/api/tasks/${taskId}/requeue`, { reason: 'Once more' })).toMatchObject({
      status: 200,
      body: { status: 'queued' },
    });
    expect(await claim(server.as('ida'), { taskId })).toMatchObject({ status: 200, body: { fence: '4' } });
  });
  it('lives as long as it is renewed', async () => {
    const taskId = await server.queue({ leaseMs: 400 });
    const { expiresAt } = (await claim(server.as('ida'), { taskId })).body;
    await eventually(async () => {
      const renewed = await server.as('ida').post(`/api/leases/${taskId}.1/renew`, { fence: '1' });
      expect(renewed.status).toBe(200);
      return Date.parse(renewed.body.expiresAt) > Date.parse(expiresAt) + 1_000;
    });
    expect((await server.as('otto').get(`/api/tasks/${taskId}`)).body.status).toBe('leased');
    await eventually(async () => (await server.as('otto').get(`/api/tasks/${taskId}`)).body.status === 'queued');
  });
  it('of a verifier that died blocks nothing', async () => {
    const taskId = await server.queue({ leaseMs: 300 });
    await claim(server.as('ida'), { taskId });
    const report = {
      fence: '1',
      revision: 'c'.repeat(40),
      artifacts: [{ path: 'src/a', mediaType: 'text/plain', size: 1, sha256: 'a'.repeat(64) }],
      changedPaths: [{ path: 'src/a', change: 'added' }],
      evidence: [],
      summary: 'Done.',
    };
    expect(await server.as('ida').post(`/api/leases/${taskId}.1/report`, report)).toMatchObject({
      status: 200,
      body: { status: 'reported' },
    });
    expect(await server.as('vera').post(`/api/verifications/${taskId}/claim`)).toMatchObject({ status: 200, body: { fence: '2' } });
    await eventually(async () => (await server.as('otto').get(`/api/tasks/${taskId}`)).body.status === 'reported');
    expect(await server.as('vera').post(`/api/verifications/${taskId}/claim`)).toMatchObject({ status: 200, body: { fence: '3' } });
  });
});
