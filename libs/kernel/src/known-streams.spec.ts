import fc from 'fast-check';
import { accept, record, refuse, type Command, type Decider } from './decider.js';
import { EventTypes, eventTypes } from './encoding.js';
import type { Event } from './event.js';
import { handleCommand } from './handle-command.js';
import { InMemoryEventStore } from './in-memory.event-store.js';
import { knownStreams, KnownStreams, remember, unknown } from './known-streams.js';
import { DomainError, refusal } from './refusal.js';
import { metaOf, principal } from './testing/index.js';

type Taken = Event<'Taken', { by: string; left: number }>;
type Returned = Event<'Returned', { by: string }>;
type LatecomerRefused = Event<'LatecomerRefused', { by: string }>;
type Shelf = readonly string[];
type ShelfCommand = Command<'Take'> | Command<'Return'> | Command<'Insist'>;
type ShelfEvent = Taken | Returned | LatecomerRefused;

const SIZE = 2;
const late = (by: string) => refusal('conflict', 'shelf/empty', `All was taken before ${by} came.`, { by });

/** Two things that can be taken and given back. Its refusals depend on who holds them right now; those of `Insist` are facts. */
const shelf: Decider<ShelfCommand, Shelf, ShelfEvent> = {
  category: 'shelf',
  initialState: [],
  decide: ({ type, meta }, holders) => {
    const by = meta.actor.id;
    if (type === 'Return')
      return holders.includes(by)
        ? accept<ShelfEvent>({ type: 'Returned', data: { by } })
        : refuse('conflict', 'shelf/nothing-held', 'Nothing is held.', { holders });
    if (holders.length < SIZE) return accept<ShelfEvent>({ type: 'Taken', data: { by, left: SIZE - holders.length - 1 } });
    return type === 'Take'
      ? refuse('conflict', 'shelf/empty', 'All is taken.', { holders })
      : record<ShelfEvent>([{ type: 'LatecomerRefused', data: { by } }], late(by));
  },
  evolve: (holders, event) => {
    if (event.type === 'Taken') return [...holders, event.data.by];
    if (event.type !== 'Returned') return holders;
    const at = holders.indexOf(event.data.by);
    return holders.filter((_, index) => index !== at);
  },
  refusalOf: (event) => (event.type === 'LatecomerRefused' ? late(event.data.by) : undefined),
};

const types = new EventTypes(eventTypes<ShelfEvent>({ Taken: 1, Returned: 1, LatecomerRefused: 1 }));
const newStore = () => new InMemoryEventStore(types, 'memory', () => '2026-01-05T10:00:00.000Z');
/** Another server on the same store: it shares the events, and nothing of what this one remembers. */
const serverOn = (store: InMemoryEventStore) => Object.create(store) as InMemoryEventStore;

const wish = fc.record({
  server: fc.nat(1),
  type: fc.constantFrom('Take', 'Return', 'Insist'),
  actor: fc.constantFrom('ann', 'bob', 'eva', 'stranger'),
  id: fc.constantFrom('1', '2'),
  key: fc.nat(12),
  body: fc.constantFrom('one', 'one', 'one', 'other'),
});
type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;
type Kind = Wish['type'];
type Who = Wish['actor'];

const STRANGER = '0192f0c1-0000-7000-8000-0000000000ff';
const commandOf = ({ type, actor, id, key, body }: Wish, sent: number): ShelfCommand => ({
  type,
  data: {},
  meta: metaOf(principal(actor), {
    // Every try is sent at a time of its own, as over HTTP; what its sender means by it is the key.
    commandId: `${id} ${key}`,
    requestDigest: `${type} ${actor} ${body}`,
    at: new Date(sent * 1000).toISOString(),
    correlationId: String(sent),
    ...(actor === 'stranger' && { tenantId: STRANGER }),
  }),
});

const answerOf = (store: InMemoryEventStore, each: Wish, sent: number): Promise<unknown> =>
  handleCommand(store, shelf, each.id, commandOf(each, sent)).catch((error: unknown) => {
    if (error instanceof DomainError) return error.refusal;
    throw error;
  });

