import { eventually } from '../../../test/support/eventually.js';
import { TENANT } from '#libs/kernel/testing';
import { tenantScope } from '#libs/postgres';
import { compareSchemas } from './compare-schemas.js';
import type { Projection } from './projection.js';
import { AT, boxes, BoxRow, emptied, emptying, filled, newBox, openBoxes, owners, storeLike, type Boxes } from './testing/boxes.js';

jest.setTimeout(60_000);

describe('A rebuild', () => {
  let world: Boxes;
  beforeEach(async () => {
    world = await openBoxes();
  });
  afterEach(() => world.close());

  const far = '2999-01-01T00:00:00.000Z';
  const deadlines = [emptying({ empty: () => Promise.resolve() })];
  const history = async (streams: readonly string[], each: number) => {
    await Promise.all(
      streams.map((stream, index) =>
        world.append(
          stream,
          ...Array.from({ length: each }, (_, count) =>
            count % 7 === 6 ? emptied() : filled(count + index, `owner ${(count + index) % 9}`, far),
          ),
          ...(index % 10 === 0 ? [{ type: 'BoxBroken', data: { at: '' } } as const] : []),
        ),
      ),
    );
  };
  const sizes = () =>
    world.rows(
      `select (select count(*)::int from es.events) as events, (select count(*)::int from workbench.feed) as feed, (select head from workbench.feed_head) as head`,
    );
  const schemas = async () =>
    (await world.rows(`select nspname from pg_namespace where nspname like 'read_models%' order by 1`)).map(
      ({ nspname }) => nspname as string,
    );

  it('gives exactly the rows that are served, and leaves no event, no announcement and no trace', async () => {
    const { positions, rebuild } = await world.started({ deadlines });
    await history(Array.from({ length: 40 }, newBox), 60);
    await positions.waitFor(await world.append(newBox(), filled(1)), 20_000);
    await world.admin('create schema before; grant usage on schema before to workbench_projector');
    for (const table of ['boxes', 'owners', 'deadlines'])
      await world.admin(
        `create table before.${table} as select * from read_models.${table}; grant select on before.${table} to workbench_projector`,
      );
    const before = await sizes();
    expect(await rebuild.rebuildAll()).toMatchObject({ events: 2405 });
    const { projector } = world.database.database;
    expect(await compareSchemas(projector, 'before', 'read_models', ['boxes', 'owners', 'deadlines'])).toEqual([]);
    expect(await sizes()).toEqual(before);
    expect(await schemas()).toEqual(['read_models']);
  });

  it('makes tables like the served ones: columns, indexes by name, options, policies, grants', async () => {
    const { positions, rebuild } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    const shape = () =>
      world.admin(`
        select 'column' as what, table_name || '.' || column_name as name, concat_ws(' ', data_type, is_nullable, column_default) as definition
          from information_schema.columns where table_schema = 'read_models'
        union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'read_models'
        union all select 'constraint', c.relname || '.' || conname, pg_get_constraintdef(o.oid) from pg_constraint o join pg_class c on c.oid = conrelid where c.relnamespace = 'read_models'::regnamespace
        union all select 'policy', tablename || '.' || policyname, concat_ws(' ', cmd, roles::text, qual, with_check) from pg_policies where schemaname = 'read_models'
        union all select 'table', relname, concat_ws(' ', relacl::text, reloptions::text, relrowsecurity::text, relforcerowsecurity::text, pg_get_userbyid(relowner))
          from pg_class where relnamespace = 'read_models'::regnamespace and relkind = 'r'
        union all select 'columns', c.relname || '.' || attname, attacl::text from pg_attribute join pg_class c on c.oid = attrelid where c.relnamespace = 'read_models'::regnamespace and attacl is not null
        union all select 'schema', nspname, array(select x::text from unnest(nspacl) as x order by 1)::text || pg_get_userbyid(nspowner) from pg_namespace where nspname = 'read_models'
        order by 1, 2`);
    const before = await shape();
    expect(before.length).toBeGreaterThan(40);
    await rebuild.rebuildAll();
    expect(await shape()).toEqual(before);
    const read = (tenant: string) => tenantScope(world.database.database, tenant, (manager) => manager.count(BoxRow));
    expect([await read(TENANT), await read('0192f0c1-0000-7000-8000-00000000000c')]).toEqual([1, 0]);
  });

  it('runs beside live writes and reads, and takes the place of the served tables without losing or repeating any', async () => {
    const { positions, rebuild, status } = await world.started({ deadlines });
    const streams = Array.from({ length: 40 }, newBox);
    await history(streams.slice(0, 30), 100);
    let going = true;
    const errors: unknown[] = [];
    const writing = (async () => {
      let last = '';
      for (let count = 0; going; count++) last = await world.append(streams[30 + (count % 10)]!, filled(1, `owner ${count % 9}`, far));
      return last;
    })();
    const reading = (async () => {
      // Two reads of one moment agree, before, while and after the tables change places.
      while (going)
        await tenantScope(
          world.database.database,
          TENANT,
          async (manager) => {
            const [first] = await manager.query<{ revisions: string }[]>(
              'select coalesce(sum(revision + 1), 0) as revisions from boxes where box_id = any($1)',
              [streams.slice(30).map((stream) => stream.slice(4))],
            );
            const [second] = await manager.query<{ revisions: string; position: string }[]>(
              'select coalesce(sum(revision + 1), 0) as revisions from boxes where box_id = any($1)',
              [streams.slice(30).map((stream) => stream.slice(4))],
            );
            if (first!.revisions !== second!.revisions) errors.push([first, second]);
            const [owned] = await manager.query<{ events: number }[]>('select coalesce(sum(events), 0)::int as events from owners');
            if (owned!.events < Number(second!.revisions)) errors.push([owned, second]);
          },
          { isolation: 'REPEATABLE READ' },
        ).catch((error: unknown) => errors.push(error));
    })();
    for (let round = 0; round < 3; round++) await rebuild.rebuildAll();
    going = false;
    await reading;
    await positions.waitFor(await writing, 10_000);
    expect(errors).toEqual([]);
    expect(await rebuild.verify()).toEqual([]);
    expect(await world.rows(`select coalesce(sum(events), 0)::int as events from owners`)).toEqual(
      await world.rows(`select count(*)::int as events from es.events where type = 'BoxFilled'`),
    );
    expect(await world.rows('select count(*)::int as entries, count(distinct event_id)::int as events from workbench.feed')).toEqual(
      await world.rows('select count(*)::int as entries, count(*)::int as events from es.events'),
    );
    await eventually(async () => (await status.read()).ok);
    expect(await schemas()).toEqual(['read_models']);
  });

  it('that dies on the way leaves the old tables served, and the next one starts clean', async () => {
    const { positions, rebuild } = await world.started();
    await history(Array.from({ length: 30 }, newBox), 100);
    await positions.waitFor(await world.append(newBox(), filled(1)), 10_000);
    let pages = 0;
    const doomed = world.runtime({
      store: storeLike(world.store, {
        readAll: async (after, limit) => {
          if (++pages === 3)
            await world.admin(
              `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'workbench-rebuild' and datname = current_database()`,
            );
          return world.store.readAll(after, limit);
        },
      }),
    });
    await expect(doomed.rebuild.rebuildAll()).rejects.toThrow();
    expect(await schemas()).toEqual(['read_models', 'read_models_next']);
    await positions.waitFor(await world.append(newBox(), filled(1)), 10_000);
    expect(await rebuild.verify()).toEqual([]);
    expect(await schemas()).toEqual(['read_models']);
    await rebuild.rebuildAll();
    expect(await world.rows('select sum(events)::int as events from owners')).toEqual(
      await world.rows(`select count(*)::int as events from es.events where type = 'BoxFilled'`),
    );
  });

  it('is the only one at a time', async () => {
    const [one, other] = [await world.started(), await world.started()];
    await history(Array.from({ length: 20 }, newBox), 100);
    await one.positions.waitFor(await world.append(newBox(), filled(1)), 10_000);
    const outcomes = await Promise.allSettled([one.rebuild.rebuildAll(), other.rebuild.rebuildAll()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ refusal: expect.objectContaining({ code: 'rebuild/running' }) }),
    });
  });

  it('tells where rows differ from what was served, and does not hide it', async () => {
    const { positions, rebuild } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    await world.admin(`update read_models.boxes set amount = 77`);
    expect(await rebuild.verify()).toEqual([
      { table: 'boxes', onlyInFirst: 1, onlyInSecond: 1, example: expect.stringContaining(',77,') as string },
    ]);
    await rebuild.rebuildAll();
    expect(await world.rows('select amount from boxes')).toEqual([{ amount: 1 }]);
    expect(await rebuild.verify()).toEqual([]);
  });

  it('stops at an event that a projection cannot digest, names it, and leaves the old tables served', async () => {
    const { positions } = await world.started();
    await history(Array.from({ length: 30 }, newBox), 100);
    const position = await world.append(newBox(), filled(123_456));
    await positions.waitFor(await world.append(newBox(), filled(1)), 10_000);
    const strict: Projection = {
      ...boxes,
      evolve: {
        ...boxes.evolve,
        BoxFilled: (row, event, key) => {
          if (event.data.amount === 123_456) throw new Error('Suspicious.');
          return boxes.evolve.BoxFilled!(row, event, key);
        },
      },
    };
    const { rebuild } = world.runtime({ projections: [strict, owners] });
    await expect(rebuild.rebuildAll()).rejects.toMatchObject({
      name: 'RebuildError',
      projection: 'boxes',
      position,
      message: expect.stringContaining('Suspicious.'),
    });
    expect(await world.rows('select 1 as one from boxes where amount = 123456')).toHaveLength(1);
    expect(await schemas()).toEqual(['read_models']);
  });

  describe('at the start of a server', () => {
    const doubled: Projection = {
      ...boxes,
      version: 2,
      evolve: {
        ...boxes.evolve,
        BoxFilled: (row, event, key) =>
          boxes.evolve.BoxFilled!(row, { ...event, data: { ...event.data, amount: event.data.amount * 2 } }, key),
      },
    };
    const ready = (runtime: Awaited<ReturnType<Boxes['started']>>) =>
      eventually(async () => {
        const { projections, ok } = await runtime.status.read();
        return ok && projections.every(({ state }) => state === 'live');
      }, 20_000);

    it('is made where a projection has a new version, announces nothing that was announced, and misses nothing', async () => {
      const first = await world.started();
      const box = newBox();
      await first.positions.waitFor(await world.append(box, filled(1)), 5000);
      await first.stop();
      await world.append(box, filled(2));
      const second = await world.started({ projections: [doubled, owners] });
      await second.positions.waitFor(await world.append(box, filled(3)), 20_000);
      expect(await world.rows('select amount from boxes')).toEqual([{ amount: 12 }]);
      expect(await world.rows('select id, data from workbench.feed order by id')).toEqual([
        { id: '1', data: { amount: 1, type: 'BoxFilled' } },
        { id: '2', data: { amount: 6, type: 'BoxFilled' } },
        { id: '3', data: { amount: 12, type: 'BoxFilled' } },
      ]);
      await ready(second);
      expect((await second.status.read()).projections).toMatchObject([{ name: 'boxes', version: 2 }, { version: 1 }]);
    });

    it('is made where a projection is new, without announcing the past', async () => {
      const first = await world.started({ projections: [owners] });
      await first.positions.waitFor(await world.append(newBox(), filled(1)), 5000);
      await first.stop();
      const second = await world.started();
      await second.positions.waitFor(await world.append(newBox(), filled(2)), 20_000);
      await ready(second);
      expect(await world.rows('select amount from boxes order by amount')).toEqual([{ amount: 1 }, { amount: 2 }]);
      expect(await world.rows('select data from workbench.feed')).toEqual([{ data: { amount: 2, type: 'BoxFilled' } }]);
    });

    it('leaves the other projections live, and waits for an operator, when it fails', async () => {
      const first = await world.started();
      await first.positions.waitFor(await world.append(newBox(), filled(5)), 5000);
      await first.stop();
      let broken = true;
      const second = await world.started({
        projections: [
          {
            ...boxes,
            version: 2,
            evolve: {
              BoxFilled: (row, event, key) => {
                if (broken) throw new Error('Not yet.');
                return boxes.evolve.BoxFilled!(row, event, key);
              },
            },
          },
          owners,
        ],
      });
      const fault = await eventually(async () => (await second.status.read()).projections.find(({ state }) => state === 'faulted'));
      expect(fault).toMatchObject({ name: 'boxes', reason: expect.stringContaining('Not yet. at 1') as string });
      await second.positions.waitFor(await world.append(newBox(), filled(6)), 5000);
      expect(await world.rows('select amount from boxes')).toEqual([{ amount: 5 }]);
      broken = false;
      await second.status.retry('boxes');
      await ready(second);
      await second.positions.waitFor(await world.append(newBox(), filled(7)), 5000);
      expect(await world.rows('select amount from boxes order by 1')).toEqual([{ amount: 5 }, { amount: 6 }, { amount: 7 }]);
    });

    it('never goes back: a server with an older version does not lead', async () => {
      const newer = await world.started({ projections: [doubled, owners] });
      await newer.positions.waitFor(await world.append(newBox(), filled(1)), 5000);
      await newer.stop();
      const older = await world.started();
      await eventually(() => world.reports.some((report) => report.includes('boxes was filled by a newer server (version 2)')));
      await expect(older.rebuild.rebuildAll()).rejects.toThrow('newer server');
      await older.stop();
      const again = await world.started({ projections: [doubled, owners] });
      await again.positions.waitFor(await world.append(newBox(), filled(2)), 10_000);
    });
  });

  it('keeps times as they were: the rows of one moment are the same whatever zone a machine is in', async () => {
    const { positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1, 'ann', '2026-01-05T18:00:00.123+09:00')), 5000);
    expect(await world.rows('select changed_at from boxes')).toEqual([{ changed_at: AT }]);
  });
});
