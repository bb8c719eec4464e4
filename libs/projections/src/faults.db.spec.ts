import { eventually } from '../../../test/support/eventually.js';
import { applyPage, FencedError } from './batch.js';
import { dedicated } from './connection.js';
import { projectionFolder, type Folder } from './folder.js';
import type { Projection } from './projection.js';
import { reconcile } from './reconcile.js';
import { AT, boxes, boxEvent, emptied, filled, newBox, openBoxes, owners, storeLike, type Boxes } from './testing/boxes.js';
import { recorded } from '#libs/kernel/testing';

jest.setTimeout(30_000);

let world: Boxes;
beforeEach(async () => {
  world = await openBoxes();
});
afterEach(() => world.close());

describe('A projection that cannot digest an event', () => {
  const fussy = (broken: () => boolean): Projection => ({
    ...boxes,
    evolve: {
      ...boxes.evolve,
      BoxFilled: (row, event, key) => {
        if (event.data.amount === 5 && broken()) throw new Error('Five is right out.');
        return boxes.evolve.BoxFilled!(row, event, key);
      },
    },
  });
  const fill = async () => {
    let fifth = '';
    for (let amount = 1; amount <= 10; amount++) {
      const position = await world.append(newBox(), filled(amount));
      if (amount === 5) fifth = position;
    }
    return fifth;
  };
  const faulted = async ({ status }: Awaited<ReturnType<Boxes['started']>>) =>
    eventually(async () => (await status.read()).projections.find(({ name, state }) => name === 'boxes' && state === 'faulted'));

  it('is tried four times with growing pauses, then stops before it with position and reason, while the others go on', async () => {
    let tries = 0;
    const runtime = await world.started({ projections: [fussy(() => ++tries > 0), owners] });
    const fifth = await fill();
    const began = performance.now();
    expect(await faulted(runtime)).toMatchObject({ failedAt: fifth, reason: 'Error: Five is right out.' });
    expect(performance.now() - began).toBeGreaterThan(600);
    expect(tries).toBeLessThan(20);
    await runtime.positions.waitFor(await world.append(newBox(), filled(11)), 5000);
    expect(await world.rows('select events from owners')).toEqual([{ events: 11 }]);
    expect(await world.rows('select count(*)::int as count from boxes')).toEqual([{ count: 4 }]);
    expect(await runtime.status.read()).toMatchObject({ ok: false, led: true, lag: { events: 0 } });
  });

  it('goes on without it when an operator skips it, and a rebuild skips it as well', async () => {
    const runtime = await world.started({ projections: [fussy(() => true), owners] });
    const fifth = await fill();
    await faulted(runtime);
    await expect(runtime.status.skip('boxes', '1')).rejects.toMatchObject({ refusal: { code: 'projection/not-stuck' } });
    await expect(runtime.status.skip('crates', fifth)).rejects.toMatchObject({ refusal: { code: 'projection/not-found' } });
    await runtime.status.skip('boxes', fifth);
    await eventually(async () => (await runtime.status.read()).ok);
    await runtime.positions.waitFor(await world.append(newBox(), filled(11)), 5000);
    const shown = 'select array_agg(amount order by amount) as amounts from boxes';
    expect(await world.rows(shown)).toEqual([{ amounts: [1, 2, 3, 4, 6, 7, 8, 9, 10, 11] }]);
    expect(await runtime.rebuild.verify()).toEqual([]);
    await runtime.rebuild.rebuildAll();
    expect(await world.rows(shown)).toEqual([{ amounts: [1, 2, 3, 4, 6, 7, 8, 9, 10, 11] }]);
  });

  it('goes on with it when its cause is gone and an operator says retry, and announces what it missed', async () => {
    let broken = true;
    const runtime = await world.started({ projections: [fussy(() => broken), owners] });
    await fill();
    await faulted(runtime);
    broken = false;
    await runtime.status.retry('boxes');
    await runtime.positions.waitFor(await world.append(newBox(), filled(11)), 5000);
    await eventually(async () => (await world.rows('select 1 from boxes')).length === 11);
    expect(await world.rows('select count(*)::int as count from workbench.feed')).toEqual([{ count: 11 }]);
    await expect(runtime.status.retry('boxes')).rejects.toMatchObject({ refusal: { code: 'projection/not-stuck' } });
  });

  it('is found where the database refuses its row in the middle of a full page', async () => {
    const streams = Array.from({ length: 400 }, newBox);
    const positions = await Promise.all(streams.map((stream, index) => world.append(stream, filled(index === 237 ? 5_000_000 : 1))));
    const runtime = await world.started();
    expect(await faulted(runtime)).toMatchObject({
      failedAt: positions[237],
      reason: expect.stringContaining('check constraint') as string,
    });
    await runtime.status.skip('boxes', positions[237]!);
    await runtime.positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    await eventually(async () => (await world.rows('select 1 from boxes')).length === 400);
  });

  it('is the one that announces what cannot be announced, and no other', async () => {
    const loud: Projection = {
      ...owners,
      feed: (event, row) => ({ ...boxes.feed!(event as never, row as never)!, workspaceId: 'nowhere' }),
    };
    const runtime = await world.started({ projections: [boxes, loud] });
    await world.append(newBox(), filled(1));
    const fault = await eventually(async () => (await runtime.status.read()).projections.find(({ state }) => state === 'faulted'));
    expect(fault).toMatchObject({ name: 'owners', reason: 'Error: A feed entry of kind box names no tenant or workspace.' });
    await runtime.positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    expect(await world.rows('select 1 as row from boxes')).toHaveLength(2);
  });
});

