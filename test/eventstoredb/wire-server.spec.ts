import {
  ANY,
  BACKWARDS,
  binaryEvent,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type Credentials,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { newId } from '#libs/kernel';
import { eventually } from '../support/eventually.js';
import { startTarget, type Target } from './target.js';

/** Those of the connection string; an insecure server asks for none and takes any. */
const credentialsOf = (url = ''): Credentials => {
  const [, username = 'admin', password = 'changeit'] = /\/\/([^:@]+):([^@]+)@/.exec(url) ?? [];
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
};

/**
 * What the client is told by EventStoreDB. It runs against a real one as well (TEST_EVENTSTORE_URL): that is how the server under `server/`
 * is known to say the same.
 */
describe('EventStoreDB tells its client', () => {
  let target: Target;
  let client: EventStoreDBClient;
  let stream: string;
  beforeAll(async () => {
    target = await startTarget();
    client = EventStoreDBClient.connectionString(target.url);
  });
  afterAll(async () => {
    await client.dispose();
    await target.stop();
  });
  beforeEach(() => {
    stream = `test-${newId()}`;
  });

  const event = (n: number, type = 'Ticked') => jsonEvent({ id: newId(), type, data: { n }, metadata: { by: 'test' } });
  const numbers = (events: readonly (ResolvedEvent | AllStreamResolvedEvent)[]) =>
    events.map((each) => (each.event!.data as { n: number }).n);
  const read = async (options: Parameters<EventStoreDBClient['readStream']>[1] = {}) => {
    const events: ResolvedEvent[] = [];
    for await (const one of client.readStream(stream, options)) events.push(one);
    return events;
  };
  const all = async (options: Parameters<EventStoreDBClient['readAll']>[0]) => {
    const events: AllStreamResolvedEvent[] = [];
    for await (const one of client.readAll(options)) events.push(one);
    return events;
  };

  // Unary calls where credentials are given with the call, batches where they are not.
  describe.each<[string, { credentials?: Credentials }]>([
    ['of a batch', {}],
    ['of a call of its own', { credentials: credentialsOf(process.env['TEST_EVENTSTORE_URL']) }],
  ])('%s', (_, how) => {
    const append = (events: Parameters<EventStoreDBClient['appendToStream']>[1], expectedRevision: AppendExpectedRevision) =>
      client.appendToStream(stream, events, { ...how, expectedRevision });

    it('revision and position of the last event', async () => {
      const { success, nextExpectedRevision, position } = await append([event(0), event(1)], NO_STREAM);
      expect([success, nextExpectedRevision]).toEqual([true, 1n]);
      expect((await read()).at(-1)!.event!.position).toEqual(position);
    });

    it.each<[string, number, AppendExpectedRevision]>([
      ['is behind', 3, 1n],
      ['is ahead', 3, 3n],
      ['wants no stream', 1, NO_STREAM],
      ['wants a stream', 0, STREAM_EXISTS],
      ['wants a revision of none', 0, 0n],
    ])('where the stream is, when its writer %s', async (__, length, expectedRevision) => {
      if (length > 0)
        await append(
          Array.from({ length }, (___, n) => event(n)),
          NO_STREAM,
        );
      const refused: unknown = await append(event(9), expectedRevision).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(WrongExpectedVersionError);
      expect(refused).toMatchObject({ actualVersion: length > 0 ? BigInt(length) - 1n : 'no_stream', streamName: stream });
    });

    it('the first answer again for the same ids at the same place, whatever they hold', async () => {
      const events = [event(0), event(1)];
      const first = await append(events, NO_STREAM);
      await append(event(2), 1n);
      expect(await append(events, NO_STREAM)).toEqual(first);
      expect(await append([{ ...events[0]!, data: { n: 7 } }, events[1]!], NO_STREAM)).toEqual(first);
      expect(await append(events, ANY)).toEqual(first);
      expect(numbers(await read())).toEqual([0, 1, 2]);
    });

    it('of a conflict where only some of the ids are there', async () => {
      const first = event(0);
      await append(first, NO_STREAM);
      await expect(append([first, event(1)], NO_STREAM)).rejects.toThrow(WrongExpectedVersionError);
    });

    it('nothing of an id that lies elsewhere in the stream, or in another one', async () => {
      const first = event(0);
      await append(first, NO_STREAM);
      await append(first, 0n);
      await client.appendToStream(`test-${newId()}`, first, { ...how, expectedRevision: NO_STREAM });
      expect(numbers(await read())).toEqual([0, 0]);
    });

    it('that an append is too large', async () => {
      const large = () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(17_000_000) } });
      await expect(append(large(), NO_STREAM)).rejects.toBeInstanceOf(Error);
      await expect(read()).rejects.toThrow(StreamNotFoundError);
    });
  });

  it('the events of a stream from either end, with the place of each', async () => {
    await client.appendToStream(stream, [event(0), event(1), event(2), event(3)], { expectedRevision: NO_STREAM });
    expect(numbers(await read())).toEqual([0, 1, 2, 3]);
    expect(numbers(await read({ fromRevision: 2n }))).toEqual([2, 3]);
    expect(numbers(await read({ fromRevision: 4n }))).toEqual([]);
    expect(numbers(await read({ fromRevision: END, direction: BACKWARDS, maxCount: 2 }))).toEqual([3, 2]);
    const [first] = await read({ maxCount: 1 });
    expect(first!.event).toMatchObject({ streamId: stream, revision: 0n, type: 'Ticked', isJson: true, metadata: { by: 'test' } });
    expect(first!.event!.position!.commit).toBeLessThan(2n ** 63n - 1n);
    expect(Math.abs(first!.event!.created.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('that there is no stream', () => expect(read()).rejects.toThrow(StreamNotFoundError));

  it('bytes as they were', async () => {
    await client.appendToStream(stream, binaryEvent({ type: 'Bytes', data: Buffer.from([0, 1, 255]) }));
    expect([...((await read())[0]!.event!.data as Uint8Array)]).toEqual([0, 1, 255]);
  });

  it('everything in one order, from a position on and with it, and each position once', async () => {
    const { position } = await client.appendToStream(stream, event(0), { expectedRevision: NO_STREAM });
    await client.appendToStream(stream, [event(1), event(2)], { expectedRevision: 0n });
    const ours = (await all({ fromPosition: position! })).filter((one) => one.event!.streamId === stream);
    expect(numbers(ours)).toEqual([0, 1, 2]);
    const positions = ours.map((one) => one.event!.position.commit);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => (a < b ? -1 : 1)));
    expect((await all({ fromPosition: position!, maxCount: 1 }))[0]!.event!.streamId).toBe(stream);
    expect((await all({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }))[0]!.event!.position.commit).toBeGreaterThanOrEqual(
      positions[2]!,
    );
  });

  it('nothing of a filter on reads of everything: the client leaves it out', async () => {
    const { position } = await client.appendToStream(stream, [event(0, 'Wanted'), event(1, 'Other')], { expectedRevision: NO_STREAM });
    const filter = eventTypeFilter({ prefixes: ['Wanted'] });
    const found = await all({ fromPosition: { commit: position!.commit, prepare: position!.prepare }, ...{ filter } });
    expect(found.some((one) => one.event!.type === 'Other')).toBe(true);
  });

  it('that it starts with events of its own', async () =>
    expect((await all({ fromPosition: START, maxCount: 1 }))[0]!.event!.streamId).toMatch(/^\$/));

  describe('through a subscription', () => {
    const follow = (subscription: AllStreamSubscription) => {
      const seen = { numbers: [] as number[], caughtUp: 0, confirmed: 0, error: undefined as unknown };
      subscription.on('data', (one) => one.event?.streamId === stream && seen.numbers.push((one.event.data as { n: number }).n));
      subscription.on('caughtUp', () => seen.caughtUp++);
      subscription.on('confirmation', () => seen.confirmed++);
      subscription.on('error', (error) => (seen.error = error));
      return seen;
    };

    it('what lies after a position, and then what is appended', async () => {
      const { position } = await client.appendToStream(stream, event(0), { expectedRevision: NO_STREAM });
      await client.appendToStream(stream, event(1), { expectedRevision: 0n });
      const subscription = client.subscribeToAll({ fromPosition: position! });
      const seen = follow(subscription);
      await eventually(() => seen.caughtUp === 1);
      await client.appendToStream(stream, event(2), { expectedRevision: 1n });
      await eventually(() => seen.numbers.length === 2);
      expect(seen).toMatchObject({ numbers: [1, 2], confirmed: 1, error: undefined });
      await subscription.unsubscribe();
    });

    it('only what a filter lets through, and how far it has looked', async () => {
      const checkpoints: bigint[] = [];
      const { position } = await client.appendToStream(stream, event(0, 'Wanted'), { expectedRevision: NO_STREAM });
      const filter = streamNameFilter({
        prefixes: [stream],
        maxSearchWindow: 5,
        checkpointInterval: 1,
        checkpointReached: (_, { commit }) => void checkpoints.push(commit),
      });
      const subscription = client.subscribeToAll({ fromPosition: START, filter });
      const seen = follow(subscription);
      await eventually(() => seen.caughtUp === 1, 30_000);
      expect(seen.numbers).toEqual([0]);
      expect(checkpoints.at(-1)).toBeGreaterThanOrEqual(position!.commit);
      await subscription.unsubscribe();
    });

    it('of one stream what lies after a revision', async () => {
      await client.appendToStream(stream, [event(0), event(1)], { expectedRevision: NO_STREAM });
      const subscription = client.subscribeToStream(stream, { fromRevision: 0n });
      const got: bigint[] = [];
      subscription.on('data', (one) => got.push(one.event!.revision));
      subscription.on('error', () => undefined);
      await eventually(() => got.length === 1);
      await client.appendToStream(stream, event(2), { expectedRevision: 1n });
      await eventually(() => got.length === 2);
      expect(got).toEqual([1n, 2n]);
      await subscription.unsubscribe();
    });
  });

  it('that a stream is gone once it is deleted, and goes on with its revisions when it is written again', async () => {
    await client.appendToStream(stream, [event(0), event(1)], { expectedRevision: NO_STREAM });
    await expect(client.deleteStream(stream, { expectedRevision: 0n })).rejects.toThrow(WrongExpectedVersionError);
    await client.deleteStream(stream, { expectedRevision: 1n });
    await expect(read()).rejects.toThrow(StreamNotFoundError);
    expect((await client.appendToStream(stream, event(2), { expectedRevision: NO_STREAM })).nextExpectedRevision).toBe(2n);
    expect((await read()).map((one) => one.event!.revision)).toEqual([2n]);
  });

  it('that a stream is gone for ever once it has a tombstone', async () => {
    await client.appendToStream(stream, event(0), { expectedRevision: NO_STREAM });
    await client.tombstoneStream(stream);
    await expect(read()).rejects.toThrow(StreamDeletedError);
    await expect(client.appendToStream(stream, event(1))).rejects.toThrow(StreamDeletedError);
  });

  it('the metadata of a stream', async () => {
    await client.setStreamMetadata(stream, { maxCount: 3 });
    expect((await client.getStreamMetadata(stream)).metadata).toMatchObject({ maxCount: 3 });
  });
});
