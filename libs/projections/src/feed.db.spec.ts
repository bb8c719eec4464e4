import { eventually } from '../../../test/support/eventually.js';
import { TENANT } from '#libs/kernel/testing';
import { tenantScope } from '#libs/postgres';
import { MOST_WAITING, pruneFeed, type Feed, type FeedItem } from './feed.js';
import { boxEvent, BoxRow, emptied, filled, newBox, openBoxes, type Boxes } from './testing/boxes.js';

jest.setTimeout(30_000);

const OTHER_TENANT = '0192f0c1-0000-7000-8000-00000000000c';

describe('The feed', () => {
  let world: Boxes;
  beforeEach(async () => {
    world = await openBoxes();
  });
  afterEach(() => world.close());

  /** Follows into a list, on a connection that can be cut. */
  const following = (feed: Feed, id: string, tenantId?: string) => {
    const items: FeedItem[] = [];
    const cut = new AbortController();
    const done = (async () => {
      for await (const group of feed.follow(id, { signal: cut.signal, ...(tenantId && { tenantId }) })) items.push(...group);
    })();
    return { items, stop: () => (cut.abort(), done), done };
  };

  it('announces on every server what was projected, in the order of the events, and never what a read does not show yet', async () => {
    const [worker, reader] = [await world.started(), await world.started({ run: false })];
    const shown: (number | undefined)[] = [];
    const heard: FeedItem[] = [];
    reader.feed.subscribe((items) => heard.push(...items));
    worker.feed.subscribe((items) => {
      for (const { subject } of items)
        void tenantScope(world.database.database, TENANT, (manager) => manager.findOneBy(BoxRow, { boxId: subject.slice(4) })).then((row) =>
          shown.push(row?.amount),
        );
    });
    const box = newBox();
    const position = await world.append(box, filled(1), { type: 'BoxSeen', data: {} }, filled(2), emptied());
    await eventually(() => heard.length === 3 && shown.length === 3);
    expect(heard).toMatchObject([
      { id: '1', kind: 'box', subject: box, tenantId: TENANT, audience: {}, data: { amount: 1, type: 'BoxFilled' } },
      { id: '2', data: { amount: 3 } },
      { id: '3', data: { amount: 0 }, position, at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string },
    ]);
    expect(shown).toEqual([0, 0, 0]);
    expect(await reader.feed.head()).toBe('3');
  });

  it('goes on with the very next entry for who comes back, without gap or repeat', async () => {
    const { feed } = await world.started();
    const box = newBox();
    for (let amount = 1; amount <= 5; amount++) await world.append(box, filled(amount));
    const first = following(feed, '2');
    await eventually(() => first.items.length === 3);
    await first.stop();
    const last = first.items.at(-1)!.id;
    for (let amount = 6; amount <= 10; amount++) await world.append(box, filled(amount));
    const second = following(feed, last);
    for (let amount = 11; amount <= 50; amount++) await world.append(box, filled(amount));
    await eventually(() => second.items.length === 45);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(Array.from({ length: 48 }, (_, index) => String(index + 3)));
    await second.stop();
  });

  it('announces under the same ids again what a crash of the database took back', async () => {
    const worker = await world.started();
    const box = newBox();
    const positions: string[] = [];
    for (let amount = 1; amount <= 4; amount++) positions.push(await world.append(box, filled(amount)));
    const feed = () => world.rows('select id, subject, data, position, event_id from workbench.feed order by id');
    await eventually(async () => (await feed()).length === 4);
    const before = await feed();
    await worker.stop();
    // The last transactions, as if they had not been flushed; meanwhile something drew from the sequence, as one that fails does.
    await world.rows('delete from workbench.feed where id > 2');
    await world.rows('update workbench.feed_head set head = 2');
    await world.rows('update checkpoints set position = $1', [positions[1]]);
    await world.rows('update boxes set amount = 3');
    await world.rows(`select setval('workbench.feed_id_seq', 40)`);
    await world.started();
    await eventually(async () => (await feed()).length === 4);
    expect(await feed()).toEqual(before);
    expect(await world.rows('select amount from boxes')).toEqual([{ amount: 10 }]);
  });

  it('reaches 150 followers with one read, and each only with its own tenant where it names one', async () => {
    const { feed } = await world.started();
    const all = Array.from({ length: 150 }, (_, index) => following(feed, '0', index % 2 ? TENANT : undefined));
    const pool = jest.spyOn(world.database.database.projector, 'query');
    await world.append(newBox(), filled(1));
    await eventually(() => all.every(({ items }) => items.length === 1));
    const stranger = newBox();
    await world.store.append(stranger, [boxEvent(stranger, 0, filled(2), OTHER_TENANT)], -1n);
    await eventually(() => all.filter((_, index) => index % 2 === 0).every(({ items }) => items.length === 2));
    expect(all.filter((_, index) => index % 2).map(({ items }) => items.length)).toEqual(Array(75).fill(1));
    const live = pool.mock.calls.filter(([query]) => typeof query === 'string' && query.includes('from workbench.feed where id >'));
    expect(live.length).toBeLessThan(150 + 40);
    pool.mockRestore();
    await Promise.all(all.map(({ stop }) => stop()));
  });

  it('keeps what a slow follower has not taken out of memory, and out of its way nothing', async () => {
    const { feed, positions } = await world.started();
    const cut = new AbortController();
    const slow = feed.follow('0', { signal: cut.signal });
    const box = newBox();
    await world.append(box, filled(1));
    const taken = [...(await slow.next()).value!];
    const many = MOST_WAITING + 700;
    for (let count = 0; count < many; count += 100) await world.append(box, ...Array.from({ length: 100 }, () => filled(1)));
    await positions.waitFor(await world.append(newBox(), filled(1)), 10_000);
    const brisk = following(feed, String(many));
    await eventually(() => brisk.items.length === 2);
    while (taken.length < many + 2) taken.push(...(await slow.next()).value!);
    expect(taken.map(({ id }) => id)).toEqual(Array.from({ length: many + 2 }, (_, index) => String(index + 1)));
    cut.abort();
    expect((await slow.next()).done).toBe(true);
    await brisk.stop();
  });

  it('goes on when its connection to the database is cut', async () => {
    const { feed } = await world.started();
    const all = following(feed, '0');
    await world.append(newBox(), filled(1));
    await eventually(() => all.items.length === 1);
    await world.admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await eventually(async () => (await world.append(newBox(), filled(2))) !== '');
    await eventually(() => all.items.some(({ data }) => data['amount'] === 2), 20_000);
    await all.stop();
  });

  it('survives a listener that fails', async () => {
    const { feed } = await world.started();
    const heard: FeedItem[] = [];
    feed.subscribe(() => {
      throw new Error('Deaf.');
    });
    feed.subscribe((items) => heard.push(...items));
    await world.append(newBox(), filled(1));
    await eventually(() => heard.length === 1);
    expect(world.reports).toContainEqual(expect.stringContaining('Deaf.'));
  });

  it('gives a snapshot the position up to which it knows everything', async () => {
    const { feed, positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    await tenantScope(
      world.database.database,
      TENANT,
      async (manager) => {
        expect(await manager.count(BoxRow)).toBe(1);
        const before = await positions.current(manager);
        await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
        expect(await feed.head()).toBe('2');
        expect(await feed.head(manager)).toBe('1');
        expect(await positions.current(manager)).toBe(before);
        expect(await manager.count(BoxRow)).toBe(1);
      },
      { isolation: 'REPEATABLE READ' },
    );
  });

  it('shows the app nothing without a tenant, and of a tenant its own', async () => {
    const { positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    const { app } = world.database.database;
    for (const table of ['workbench.feed', 'read_models.deadlines', 'read_models.boxes'])
      expect((await app.query(`select 1 from ${table}`)).rows).toEqual([]);
    expect((await app.query('select head from workbench.feed_head')).rows).toEqual([]);
    expect((await app.query('select name from checkpoints')).rows).toEqual([]);
    await expect(app.query('select reason from checkpoints')).rejects.toThrow('permission denied');
    const entries = (tenant: string) =>
      tenantScope(world.database.database, tenant, (manager) => manager.query<unknown[]>('select 1 from workbench.feed'));
    expect(await entries(TENANT)).toHaveLength(1);
    expect(await entries(OTHER_TENANT)).toEqual([]);
  });

  it('forgets what is old or too much, and tells who would resume across the gap', async () => {
    const { feed, positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), ...Array.from({ length: 10 }, () => filled(1))), 5000);
    const { projector } = world.database.database;
    expect(await feed.oldest()).toBe('1');
    expect(await feed.canResume('0')).toBe(true);
    await pruneFeed(projector, { entries: 4, days: 7 });
    expect((await feed.after('0', 100)).map(({ id }) => id)).toEqual(['7', '8', '9', '10']);
    expect(await feed.oldest()).toBe('7');
    for (const [id, can] of [
      ['5', false],
      ['6', true],
      ['10', true],
      ['11', false],
      ['x', false],
      ['', false],
    ] as const)
      expect(await feed.canResume(id)).toBe(can);
    await world.admin(
      `set session_replication_role = replica; update workbench.feed set recorded_at = recorded_at - interval '8 days' where id < 9`,
    );
    await pruneFeed(projector);
    expect(await feed.oldest()).toBe('9');
    await world.admin(`update workbench.feed set recorded_at = recorded_at - interval '8 days'`);
    await pruneFeed(projector);
    expect([await feed.oldest(), await feed.head(), await feed.after('0', 10)]).toEqual(['11', '10', []]);
    expect([await feed.canResume('9'), await feed.canResume('10')]).toEqual([false, true]);
  });
});
