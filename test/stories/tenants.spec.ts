import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Database } from '#libs/postgres';
import { Positions, Rebuild } from '#libs/projections';
import { Client } from '../support/client.js';
import { allEvents, countEvents } from '../support/stored-events.js';
import { eventually } from '../support/eventually.js';
import { createRepository, type Repository } from '../support/repository.js';
import { claim, createRecord, eveFor, implement, propose, queueTask, receiptOf, ship, verify } from '../support/round-trip.js';
import { routes, type World } from '../support/routes.js';
import { findTenantLeaks } from '../support/row-level-security.js';
import { foundTenant } from '../support/tenants.js';
import { startWorkbench, type Cast, type Workbench } from '../support/workbench.js';

/** Not of a tenant: documentation, probes, the console's files. */
const OUTSIDE = /^GET \/(docs|health|metrics|$)|\/api\/events\/stream$/;

describe('A tenant', () => {
  let bench: Workbench;
  let repository: Repository;
  let world: World;
  let strangers: Cast;
  beforeAll(async () => {
    bench = await startWorkbench();
    repository = createRepository();
    world = await livedIn(bench.cast, repository);
    strangers = await foundTenant(bench.cast, bench.url, 'Other');
    strangers = { ...strangers, eve: await eveFor(strangers, strangers.mia) };
  });
  afterAll(async () => {
    await bench.stop();
    repository.remove();
  });
  const total = () => countEvents(bench.server.app);
  const send = (client: Client, { route, path, body, bytes }: (typeof routes)[number]) => {
    const [method, pattern] = route.split(' ') as [string, string];
    const where = path?.(world) ?? pattern;
    return bytes ? client.put(where, bytes(world)) : client.call(method, where, body && JSON.stringify(body(world)));
  };

  it('has every route in one table', () => {
    expect(routes.map(({ route }) => route).sort()).toEqual(documented(bench.server.app));
  });

  describe.each(routes.filter(({ reach }) => reach === 'foreign'))('keeps to itself: $route', (row) => {
    it('is not found from another tenant, and nothing is written', async () => {
      const before = await total();
      const answer = await send(strangers[row.as as keyof Cast], row);
      expect([row.route, answer.status, answer.body.code]).toEqual([row.route, 404, expect.stringMatching(/not-found$/)]);
      expect(await total()).toBe(before);
    });

    it('is found at home', async () => {
      if (/^(POST|DELETE)/.test(row.route)) return; // what writes is shown by the other stories
      expect((await send(bench.cast[row.as as keyof Cast], row)).status).toBe(200);
    });
  });

  it.each(routes.filter(({ reach }) => reach === 'own'))('shows another nothing of itself: $route', async (row) => {
    const answer = await send(strangers[row.as as keyof Cast], row);
    expect(answer.status).toBeLessThan(500);
    const text = JSON.stringify(answer.body);
    for (const [name, id] of Object.entries(world)) if (name !== 'artifact') expect([name, text.includes(id)]).toEqual([name, false]);
  });

  it('is not reached by naming its workspace or by a delegation of its people', async () => {
    const named = strangers.mia.with({ 'workbench-workspace': world.workspaceId });
    expect(await named.get('/api/records')).toMatchObject({ status: 404, body: { code: 'workspace/not-found' } });
    const { body } = await bench.cast.mia.post('/api/delegations');
    const borrowed = new Client(bench.url, strangers.eve.credential, { 'workbench-delegation': body.delegation });
    expect(await propose(borrowed, 'record.create', { kind: 'work_item', fields: { title: 'X' } })).toMatchObject({
      status: 403,
      body: { code: 'delegation/foreign' },
    });
  });

  it('shows nothing in any table or view without its name set, before and after a rebuild that changes no row and writes no event', async () => {
    const { app } = bench.server;
    const database = app.get(Database);
    await app.get(Positions).waitFor((await allEvents(app)).at(-1)!.position, 10_000);
    const dump = () => rowsOf(database);
    const [rows, events, feed] = [await dump(), await total(), await feedHead(database)];
    const found = await findTenantLeaks(database);
    expect(found.leaks).toEqual([]);
    expect(found.filled).toEqual(
      expect.arrayContaining([
        'es.events',
        'read_models.confirmations',
        'read_models.tasks',
        'read_models.records',
        'read_models.sessions',
        'workbench.feed',
        'workbench.artifacts',
      ]),
    );

    await app.get(Rebuild).rebuildAll();
    expect(await dump()).toEqual(rows);
    expect(await total()).toBe(events);
    expect(await feedHead(database)).toBe(feed);
    expect((await findTenantLeaks(database)).leaks).toEqual([]);
    expect((await bench.cast.mia.get(`/api/records/${world.recordId}`)).status).toBe(200);
    await eventually(async () => (await bench.cast.ann.get('/api/confirmations?status=pending')).body.items.length === 1);
  });
});

