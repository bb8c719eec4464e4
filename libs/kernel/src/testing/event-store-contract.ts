import { NO_STREAM, type EventStore } from '../event-store.js';
import type { Position, Recorded } from '../event.js';
import { newId } from '../ids.js';
import { appendContract } from './append-contract.js';
import { contractTypes, endOf, noted, readAfter, type Noted } from './contract-events.js';

/**
 * The contract of `EventStore`, one suite for every adapter. `open` gives a store over `contractTypes`; it may hold other streams
 * already. `indexesIds`: see `appendContract`.
 */
export const eventStoreContract = (
  name: string,
  open: () => Promise<EventStore>,
  close: (store: EventStore) => Promise<void> = () => Promise.resolve(),
  { indexesIds = true }: Readonly<{ indexesIds?: boolean }> = {},
) =>
  describe(`${name}, as an event store`, () => {
    let store: EventStore;
    let stream: string;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => close(store));
    beforeEach(() => {
      stream = `note-${newId()}`;
    });
    const append = (...notes: unknown[]) =>
      store.append(
        stream,
        notes.map((note) => noted(note)),
        NO_STREAM,
      );

    it('has a name for the database behind its positions', () => expect(store.storeId).toMatch(/^.+$/));

    appendContract(() => store, indexesIds);

    describe('reading a stream', () => {
      it('finds nothing where there is none', async () =>
        expect(await store.readStream(stream)).toEqual({ events: [], revision: NO_STREAM }));

      it('gives events from a revision on, and the revision of the last in any case', async () => {
        await append('a', 'b', 'c');
        const from = async (revision: bigint) => {
          const read = await store.readStream<Noted>(stream, revision);
          return [read.events.map(({ data }) => data.note), read.revision];
        };
        expect(await from(0n)).toEqual([['a', 'b', 'c'], 2n]);
        expect(await from(2n)).toEqual([['c'], 2n]);
        expect(await from(3n)).toEqual([[], 2n]);
      });

      it('gives back what was appended, with its place and time', async () => {
        const event = { ...noted({ deep: [1, { a: null }] }), meta: { ...noted(0).meta, onBehalfOf: 'eva', policyVersion: '7' } };
        const { position } = await store.append(stream, [event], NO_STREAM);
        const { events } = await store.readStream(stream);
        expect(events).toEqual([
          {
            ...event,
            stream,
            revision: 0n,
            position,
            recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
            meta: { ...event.meta, schemaVersion: 1, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
          },
        ]);
        expect(Math.abs(Date.now() - Date.parse(events[0]!.recordedAt))).toBeLessThan(60_000);
      });

      it.each<[string, unknown]>([
        ['emoji', '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
        ['combining marks, not normalised', 'e\u0301 é'],
        ['separators of lines', 'a\u2028b\u2029c\r\n\t'],
        ['right-to-left text', 'שלום \u202eעולם\u202c مرحبا'],
        ['quotes, backslashes and braces', '{"\\":"\'}, NULL \\u0041'],
        ['control characters', '\u0001\u001f\u007f\u0085\ufeff'],
        ['many multibyte characters', '漢'.repeat(3_000)],
        ['bigints', [0n, -1n, 2n ** 64n, -(2n ** 200n)]],
        ['numbers', [0.1, 1e21, 5e-324, 1.7976931348623157e308, -2.5, 2 ** 53]],
        ['keys that begin with $', { $bigint: '12', $$: { $$bigint: 1n }, $: [], nested: { $bigint: 5n } }],
        ['keys of prototypes', JSON.parse('{"__proto__": {"a": 1}, "constructor": "c", "toString": null}')],
        ['keys in any order', { b: 1, a: { z: 1, y: 2 }, 2: 'two', 10: 'ten', '': 'empty' }],
        ['empty things', { object: {}, list: [], text: '', none: null, no: false }],
      ])('gives back %s, under the same content hash', async (_, note) => {
        const event = noted(note);
        await store.append(stream, [event], NO_STREAM);
        const [read] = (await store.readStream<Noted>(stream)).events;
        expect(read!.data.note).toEqual(note);
        const { contentHash, schemaVersion: __, ...meta } = read!.meta;
        expect(contractTypes.encode(stream, { type: 'Noted', id: read!.id, data: read!.data, meta }).contentHash).toBe(contentHash);
      });
    });

    describe('reading all', () => {
      it.each([1, 2, 3, 1000])('gives every event once, in order, in pages of %d', async (limit) => {
        const start = await endOf(store);
        const streams = ['a', 'b', 'c'].map((each) => `note-${each}${newId()}`);
        const positions: Position[] = [];
        for (const revision of [-1n, 0n, 1n])
          positions.push(
            ...(await Promise.all(streams.map((each) => store.append(each, [noted(each)], revision)))).map(({ position }) => position),
          );
        const events = await readAfter(store, start, 9, limit);
        expect(events.map(({ position }) => position)).toEqual(positions.sort((a, b) => store.compare(a, b)));
        for (const each of streams)
          expect(events.filter((event) => event.stream === each).map(({ revision }) => revision)).toEqual([0n, 1n, 2n]);
      });

      it('keeps the events of one append together in their order', async () => {
        const start = await endOf(store);
        await append(...Array.from({ length: 20 }, (_, index) => index));
        const events = (await readAfter(store, start, 20)) as Recorded<Noted>[];
        expect(events.map(({ data }) => data.note)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      });

      it('starts from the first event', async () => {
        await append('a');
        const { events, position } = await store.readAll(undefined, 1);
        expect(events).toHaveLength(1);
        expect(position).toBe(events[0]!.position);
      });

      it('never moves back where there is nothing to read', async () => {
        const start = await endOf(store);
        await readAfter(store, undefined, 1);
        const { events, position } = await store.readAll(start, 10);
        expect(events).toEqual([]);
        expect(store.compare(position!, start)).toBeGreaterThanOrEqual(0);
      });
    });

    describe('the doorbell', () => {
      const listen = () => {
        const leave = new AbortController();
        return { bell: store.changes(leave.signal)[Symbol.asyncIterator](), leave };
      };

      it('rings at once, and when something is appended', async () => {
        const { bell, leave } = listen();
        await bell.next();
        const next = bell.next();
        const started = performance.now();
        await append('a');
        await next;
        expect(performance.now() - started).toBeLessThan(900);
        leave.abort();
      });

      it('remembers what was appended while its listener was busy', async () => {
        const { bell, leave } = listen();
        await bell.next();
        await append('a');
        const started = performance.now();
        await bell.next();
        expect(performance.now() - started).toBeLessThan(900);
        leave.abort();
      });

      it('rings without an append, at least every second', async () => {
        const { bell, leave } = listen();
        for (let ring = 0; ring < 3; ring++) expect((await bell.next()).done).toBe(false);
        leave.abort();
      }, 3500);

      it('ends when its listener leaves, also while it waits', async () => {
        const { bell, leave } = listen();
        await bell.next();
        const next = bell.next();
        leave.abort();
        expect((await next).done).toBe(true);
        const gone = store.changes(AbortSignal.abort())[Symbol.asyncIterator]();
        expect((await gone.next()).done).toBe(true);
      });
    });

    it.each([
      ['9', '10', -1],
      ['9007199254740993', '9007199254740992', 1],
      ['9223372036854775807', '9223372036854775806', 1],
      ['9007199254740993', '9007199254740993', 0],
    ])('compares position %s with %s', (a, b, sign) => {
      expect(Math.sign(store.compare(a, b))).toBe(sign);
      expect(Math.sign(store.compare(b, a))).toBe(0 - sign);
    });
  });
