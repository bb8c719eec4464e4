import { eventually } from '../../../test/support/eventually.js';
import { boxes, emptied, filled, newBox, openBoxes, owners, storeLike, type Boxes } from './testing/boxes.js';
import type { Projection } from './projection.js';

jest.setTimeout(30_000);

describe('Read models', () => {
  let world: Boxes;
  beforeEach(async () => {
    world = await openBoxes();
  });
  afterEach(() => world.close());

  const amounts = async () =>
    (await world.rows<{ amount: number }>('select amount from boxes order by amount')).map(({ amount }) => amount);

  it('show what happened, in the order of each stream', async () => {
    const { positions } = await world.started();
    const [one, two] = [newBox(), newBox()];
    await world.append(one, filled(3), filled(4, 'bob', '2026-01-05T10:00:00.000Z'));
    await world.append(two, filled(9), emptied());
    await positions.waitFor(await world.append(one, { type: 'BoxSeen', data: {} }), 5000);
    expect(await world.rows('select * from boxes order by amount desc')).toEqual([
      expect.objectContaining({
        amount: 7,
        owner: 'bob',
        trail: ['filled, "3"', 'filled, "4"'],
        detail: { amounts: [3, 4] },
        revision: '1',
        changed_at: '2026-01-05T10:00:00.000Z',
        emptied_at: null,
      }),
      expect.objectContaining({ amount: 0, detail: null, emptied_at: '2026-01-05T09:00:00.123Z' }),
    ]);
    expect(await world.rows('select owner, events from owners order by owner')).toEqual([
      { owner: 'ann', events: 2 },
      { owner: 'bob', events: 1 },
    ]);
  });

  it('lose a row that was removed, and take it up again', async () => {
    const { positions } = await world.started();
    const box = newBox();
    await positions.waitFor(await world.append(box, filled(3), { type: 'BoxBroken', data: { at: '' } }), 5000);
    expect(await amounts()).toEqual([]);
    await positions.waitFor(await world.append(box, filled(1), { type: 'BoxBroken', data: { at: '' } }, filled(2)), 5000);
    expect(await amounts()).toEqual([2]);
  });

  it('count an event that touches two rows in both', async () => {
    const { positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), { type: 'BoxGiven', data: { from: 'ann', to: 'bob' } }), 5000);
    expect(await world.rows('select owner, events from owners order by owner')).toEqual([
      { owner: 'ann', events: 1 },
      { owner: 'bob', events: 1 },
    ]);
  });

  it('come as far as the store where nothing concerns them', async () => {
    const { positions } = await world.started();
    const position = await world.append(newBox(), { type: 'BoxSeen', data: {} });
    await positions.waitFor(position, 5000);
    expect(await positions.current()).toBe(position);
  });

  it('are filled by one server at a time, and by the next when its connection dies, each event once', async () => {
    const servers = [await world.started(), await world.started()];
    const box = newBox();
    await servers[0]!.positions.waitFor(await world.append(box, filled(1)), 5000);
    for (let round = 2; round <= 4; round++) {
      const [leader] = await eventually(async () => {
        const found = await world.admin<{ pid: number }>(
          `select pid from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = 7240000 and granted and datname = current_database()`,
        );
        return found.length === 1 && found;
      });
      const appended = Promise.all(Array.from({ length: 20 }, () => world.append(newBox(), filled(round))));
      await world.admin('select pg_terminate_backend($1)', [leader!.pid]);
      await appended;
      await servers[0]!.positions.waitFor(await world.append(box, filled(1)), 10_000);
    }
    expect(await world.rows('select count(*)::int as boxes, sum(amount)::int as amount from boxes')).toEqual([
      { boxes: 61, amount: 4 + 20 * 9 },
    ]);
    expect(await world.rows('select events from owners')).toEqual([{ events: 64 }]);
    expect(await world.rows('select count(*)::int as entries, count(distinct event_id)::int as events from workbench.feed')).toEqual([
      { entries: 64, events: 64 },
    ]);
  });

  it('are complete when the projector starts on 5,000 events while more are appended', async () => {
    const streams = Array.from({ length: 50 }, newBox);
    await Promise.all(streams.map((stream) => world.append(stream, ...Array.from({ length: 100 }, (_, index) => filled(index)))));
    let appending = true;
    const appended = (async () => {
      let last = '';
      for (let count = 0; appending; count++) last = await world.append(streams[count % 50]!, filled(1));
      return last;
    })();
    const { positions } = await world.started();
    await eventually(async () => (await world.rows('select 1 from workbench.feed where id > 5500')).length > 0, 20_000);
    appending = false;
    await positions.waitFor(await appended, 10_000);
    const [stored] = await world.rows(`select count(*)::int as events, sum((data ->> 'amount')::int)::int as amount from es.events`);
    expect(await world.rows('select (select events from owners) as events, sum(amount)::int as amount from boxes')).toEqual([stored]);
    expect(await world.rows('select count(*)::int as entries, count(distinct event_id)::int as events from workbench.feed')).toEqual([
      { entries: stored!['events'], events: stored!['events'] },
    ]);
    expect(
      await world.rows(
        'select id from (select id, position::bigint - lag(position::bigint) over (order by id) as step from workbench.feed) as steps where step <= 0',
      ),
    ).toEqual([]);
  });

  it('go on from the last event applied after a restart in the middle of catching up', async () => {
    await Promise.all(Array.from({ length: 30 }, () => world.append(newBox(), ...Array.from({ length: 100 }, () => filled(1)))));
    let stopped: Promise<void> | undefined;
    let pages = 0;
    const first = await world.started({
      store: storeLike(world.store, {
        readAll: (after, limit) => {
          if (++pages === 3) stopped = first.stop();
          return world.store.readAll(after, limit);
        },
      }),
    });
    await eventually(() => stopped !== undefined);
    await stopped;
    const [left] = await world.rows<{ position: string }>('select distinct position from checkpoints');
    expect(Number(left!.position)).toBeLessThanOrEqual(1500);
    const { positions } = await world.started();
    await positions.waitFor('3000', 10_000);
    expect(await world.rows('select events from owners')).toEqual([{ events: 3000 }]);
    expect(await world.rows('select sum(amount)::int as amount from boxes')).toEqual([{ amount: 3000 }]);
  });

  it('are not filled from another event store, which is refused with what to do', async () => {
    const { positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    const other = storeLike(world.store, { storeId: 'another' });
    await expect(world.started({ store: other })).rejects.toThrow(
      /filled from event store ".*" \(boxes\).* configured for "another".*Point it at that store/,
    );
    await expect(world.started({ store: other, run: false })).rejects.toThrow(/filled from event store/);
  });

  it('refuse two projections that fill one table', () => {
    const twin: Projection = { ...boxes, name: 'twins' };
    expect(() => world.runtime({ projections: [boxes, owners, twin] })).toThrow('boxes');
  });
});
