import { NO_STREAM, newId, type EncodedEvent } from '#libs/kernel';
import { contractTypes, endOf, noted, readAfter, TENANT, type Noted } from '#libs/kernel/testing';
import { openDatabase, tenantScope, type Database } from '#libs/postgres';
import { query } from '../../../../test/support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { openPostgresEventStore, type PostgresEventStore } from './postgres.event-store.js';

let test: TestDatabase;
let elsewhere: Database;
let store: PostgresEventStore;
let other: PostgresEventStore;
let stream: string;
beforeAll(async () => {
  test = await createTestDatabase();
  elsewhere = await openDatabase(test.urls);
  store = await openPostgresEventStore(test.database, contractTypes);
  other = await openPostgresEventStore(elsewhere, contractTypes);
});
afterAll(async () => {
  store.close();
  other.close();
  await elsewhere.close();
  await test.drop();
});
beforeEach(() => {
  stream = `note-${newId()}`;
});

const append = 'select outcome from es.append($1, $2, $3, $4, $5, $6, $7)';
const values = (into: string, expected: bigint, ...events: EncodedEvent[]) => [
  [into],
  [expected.toString()],
  [events.length],
  ...(['id', 'type', 'data', 'meta'] as const).map((field) => events.map((event) => event[field])),
];

/** A transaction that has appended one event and dawdles. */
const slowAppend = async (into: string) => {
  const client = await test.database.projector.connect();
  await client.query('begin');
  await client.query(append, values(into, NO_STREAM, contractTypes.encode(into, noted('slow'))));
  return async (how: 'commit' | 'rollback') => {
    await client.query(how);
    client.release();
  };
};

describe('A reader', () => {
  it('waits for an event that was placed earlier and commits later, and is woken when it has', async () => {
    const start = await endOf(store);
    const slow = `note-${newId()}`;
    const end = await slowAppend(slow);
    const { position } = await store.append(stream, [noted('quick')], NO_STREAM);
    expect((await store.readAll(start, 10)).events).toEqual([]);
    expect((await other.readAll(start, 10)).position).toBe(start);

    const both = readAfter(store, start, 2);
    await end('commit');
    const started = performance.now();
    const events = await both;
    expect(performance.now() - started).toBeLessThan(900);
    expect(events.map((event) => event.stream)).toEqual([slow, stream]);
    expect(events[1]!.position).toBe(position);
  });

  it('goes on past what was rolled back', async () => {
    const start = await endOf(store);
    const end = await slowAppend(`note-${newId()}`);
    await end('rollback');
    const { position } = await store.append(stream, [noted('next')], NO_STREAM);
    expect(BigInt(position) - BigInt(start)).toBe(2n);
    expect(await readAfter(store, start, 1)).toMatchObject([{ stream, position }]);
  });

  it('cannot ask how far it may read from within a transaction that writes: the answer would be wrong', async () => {
    const client = await test.database.projector.connect();
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    await expect(client.query('select * from es.watermark()')).rejects.toThrow(
      'es.watermark needs a transaction that has written nothing.',
    );
    await client.query('rollback');
    client.release();
  });

  it('of many streams at once gets of each what it asked for, in one round trip', async () => {
    const streams = Array.from({ length: 5 }, () => `note-${newId()}`);
    for (const each of streams) await store.append(each, [noted(`${each} 0`), noted(`${each} 1`)], NO_STREAM);
    const asked = jest.spyOn(test.database.projector, 'query');
    const found = await Promise.all([
      ...streams.map((each) => store.readStream<Noted>(each)),
      store.readStream<Noted>(streams[0]!, 1n),
      store.readStream<Noted>(streams[0]!, 1n),
      store.readStream<Noted>(`note-${newId()}`),
      store.readStream<Noted>(streams[1]!, 2n),
    ]);
    const names = asked.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name);
    expect(names.filter((name) => name.startsWith('es.read_stream'))).toEqual(['es.read_streams']);
    asked.mockRestore();
    const notes = found.map(({ events, revision }) => [revision, ...events.map(({ data }) => data.note)]);
    expect(notes).toEqual([
      ...streams.map((each) => [1n, `${each} 0`, `${each} 1`]),
      [1n, `${streams[0]} 1`],
      [1n, `${streams[0]} 1`],
      [NO_STREAM],
      [1n],
    ]);
    expect(found[2]).toEqual(await store.readStream(streams[2]!));
  });

  it('finds the same store behind every server', () => expect(other.storeId).toBe(store.storeId));
});