describe('Of two projectors at once', () => {
  it('one writes each page and the other is fenced off', async () => {
    const folders = [boxes, owners].map((projection) => projectionFolder(world.database.database.projectorSource, projection));
    const [one, other] = [
      await dedicated(world.database.database.projector, 'one'),
      await dedicated(world.database.database.projector, 'other'),
    ];
    await reconcile(one, world.store, folders);
    const streams = Array.from({ length: 50 }, newBox);
    let fenced = 0;
    for (let round = 0; round < 100; round++) {
      const events = streams.map((stream, index) =>
        recorded(boxEvent(stream, round, filled(1)), { stream, revision: BigInt(round), position: String(round * 50 + index + 1) }),
      );
      const from = round === 0 ? undefined : String(round * 50);
      const page = { events, position: String((round + 1) * 50) };
      const outcomes = await Promise.allSettled([
        applyPage(one, folders, from, page, { live: true, skipped: new Map() }),
        applyPage(other, folders.toReversed(), from, { ...page, events: events.toReversed() }, { live: true, skipped: new Map() }),
      ]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map(({ reason }) => (reason as Error).constructor)).toEqual([FencedError]);
      fenced += refused.length;
    }
    expect(fenced).toBe(100);
    expect(await world.rows('select min(amount) as least, max(amount) as most, count(*)::int as boxes from boxes')).toEqual([
      { least: 100, most: 100, boxes: 50 },
    ]);
    expect(await world.rows('select count(*)::int as entries from workbench.feed')).toEqual([{ entries: 5000 }]);
    await Promise.all([one.end(), other.end()]);
  });
});

describe('A projector that dies between the rows and the checkpoint', () => {
  it('leaves neither, and the next one starts where the last had come to', async () => {
    const { projector, projectorSource } = world.database.database;
    const sql = await dedicated(projector, 'doomed');
    const folder = projectionFolder(projectorSource, boxes);
    const deadly: Folder = {
      ...folder,
      async fold(given, events) {
        const { writes } = await folder.fold(given, events);
        for (const write of writes) await given.query(write);
        const { rows } = await given.query<{ pid: number; rows: number }>(
          'select pg_backend_pid() as pid, count(*)::int as rows from boxes',
        );
        expect(rows[0]!.rows).toBe(2);
        await world.admin('select pg_terminate_backend($1)', [rows[0]!.pid]);
        return (await given.query('select 1')).rows as never;
      },
    };
    await reconcile(sql, world.store, [deadly]);
    await world.append(newBox(), filled(1), filled(2));
    await world.append(newBox(), filled(4));
    const page = await eventually(async () => {
      const read = await world.store.readAll(undefined, 10);
      return read.events.length === 3 && read;
    });
    await expect(
      applyPage(sql, [deadly], undefined, { ...page, position: page.position! }, { live: true, skipped: new Map() }),
    ).rejects.toThrow();
    expect(await world.rows('select amount from boxes')).toEqual([]);
    expect(await world.rows('select position from checkpoints')).toEqual([{ position: null }]);
    const { positions } = await world.started();
    await positions.waitFor(page.position!, 5000);
    expect(await world.rows('select amount from boxes order by amount')).toEqual([{ amount: 3 }, { amount: 4 }]);
    expect(await world.rows('select 1 as one from workbench.feed')).toHaveLength(3);
  });
});

