import { Client } from 'pg';
import { DomainError, NO_STREAM, newId } from '#libs/kernel';
import { contractTypes, endOf, noted, readAfter, type Noted } from '#libs/kernel/testing';
import { openDatabase, type Database } from '#libs/postgres';
import { query } from '../../../../test/support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { eventually } from '../../../../test/support/eventually.js';
import { weakLine, type Fate, type WeakLine } from '../../../../test/support/weak-line.js';
import { openPostgresEventStore, type PostgresEventStore } from './postgres.event-store.js';

describe('An append whose connection is lost', () => {
  let test: TestDatabase;
  let line: WeakLine;
  let database: Database;
  let store: PostgresEventStore;
  let stream: string;
  beforeAll(async () => {
    test = await createTestDatabase();
    line = await weakLine(test.urls.projector);
    database = await openDatabase({ ...test.urls, projector: line.connection });
    store = await openPostgresEventStore(database, contractTypes, { attempt: 300, patience: 1500 });
  });
  afterAll(async () => {
    store.close();
    await database.close();
    await line.close();
    await test.drop();
  });
  beforeEach(() => {
    stream = `note-${newId()}`;
    suffer();
  });

  /** The next appends suffer these fates, one each; all others pass. */
  const suffer = (...fates: Fate[]) => {
    line.judge('es.append', () => fates.shift() ?? 'pass');
    return fates;
  };
  const stored = async () => (await store.readStream<Noted>(stream)).events.map(({ data }) => data.note);

  it.each<[string, Fate[]]>([
    ['before it arrived', ['lose request']],
    ['after it was committed', ['lose answer']],
    ['again and again', ['lose answer', 'lose request', 'lose answer', 'lose answer']],
    ['without a sign', ['silence']],
  ])('%s is stored once and answered as ever', async (_, fates) => {
    const left = suffer(...fates);
    const { revision, position } = await store.append(stream, [noted('a'), noted('b')], NO_STREAM);
    expect(revision).toBe(1n);
    expect((await store.readStream(stream)).events.at(-1)).toMatchObject({ revision, position });
    expect(await stored()).toEqual(['a', 'b']);
    expect(left).toEqual([]);
  });

  it.each<[string, Fate, unknown[]]>([
    ['stored', 'lose answer', ['a']],
    ['not stored', 'lose request', []],
  ])('for too long is refused as unavailable, and the same again succeeds: it was %s', async (_, fate, left) => {
    const event = noted('a');
    line.judge('es.append', () => fate);
    const refused: unknown = await store.append(stream, [event], NO_STREAM).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ refusal: { kind: 'unavailable', code: 'event-store/unavailable' } });
    suffer();
    expect(await stored()).toEqual(left);
    expect(await store.append(stream, [event], NO_STREAM)).toMatchObject({ revision: 0n });
    expect(await stored()).toEqual(['a']);
  });

  it('is told of a conflict that it met, and of no other', async () => {
    await store.append(stream, [noted('a')], NO_STREAM);
    suffer('lose answer', 'lose answer');
    await expect(store.append(stream, [noted('b')], NO_STREAM)).rejects.toMatchObject({ name: 'ConcurrencyError', actual: 0n });
  });

  it('among many others, at any time, is stored once and in its place', async () => {
    const fates: Fate[] = ['lose request', 'lose answer', 'pass', 'pass', 'pass'];
    line.judge('es.append', () => fates[Math.floor(Math.random() * fates.length)]!);
    const streams = Array.from({ length: 16 }, () => `note-${newId()}`);
    await Promise.all(
      streams.map(async (each) => {
        for (let revision = NO_STREAM; revision < 19n;)
          ({ revision } = await store.append(each, [noted(revision + 1n), noted(revision + 2n)], revision));
      }),
    );
    suffer();
    for (const each of streams)
      expect((await store.readStream<Noted>(each)).events.map(({ data }) => data.note)).toEqual(
        Array.from({ length: 20 }, (_, n) => BigInt(n)),
      );
  }, 30_000);

  it('by the server, while it waits for another writer, goes on with the next', async () => {
    const other = await test.database.projector.connect();
    await other.query('begin');
    const [{ id, type, data, meta }] = [contractTypes.encode(stream, noted('other'))];
    await other.query('select es.append($1, $2, $3, $4, $5, $6, $7)', [[stream], [-1], [1], [id], [type], [data], [meta]]);
    const appended = store.append(stream, [noted('a')], NO_STREAM);
    const administrator = new Client(test.urls.owner);
    await administrator.connect();
    await eventually(async () => {
      const { rowCount } = await administrator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    await administrator.end();
    await other.query('rollback');
    other.release();
    expect(await appended).toMatchObject({ revision: 0n });
    expect(await stored()).toEqual(['a']);
  });

  it('with all others and the listener goes unnoticed: the next append is stored and read', async () => {
    const start = await endOf(store);
    await query(
      test.urls.owner,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const elsewhere = await openPostgresEventStore(test.database, contractTypes);
    await elsewhere.append(stream, [noted('a')], NO_STREAM);
    expect(await readAfter(store, start, 1)).toMatchObject([{ stream, data: { note: 'a' } }]);
    await store.append(stream, [noted('b')], 0n);
    expect(await readAfter(elsewhere, start, 2)).toMatchObject([{ revision: 0n }, { revision: 1n }]);
    elsewhere.close();
  });
});