describe('Writers', () => {
  it('that append to the same streams in any order never wait for each other in a circle', async () => {
    const streams = Array.from({ length: 40 }, () => `note-${newId()}`);
    for (let revision = NO_STREAM; revision < 9n; revision++) {
      const race = (writer: PostgresEventStore, order: string[]) => order.map((each) => writer.append(each, [noted(0)], revision));
      const outcomes = await Promise.allSettled([...race(store, streams), ...race(other, streams.toReversed())]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'ConcurrencyError' });
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(streams.length);
    }
    const { rows } = await test.database.projector.query('select deadlocks from pg_stat_database where datname = current_database()');
    expect(rows).toEqual([{ deadlocks: '0' }]);
  });

  it('of one server share transactions while they wait', async () => {
    const streams = Array.from({ length: 200 }, () => `note-${newId()}`);
    await Promise.all(streams.map((each) => store.append(each, [noted(0)], NO_STREAM)));
    const { rows } = await test.database.projector.query<{ transactions: string }>(
      'select count(distinct xmin::text) as transactions from es.events where stream = any($1)',
      [streams],
    );
    expect(Number(rows[0]!.transactions)).toBeLessThan(10);
  });

  it('that append one event each to streams of their own get each its place, in their order, though others race or repeat', async () => {
    const streams = Array.from({ length: 8 }, (_, nth) => `note-${newId()}-${nth}`).sort();
    const first = streams.map((_, nth) => noted(nth));
    await Promise.all(streams.map((each, nth) => store.append(each, [first[nth]!], NO_STREAM)));
    const places = await Promise.all(streams.map((each) => store.readStream(each)));
    expect(places.map(({ events }) => events[0]!.data)).toEqual(first.map(({ data }) => data));
    expect(new Set(places.map(({ events }) => events[0]!.position)).size).toBe(streams.length);

    // One is behind, one repeats, one's id is taken, and two want the same place: all others are stored.
    const second = streams.map((_, nth) => noted(`again ${nth}`));
    const outcomes = await Promise.allSettled([
      store.append(streams[0]!, [second[0]!], NO_STREAM),
      store.append(streams[1]!, [first[1]!], NO_STREAM),
      store.append(streams[2]!, [noted('x', first[3]!.id)], 0n),
      store.append(streams[4]!, [second[4]!], 0n),
      store.append(streams[4]!, [noted('rival')], 0n),
      store.append(streams[5]!, [second[5]!], 0n),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { name: 'ConcurrencyError', actual: 0n } },
      { value: { revision: 0n, position: places[1]!.events[0]!.position } },
      { reason: { name: 'DuplicateEventError' } },
      { value: { revision: 1n } },
      { reason: { name: 'ConcurrencyError', actual: 1n } },
      { value: { revision: 1n } },
    ]);
  });

  it('of which one takes the id of an event of another stream are each answered for themselves', async () => {
    const taken = noted('taken');
    await store.append(stream, [taken], NO_STREAM);
    const [one, two] = [`note-${newId()}`, `note-${newId()}`];
    const outcomes = await Promise.allSettled([
      store.append(one, [noted('x', taken.id)], NO_STREAM),
      store.append(two, [noted('y')], NO_STREAM),
    ]);
    expect(outcomes).toMatchObject([{ reason: { name: 'DuplicateEventError' } }, { value: { revision: 0n } }]);
  });

  it('are told, and not led to retry, where a restore left the sequence behind', async () => {
    await store.append(stream, [noted('a')], NO_STREAM);
    await query(test.urls.owner, `select setval('es.positions', 1)`);
    await expect(store.append(stream, [noted('b')], 0n)).rejects.toThrow('The sequence es.positions lies behind es.events.');
    await query(test.urls.owner, `select setval('es.positions', (select max(position) from es.events))`);
    expect(await store.append(stream, [noted('b')], 0n)).toMatchObject({ revision: 1n });
  });
});

describe('Stored events', () => {
  it('are neither changed nor removed, by whomever serves', async () => {
    await store.append(stream, [noted('a')], NO_STREAM);
    for (const change of [
      `update es.events set data = '{}'`,
      'delete from es.events',
      'truncate es.events',
      'update es.store set id = gen_random_uuid()',
    ])
      for (const pool of [test.database.projector, test.database.app])
        await expect(pool.query(change)).rejects.toThrow(/permission denied/);
  });

  it('are shown to the app for one tenant only, and are not appended by it', async () => {
    const tenant = newId();
    const event = noted('theirs');
    await store.append(stream, [{ ...event, meta: { ...event.meta, tenantId: tenant } }], NO_STREAM);
    await store.append(`note-${newId()}`, [noted('ours')], NO_STREAM);
    const tenantsSeenBy = (as: string) =>
      tenantScope(test.database, as, (manager) => manager.query<unknown[]>('select distinct tenant_id from es.events'));
    expect(await tenantsSeenBy(tenant)).toEqual([{ tenant_id: tenant }]);
    expect(await tenantsSeenBy(TENANT)).toEqual([{ tenant_id: TENANT }]);
    expect((await test.database.app.query('select from es.events')).rowCount).toBe(0);
    expect((await test.database.app.query('select from es.store')).rowCount).toBe(0);
    const forged = values(`note-${newId()}`, NO_STREAM, contractTypes.encode('note-1', noted('forged')));
    await expect(test.database.app.query(append, forged)).rejects.toThrow(/permission denied/);
  });
});