describe('A store that drops its connections under a slow projection', () => {
  it('is read on from the checkpoint, each event once and in order, and each drop is told with its reason', async () => {
    const order: string[] = [];
    let slow = true;
    const patient: Projection = {
      ...boxes,
      evolve: {
        ...boxes.evolve,
        BoxFilled: (row, event, key) => {
          if (slow) for (const until = performance.now() + 1; performance.now() < until;);
          order.push(event.position);
          return boxes.evolve.BoxFilled!(row, event, key);
        },
      },
    };
    const drops = new AbortController();
    let fail: Error | undefined;
    const flaky = storeLike(world.store, {
      readAll: (after, limit) => (fail ? Promise.reject(fail) : world.store.readAll(after, limit)),
      async *changes(signal) {
        for await (const change of world.store.changes(AbortSignal.any([signal, drops.signal]))) {
          if (fail) throw fail;
          yield change;
        }
      },
    });
    const runtime = await world.started({ projections: [patient, owners], store: flaky });
    const box = newBox();
    let last = '';
    for (const reason of ['too slow', 'server went away']) {
      for (let index = 0; index < 50; index++) last = await world.append(box, filled(1));
      fail = Object.assign(new Error(reason), { type: 'unavailable' });
      for (let index = 0; index < 50; index++) last = await world.append(box, filled(1));
      await eventually(async () => {
        const { ok, storeTroubles } = await runtime.status.read();
        return !ok && storeTroubles.some((trouble) => trouble.reason === `Error: ${reason}`);
      });
      fail = undefined;
      await runtime.positions.waitFor(last, 10_000);
      await eventually(async () => (await runtime.status.read()).ok);
    }
    slow = false;
    expect(order).toEqual(order.toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set(order).size).toBe(200);
    expect(order).toHaveLength(200);
    expect(await world.rows('select amount from boxes')).toEqual([{ amount: 200 }]);
    for (const reason of ['too slow', 'server went away'])
      expect(world.reports).toEqual(expect.arrayContaining([expect.stringMatching(`dropped .*${reason}`)]));
  });
});

describe('The end of a page', () => {
  it('makes no difference to what a projection sees: rows are as they would be read back', async () => {
    const seen: unknown[] = [];
    const watching: Projection = {
      ...boxes,
      evolve: {
        ...boxes.evolve,
        BoxFilled: (row, event, key) => {
          seen.push(row);
          return {
            ...(boxes.evolve.BoxFilled!(row, event, key) as object),
            changedAt: '2026-01-05T10:00:00.1239+01:00',
            emptiedAt: undefined,
          } as never;
        },
      },
    };
    const runtime = await world.started({ projections: [watching, owners] });
    const box = newBox();
    await runtime.positions.waitFor(await world.append(box, filled(1), filled(2)), 5000);
    await runtime.positions.waitFor(await world.append(box, filled(3)), 5000);
    const expected = { owner: 'ann', changedAt: AT, emptiedAt: null };
    expect(seen).toEqual([
      undefined,
      expect.objectContaining({ ...expected, amount: 1, revision: '0' }),
      expect.objectContaining({ ...expected, amount: 3, revision: '1' }),
    ]);
    await runtime.positions.waitFor(await world.append(box, emptied()), 5000);
    expect(await runtime.rebuild.verify()).toEqual([]);
  });
});