describe('A server that remembers streams', () => {
  it('answers and writes as one that reads them before every command, also while another server writes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 40 }), async (wishes) => {
        const [shared, reference] = [newStore(), newStore()];
        const servers = [serverOn(shared), serverOn(shared)];
        for (const [sent, each] of wishes.entries())
          expect(await answerOf(servers[each.server]!, each, sent)).toEqual(await answerOf(serverOn(reference), each, sent));
        expect(await shared.readAll(undefined, 1000)).toEqual(await reference.readAll(undefined, 1000));
      }),
      { numRuns: 300 },
    ));

  it('decides every command once, on what was there, when all come at the same time on two servers', () =>
    fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 2, maxLength: 20 }), async (wishes) => {
        const shared = newStore();
        const servers = [serverOn(shared), serverOn(shared)];
        const answers = await Promise.all(wishes.map((each, sent) => answerOf(servers[each.server]!, each, sent)));
        const { events } = await shared.readAll(undefined, 1000);
        expect(new Set(events.map(({ meta }) => meta.commandId)).size).toBe(events.length);
        for (const id of ['1', '2']) {
          let holders: Shelf = [];
          for (const event of events.filter(({ stream }) => stream === `shelf-${id}`) as Parameters<typeof shelf.evolve>[1][]) {
            if (event.type === 'Taken') expect(event.data.left).toBe(SIZE - holders.length - 1);
            if (event.type === 'Returned') expect(holders).toContain(event.data.by);
            if (event.type === 'LatecomerRefused') expect(holders).toHaveLength(SIZE);
            holders = shelf.evolve(holders, event);
          }
        }
        for (const answer of answers as { events?: unknown[] }[])
          for (const event of answer.events ?? []) expect(events).toContainEqual(event);
      }),
      { numRuns: 200 },
    ));

  it('does not read a stream again that it wrote, and reads only what is newer before it refuses', async () => {
    const store = newStore();
    const reads: string[] = [];
    const server = Object.assign(serverOn(store), {
      readStream: (stream: string, from = 0n) => {
        reads.push(`${stream} from ${from}`);
        return store.readStream(stream, from);
      },
    });
    const send = (type: Kind, actor: Who, key: number, on = server) =>
      answerOf(on, { server: 0, type, actor, id: '1', key, body: 'one' }, key);
    await send('Take', 'ann', 1);
    await send('Take', 'bob', 2);
    expect(reads).toEqual(['shelf-1 from 0']);
    expect(await send('Take', 'eva', 3)).toMatchObject({ code: 'shelf/empty' });
    await send('Return', 'ann', 4, serverOn(store));
    expect(await send('Take', 'eva', 5)).toMatchObject({ revision: 3n, state: ['bob', 'eva'] });
    expect(reads).toEqual(['shelf-1 from 0', 'shelf-1 from 2', 'shelf-1 from 2']);
  });

  it('finds out when its store was taken back to an earlier state', async () => {
    const [long, short] = [newStore(), newStore()];
    let behind = long;
    const server: InMemoryEventStore = Object.assign(serverOn(long), {
      readStream: (...of: Parameters<InMemoryEventStore['readStream']>) => behind.readStream(...of),
      append: (...of: Parameters<InMemoryEventStore['append']>) => behind.append(...of),
    });
    const take = (actor: Who, key: number): Wish => ({ server: 0, type: 'Take', actor, id: '1', key, body: 'one' });
    for (const store of [long, short]) await answerOf(serverOn(store), take('ann', 1), 1);
    await answerOf(server, take('bob', 2), 2);
    behind = short;
    expect(await answerOf(server, take('bob', 2), 3)).toMatchObject({ revision: 1n, state: ['ann', 'bob'] });
    expect(await answerOf(server, take('eva', 3), 4)).toMatchObject({ code: 'shelf/empty', facts: { holders: ['ann', 'bob'] } });
  });
});

describe('What is known of streams', () => {
  const known = (revision: bigint, state: unknown = '') => ({ ...unknown(state), revision });

  it('is that of those used last', () => {
    const streams = new KnownStreams<unknown>({ streams: 2, bytes: 1e6 });
    streams.put('a', known(0n));
    streams.put('b', known(0n));
    streams.get('a');
    streams.put('c', known(0n));
    expect(['a', 'b', 'c'].map((stream) => streams.get(stream) !== undefined)).toEqual([true, false, true]);
  });

  it('takes no more room than it may, and no stream takes a tenth of it', () => {
    const streams = new KnownStreams<unknown>({ streams: 1000, bytes: 100_000 });
    for (let index = 0; index < 100; index++) streams.put(String(index), known(0n, { text: 'x'.repeat(4_000) }));
    const kept = Array.from({ length: 100 }, (_, index) => index).filter((index) => streams.get(String(index)));
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 100 - kept.length + index));
    expect(kept.length).toBeGreaterThan(8);
    expect(kept.length).toBeLessThan(13);
    streams.put('99', known(1n, ['x'.repeat(6_000)]));
    expect(streams.get('99')).toBeUndefined();
  });

  it('never goes back to an earlier revision', () => {
    const streams = new KnownStreams<unknown>();
    streams.put('a', known(2n, 'late'));
    streams.put('a', known(1n, 'early'));
    expect(streams.get('a')?.state).toBe('late');
  });
});

describe('A stream whose events came along with something else', () => {
  const command = (type: Kind, commandId: string) => ({ type, data: {}, meta: { ...metaOf(principal('ann')), commandId } }) as ShelfCommand;

  it('is decided on without a read, and read where it is behind', async () => {
    const store = newStore();
    const server = serverOn(store);
    await handleCommand(store, shelf, '1', command('Take', 'a'));
    const { events } = await store.readStream<ShelfEvent>('shelf-1');
    remember(server, shelf, 'shelf-1', events);
    const read = jest.spyOn(server, 'readStream');
    expect(await handleCommand(server, shelf, '1', command('Take', 'b'))).toMatchObject({ revision: 1n, state: ['ann', 'ann'] });
    expect(read).not.toHaveBeenCalled();

    // It came late: more is known by now.
    remember(server, shelf, 'shelf-1', events);
    expect(knownStreams(server, shelf).get('shelf-1')).toMatchObject({ revision: 1n });

    await handleCommand(store, shelf, '1', command('Return', 'c'));
    expect(await handleCommand(server, shelf, '1', command('Take', 'd'))).toMatchObject({ revision: 3n, state: ['ann', 'ann'] });
    expect(read).toHaveBeenCalled();
  });

  it('without events stays unknown', () => {
    const store = newStore();
    remember(store, shelf, 'shelf-1', []);
    expect(knownStreams(store, shelf).get('shelf-1')).toBeUndefined();
  });
});