/** A tenant in which all of the round trip has happened, and one card is pending. */
const livedIn = async (cast: Cast, repository: Repository): Promise<World> => {
  const { taskId, auditId } = await queueTask(cast, repository);
  const { body } = await claim(cast.ida, taskId);
  const reported = await implement(cast.ida, repository, body.lease);
  await verify(cast.vera, taskId);
  await ship(cast.otto, taskId, reported.revision);
  const { receiptId } = await receiptOf(cast.otto, taskId);
  const recordId = await createRecord(cast, 'work_item', { title: 'Ours' });
  const pending = await propose(await eveFor(cast, cast.mia), 'record.change', { recordId, changes: { title: 'Still ours' } });
  const task = (await cast.otto.get(`/api/tasks/${taskId}`)).body;
  const session = await askedSession(cast);
  const me = (await cast.mia.get('/api/me')).body;
  return {
    recordId,
    confirmationId: pending.body.confirmationId,
    taskId,
    leaseId: `${taskId}.1`,
    reportDigest: reported.body.reportDigest,
    receiptId,
    auditId,
    artifact: task.report.evidence[0].outputSha256,
    ...session,
    ...(await askedPermission(cast)),
    credentialId: me.credentialId,
    principalId: me.id,
    tenantId: me.tenant.id,
    workspaceId: me.workspaces[0].id,
  };
};

/** A session of Ida's in which one grant was stored and one approval waits for Ian. */
const askedSession = async ({ ida, ian }: Cast): Promise<Pick<World, 'sessionId' | 'approvalId' | 'sessionGrantId'>> => {
  const { sessionId } = (await ida.post('/api/agent/sessions')).body;
  const ask = async (command: string) =>
    (await ida.post(`/api/agent/sessions/${sessionId}/approvals`, { tool: 'bash', reason: 'asks', toolInput: { command } })).body;
  await ask('npm test');
  const { grant } = (await ian.post(`/api/agent/sessions/${sessionId}/approvals/resolve`, { allow: true, remember: true })).body;
  const { approvalId } = await ask('npm run build');
  return { sessionId, approvalId, sessionGrantId: grant.grantId };
};

/** A call of Eve's that waits for Mia, and a grant of Mia's. */
const askedPermission = async ({ eve, mia }: Cast): Promise<Pick<World, 'requestId' | 'grantId'>> => {
  const ask = async (command: string) =>
    (await eve.post('/api/hooks/classify', { toolName: 'bash', toolInput: { command }, agentId: 'agent_1' })).body.requestId;
  const { body } = await mia.post('/api/permissions', { requestId: await ask('git push origin main'), decision: 'approve_always' });
  return { requestId: await ask('node x.js'), grantId: body.grants[0] };
};

const documented = (app: INestApplication): string[] => {
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  return Object.entries(document.paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => !OUTSIDE.test(route))
    .sort();
};

/** Every row of every read model, as text. */
const rowsOf = async (database: Database): Promise<Record<string, string[]>> => {
  const { rows } = await database.projector.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'read_models'::regnamespace and relkind = 'r' order by 1`,
  );
  const contents = await Promise.all(
    rows
      .filter(({ name }) => name !== 'checkpoints')
      .map(
        async ({ name }) =>
          [
            name,
            (await database.projector.query<{ row: string }>(`select t::text as row from read_models.${name} t order by 1`)).rows.map(
              ({ row }) => row,
            ),
          ] as const,
      ),
  );
  return Object.fromEntries(contents);
};

const feedHead = async (database: Database): Promise<string> =>
  (await database.projector.query<{ id: string }>('select coalesce(max(id), 0)::text as id from workbench.feed')).rows[0]!.id;
