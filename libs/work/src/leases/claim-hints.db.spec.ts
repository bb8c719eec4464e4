import { EventTypes, handleCommand, InMemoryEventStore, newId, NO_STREAM, type EventStore } from '#libs/kernel';
import { metaOf, noted } from '#libs/kernel/testing';
import { openPostgresEventStore, type PostgresEventStore } from '#libs/event-store';
import { openDatabase, type Database } from '#libs/postgres';
import { query } from '../../../../test/support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { taskDecider } from '../task.decider.js';
import { taskEvents } from '../task-events.js';
import { agent, queued } from '../testing/tasks.js';
import { ClaimHints } from './claim-hints.js';

describe('The hint of a claim', () => {
  const types = new EventTypes();
  let test: TestDatabase;
  let database: Database;
  let store: PostgresEventStore;
  beforeAll(async () => {
    test = await createTestDatabase();
    // The server of the tests spares the disk.
    const { rows } = await test.database.projector.query<{ name: string }>('select current_database() as name');
    await query(test.urls.owner, `alter database ${rows[0]!.name} set synchronous_commit = on`);
    database = await openDatabase(test.urls);
    store = await openPostgresEventStore(database, types);
    // Deferred to the commit, it sees how that is going to be.
    await query(
      test.urls.owner,
      `create table workbench.commits (how text);
       grant insert, select, delete on workbench.commits to workbench_projector;
       create function workbench.note_commit() returns trigger language plpgsql as
         $$ begin insert into workbench.commits values (current_setting('synchronous_commit')); return null; end $$;
       create constraint trigger note_commit after insert or update on workbench.claims
         deferrable initially deferred for each row execute function workbench.note_commit()`,
    );
  });
  afterAll(async () => {
    store.close();
    await database.close();
    await test.drop();
  });

  const tenantId = newId();
  const workspaceId = newId();
  const queue = async (minute: number, name: string): Promise<string> => {
    const taskId = newId();
    await database.projector.query(
      `insert into read_models.tasks (task_id, tenant_id, workspace_id, status, queue, requester_id, queued_at, fence, task)
       values ($1, $2, $3, 'queued', $4, $2, '2026-01-05T10:00:00Z'::timestamptz + make_interval(mins => $5), 0, '{}')`,
      [taskId, tenantId, workspaceId, name, minute],
    );
    return taskId;
  };
  const next = (hints: ClaimHints, queues = ['code', 'content'], commandId = newId()) =>
    hints.next({ commandId, tenantId, workspaceIds: [workspaceId], queues, tried: [] });
  const forget = () => database.projector.query('delete from read_models.tasks');
  const commits = async () => (await database.projector.query<{ how: string }>('delete from workbench.commits returning how')).rows;

  it('takes as many pages of the database with thousands of tasks as with few, however they spread over queues and states', async () => {
    const fill = (status: string, count: number) =>
      database.projector.query(
        `insert into read_models.tasks (task_id, tenant_id, workspace_id, status, queue, requester_id, queued_at, fence, task)
         select gen_random_uuid(), $1, $2, $3, 'code', $1, now() - make_interval(secs => nth), 0, '{}' from generate_series(1, $4::int) nth`,
        [tenantId, workspaceId, status, count],
      );
    const pages = async () => {
      await query(test.urls.owner, 'vacuum analyze read_models.tasks');
      const { rows } = await database.projector.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) select * from workbench.claim_hints($1, $2, $3, $4, '{}', true)`,
        [[newId()], tenantId, [workspaceId], ['code', 'content', 'studio']],
      );
      const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
      return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
    };
    await fill('queued', 100);
    await pages(); // its statements are planned
    const few = await pages();
    await fill('queued', 3000);
    expect(await pages()).toBeLessThan(few + 100);
    await fill('shipped', 3000);
    expect(await pages()).toBeLessThan(few + 100);
    await forget();
  });

  it('is of the oldest task of all its queues, and keeps others off it', async () => {
    const hints = new ClaimHints(database, store, types);
    const [third, first, second, other] = [
      await queue(3, 'code'),
      await queue(1, 'content'),
      await queue(2, 'code'),
      await queue(0, 'studio'),
    ];
    const key = newId();
    expect(await next(hints, ['code', 'content'], key)).toBe(first);
    expect(await next(hints, ['code', 'content'], key)).toBe(first);
    expect([await next(hints), await next(hints), await next(hints)]).toEqual([second, third, undefined]);
    expect(await next(hints, ['studio'])).toBe(other);
  });

  it('passes over a task that another claim looks at', async () => {
    const hints = new ClaimHints(database, store, types);
    const [first, second] = [await queue(1, 'code'), await queue(2, 'code')];
    const client = await database.projector.connect();
    await client.query('begin');
    await client.query('select from read_models.tasks where task_id = $1 for update', [first]);
    expect([await next(hints), await next(hints)]).toEqual([second, undefined]);
    await client.query('rollback');
    client.release();
    expect(await next(hints)).toBe(first);
  });

  it.each([
    ['one queue', ['code']],
    ['several queues', ['code', 'content']],
  ])('of claims that look at once in %s gives each a task of its own, the oldest to the first, in one statement', async (_, queues) => {
    const hints = new ClaimHints(database, store, types);
    const [second, first] = [await queue(2, 'code'), await queue(1, 'code')];
    const key = newId();
    const asked = jest.spyOn(database.projector, 'query');
    const found = await Promise.all([next(hints, queues, key), next(hints, queues, key), next(hints, queues), next(hints, queues)]);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
    expect(found).toEqual([first, first, second, undefined]);
    // Another server knows which command went for which task.
    expect(
      await Promise.all([next(new ClaimHints(database, store, types), queues), next(new ClaimHints(database, store, types), queues, key)]),
    ).toEqual([undefined, first]);
    await forget();
  });

  it('brings the events of its task along, whole and once, so that the claim is decided without another read', async () => {
    const known = new EventTypes(taskEvents);
    const own = await openPostgresEventStore(database, known);
    const hints = new ClaimHints(database, own, known);
    const [taskId, one] = [await queue(1, 'code'), newId()];
    const history = queued.map((event, nth) => ({ ...event, id: newId(), meta: { ...noted(nth).meta, tenantId, workspaceId } }));
    await own.append(`task-${taskId}`, history, NO_STREAM);
    expect(await next(hints, ['code'], one)).toBe(taskId);
    await database.projector.query(`update workbench.claims set at = at - interval '4 seconds'`);
    // Two commands that went for the same task.
    const server = await openPostgresEventStore(database, known);
    const twice = new ClaimHints(database, server, known);
    expect(await Promise.all([next(twice, ['code'], one), next(twice, ['code'])])).toEqual([taskId, taskId]);
    const asked = jest.spyOn(server, 'readStream');
    const actor = agent(newId(), { tenantId, workspaceIds: [workspaceId] });
    const meta = { ...metaOf(actor), tenantId, workspaceId, commandId: newId() };
    const granted = await handleCommand(server, taskDecider, taskId, {
      type: 'ClaimTask',
      data: { capabilities: ['code'], amend: false },
      meta,
    });
    expect(granted).toMatchObject({ revision: 1n, state: { status: 'leased' } });
    expect(asked).not.toHaveBeenCalled();
    for (const each of [own, server]) each.close();
    await forget();
  });

  it('of claims that look at once for different things is of what each looks for', async () => {
    const hints = new ClaimHints(database, store, types);
    const [code, content] = [await queue(1, 'code'), await queue(2, 'content')];
    const stranger = hints.next({ commandId: newId(), tenantId: newId(), workspaceIds: [workspaceId], queues: ['code'], tried: [] });
    const elsewhere = hints.next({ commandId: newId(), tenantId, workspaceIds: [newId()], queues: ['code'], tried: [] });
    expect(await Promise.all([stranger, elsewhere, next(hints, ['content']), next(hints, ['code'])])).toEqual([
      undefined,
      undefined,
      content,
      code,
    ]);
    await forget();
  });

  it('keeps others off a task for 3 seconds, and goes elsewhere itself where that was refused', async () => {
    const hints = new ClaimHints(database, store, types);
    const [first, second, key] = [await queue(1, 'code'), await queue(2, 'code'), newId()];
    expect(await next(hints, ['code'], key)).toBe(first);
    const search = { commandId: key, tenantId, workspaceIds: [workspaceId], queues: ['code'], tried: [first] };
    expect(await hints.next(search)).toBe(second);
    expect(await next(hints, ['code'], key)).toBe(second);
    expect(await next(hints, ['code'])).toBe(first);
    expect(await next(hints, ['code'])).toBeUndefined();
    await database.projector.query(`update workbench.claims set at = at - interval '4 seconds'`);
    expect(await next(hints, ['code'])).toBe(first);
    await forget();
  });

  it.each<[string, string, () => EventStore]>([
    ['leaves the flush to its lease where that is written to the same database', 'off', () => store],
    ['is flushed by itself where events lie elsewhere', 'on', () => new InMemoryEventStore(types)],
  ])('%s', async (_, how, into) => {
    await commits();
    const taskId = await queue(1, 'code');
    const hints = new ClaimHints(database, into(), types);
    expect(await next(hints)).toBe(taskId);
    expect(await commits()).toEqual([{ how }]);
    // For this one statement only.
    const settings = await Promise.all(Array.from({ length: 4 }, () => database.projector.query('show synchronous_commit')));
    for (const { rows } of settings) expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('is flushed where a claim names its task: what it says of the key must outlast a refusal', async () => {
    await commits();
    await new ClaimHints(database, store, types).keep({ commandId: newId(), tenantId }, newId());
    expect(await commits()).toEqual([{ how: 'on' }]);
  });
});
