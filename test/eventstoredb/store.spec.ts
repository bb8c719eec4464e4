import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { openEventStoreDB, type EventStoreDBEventStore } from '#libs/event-store';
import { newId, NO_STREAM, type Recorded } from '#libs/kernel';
import { contractTypes, endOf, noted, readAfter, type Noted } from '#libs/kernel/testing';
import { startTarget, type Target } from './target.js';

describe('The store in EventStoreDB', () => {
  let target: Target;
  let client: EventStoreDBClient;
  const stores: EventStoreDBEventStore[] = [];
  const open = async () => {
    const store = await openEventStoreDB(target.url, contractTypes);
    stores.push(store);
    return store;
  };
  beforeAll(async () => {
    target = await startTarget();
    client = EventStoreDBClient.connectionString(target.url);
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  afterAll(async () => {
    await client.dispose();
    await target.stop();
  });
  const foreign = (count: number) =>
    client.appendToStream(
      `foreign-${newId()}`,
      Array.from({ length: count }, (_, n) => jsonEvent({ type: 'Noted', data: { note: 'foreign', n }, metadata: { contentHash: 1 } })),
    );
  const notes = (events: readonly Recorded[]) => (events as Recorded<Noted>[]).map(({ data }) => data.note);

  it('has one name, whoever asks first', async () => {
    const names = await Promise.all(Array.from({ length: 8 }, open));
    expect(new Set(names.map(({ storeId }) => storeId)).size).toBe(1);
    expect(names[0]!.storeId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('leaves out what the system and others write into the same database, the name included', async () => {
    const store = await open();
    const start = await endOf(store);
    await foreign(3);
    await store.append(`note-${newId()}`, [noted('a')], NO_STREAM);
    await client.setStreamMetadata(`foreign-${newId()}`, { maxCount: 1 });
    await foreign(1);
    await store.append(`note-${newId()}`, [noted('b')], NO_STREAM);
    expect(notes(await readAfter(store, start, 2))).toEqual(['a', 'b']);
    const everything = await readAfter(store, undefined, 2);
    for (const { stream } of everything) expect(stream).not.toMatch(/^(foreign|workbench-store|\$)/);
  });

  it.each([1, 7, 500])('reads on over many pages of which nothing is its own, %d at a time', async (limit) => {
    const store = await open();
    const start = await endOf(store);
    for (let times = 0; times < 8; times++) await foreign(400);
    await store.append(`note-${newId()}`, [noted('behind')], NO_STREAM);
    let after: string | undefined = start;
    for (let reads = 0; ; reads++) {
      const { events, position } = await store.readAll(after, limit);
      // Either something was found, or the position moved on: whoever goes on from it arrives.
      expect(store.compare(position!, after)).toBeGreaterThan(0);
      after = position!;
      if (events.length === 0) continue;
      expect(notes(events)).toEqual(['behind']);
      expect(reads).toBeLessThan(20);
      break;
    }
  });

  it('goes past an event of others in a stream of its own', async () => {
    const store = await open();
    const stream = `note-${newId()}`;
    await store.append(stream, [noted('a')], NO_STREAM);
    await client.appendToStream(stream, jsonEvent({ type: 'Odd', data: {} }), { expectedRevision: 0n });
    expect(await store.append(stream, [noted('b')], 1n)).toMatchObject({ revision: 2n });
    const { events, revision } = await store.readStream<Noted>(stream);
    expect([notes(events), revision]).toEqual([['a', 'b'], 2n]);
  });

  it('says where somebody has read more than there is, rather than pass over what comes next', async () => {
    const store = await open();
    const end = await endOf(store);
    await expect(store.readAll(String(BigInt(end) + 10_000_000_000n), 10)).rejects.toThrow(/beyond the end.*Restore an older backup/);
  });

  it('wakes those who wait at another connection', async () => {
    const [here, there] = [await open(), await open()];
    const leave = new AbortController();
    const bell = here.changes(leave.signal)[Symbol.asyncIterator]();
    await bell.next();
    // The subscription stands once a ring came for something that was appended there.
    const rung = async (): Promise<number> => {
      const started = performance.now();
      const next = bell.next();
      await there.append(`note-${newId()}`, [noted('there')], NO_STREAM);
      await next;
      return performance.now() - started;
    };
    let fastest = Infinity;
    for (let times = 0; times < 5; times++) fastest = Math.min(fastest, await rung());
    expect(fastest).toBeLessThan(900);
    leave.abort();
  });

  it('says of a stream that somebody deleted what has happened', async () => {
    const store = await open();
    const [soft, hard] = [`note-${newId()}`, `note-${newId()}`];
    for (const stream of [soft, hard]) await store.append(stream, [noted('a'), noted('b')], NO_STREAM);
    await client.deleteStream(soft, { expectedRevision: 1n });
    await client.tombstoneStream(hard, { expectedRevision: 1n });
    expect(await store.readStream(soft)).toEqual({ events: [], revision: NO_STREAM });
    await expect(store.readStream(hard)).rejects.toThrow(/was deleted outside/);
    const other = await open();
    for (const stream of [soft, hard]) await expect(other.append(stream, [noted('c')], NO_STREAM)).rejects.toThrow(/was deleted outside/);
  });

  it('refuses what is too much at once with 413, and stores none of it', async () => {
    const store = await open();
    const stream = `note-${newId()}`;
    // Each of them is small enough; together they are more than even a newer server takes, which allows 16 MiB.
    const events = Array.from({ length: 20 }, () => noted('x'.repeat(900_000)));
    await expect(store.append(stream, events, NO_STREAM)).rejects.toMatchObject({
      refusal: { kind: 'too_large', code: 'event/too-large' },
    });
    expect(await store.readStream(stream)).toEqual({ events: [], revision: NO_STREAM });
  });

  it('answers nothing any more once it is closed', async () => {
    const store = await open();
    const changes = store.changes(new AbortController().signal)[Symbol.asyncIterator]();
    await changes.next();
    await store.close();
    await store.close();
    const gone = { refusal: { code: 'event-store/unavailable' } };
    await expect(store.append(`note-${newId()}`, [noted('a')], NO_STREAM)).rejects.toMatchObject(gone);
    await expect(store.readAll(undefined, 1)).rejects.toMatchObject(gone);
  });
});
