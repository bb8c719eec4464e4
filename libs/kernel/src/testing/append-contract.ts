import { MAX_EVENT_BYTES, UnstorableError } from '../encoding.js';
import { ConcurrencyError, DuplicateEventError, NO_STREAM, type EventStore } from '../event-store.js';
import type { NewEvent } from '../event.js';
import { newId } from '../ids.js';
import { contractTypes, noted, type Noted } from './contract-events.js';

/**
 * The half of the contract that is about `append`. A store that `indexesIds` refuses an id that another stream holds; EventStoreDB
 * has no index over the ids of all streams. Nothing of ours relies on it: an id derives from a command, and a command
 * goes to one stream.
 */
export const appendContract = (open: () => EventStore, indexesIds: boolean) => {
  let store: EventStore;
  let stream: string;
  beforeEach(() => {
    store = open();
    stream = `note-${newId()}`;
  });
  const notesOf = async (of = stream) => (await store.readStream<Noted>(of)).events.map(({ data }) => data.note);
  const append = (...notes: unknown[]) =>
    store.append(
      stream,
      notes.map((note) => noted(note)),
      NO_STREAM,
    );

  describe('appending', () => {
    it('starts a stream at revision 0 and goes on from there', async () => {
      const first = await store.append(stream, [noted('a')], NO_STREAM);
      const second = await store.append(stream, [noted('b'), noted('c')], 0n);
      expect(first).toMatchObject({ revision: 0n, position: expect.stringMatching(/^\d+$/) as string });
      expect(second.revision).toBe(2n);
      expect(store.compare(first.position, second.position)).toBeLessThan(0);
      expect(await notesOf()).toEqual(['a', 'b', 'c']);
    });

    it('answers with the events as they are read from then on', async () => {
      const odd = { big: 2n ** 64n, $key: [null], none: undefined, deep: { number: 1e21, text: 'é\u2028' } };
      const first = await store.append(stream, [noted('a'), noted([odd, 1n])], NO_STREAM);
      const second = await store.append(stream, [noted(odd)], 1n);
      const { events } = await store.readStream(stream);
      expect([...first.events, ...second.events]).toStrictEqual(events);
      expect(first).toMatchObject({ revision: events[1]!.revision, position: events[1]!.position });
      expect(second).toMatchObject({ revision: events[2]!.revision, position: events[2]!.position });
    });

    it.each([
      ['is behind', 2, 0n],
      ['is ahead', 2, 2n],
      ['is far ahead', 2, 2n ** 60n],
      ['believes there is no stream', 1, NO_STREAM],
      ['believes there is one', 0, 0n],
    ])('refuses a writer that %s, and says where the stream is', async (_, length, expected) => {
      if (length > 0) await append(...Array.from({ length }, (__, index) => index));
      const refused: unknown = await store.append(stream, [noted('late')], expected).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ConcurrencyError);
      expect(refused).toMatchObject({ stream, expected, actual: BigInt(length) - 1n });
      expect(await notesOf()).toHaveLength(length);
    });

    it('lets one of many writers at the same revision win', async () => {
      await append('first');
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, writer) => store.append(stream, [noted(writer)], 0n)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'ConcurrencyError', actual: 1n });
      expect(await notesOf()).toHaveLength(2);
    });

    it('lets writers of different streams all win', async () => {
      const streams = Array.from({ length: 50 }, () => `note-${newId()}`);
      const answers = await Promise.all(streams.map((each) => store.append(each, [noted(each), noted(2)], NO_STREAM)));
      expect(new Set(answers.map(({ position }) => position)).size).toBe(50);
      expect(await Promise.all(streams.map((each) => notesOf(each)))).toEqual(streams.map((each) => [each, 2]));
    });

    it('refuses to append nothing', async () => {
      await expect(store.append(stream, [], NO_STREAM)).rejects.toThrow(RangeError);
    });

    it.each([2n ** 63n - 1n, 2n ** 63n, -2n, -1, 'x', undefined, null])('refuses %p as the expected revision', async (expected) => {
      await expect(store.append(stream, [noted('a')], expected as bigint)).rejects.toThrow(RangeError);
    });

    it.each(['', 'note', '-1', 'note-', 'note-a b', 'note-\0', 'note-é', '$note-1', `note-${'x'.repeat(201)}`])(
      'refuses %j as the name of a stream',
      async (wrong) => {
        await expect(store.append(wrong, [noted('a')], NO_STREAM)).rejects.toThrow(UnstorableError);
      },
    );

    it.each([
      ['an id that is no UUID', { ...noted('a'), id: '1' }],
      ['an id in upper case', { ...noted('a'), id: newId().toUpperCase() }],
      ['a tenant that is no UUID', { ...noted('a'), meta: { ...noted('a').meta, tenantId: 'tenant' } }],
      ['a type that is not registered', { ...noted('a'), type: 'Unknown' }],
      ['the character NUL', noted('a\0')],
      ['NUL in a key', noted({ 'a\0': 1 })],
      ['half of a surrogate pair', noted('\ud83d')],
      ['half of a surrogate pair in meta', { ...noted('a'), meta: { ...noted('a').meta, policyVersion: '\udc00' } }],
      ['a number that JSON cannot hold', noted(NaN)],
      ['an instance of a class', noted(new Date(0))],
      ['nesting beyond what parsers take', noted(Array.from({ length: 200 }).reduce((inner) => [inner], null))],
    ])('refuses %s, and stores none of the append', async (_, event) => {
      await expect(store.append(stream, [noted('good'), event as NewEvent], NO_STREAM)).rejects.toThrow(UnstorableError);
      expect(await notesOf()).toEqual([]);
    });

    it('stores an event of the greatest size, and refuses one byte more with 413', async () => {
      const { data, meta } = contractTypes.encode(stream, noted(''));
      const room = MAX_EVENT_BYTES - Buffer.byteLength(data) - Buffer.byteLength(meta);
      await store.append(stream, [noted('é'.repeat(room / 2) + 'x'.repeat(room % 2))], NO_STREAM);
      expect((await store.readStream<Noted>(stream)).events[0]!.data.note).toHaveLength(Math.ceil(room / 2));
      await expect(store.append(stream, [noted('x'.repeat(room + 1))], 0n)).rejects.toMatchObject({
        refusal: { kind: 'too_large', code: 'event/too-large', facts: { bytes: MAX_EVENT_BYTES + 1, limit: MAX_EVENT_BYTES } },
      });
    });
  });

  describe('appending again', () => {
    it('answers as the first time, also once the stream has gone on', async () => {
      const events = [noted('a'), noted('b')];
      const first = await store.append(stream, events, NO_STREAM);
      expect(await store.append(stream, events, NO_STREAM)).toEqual(first);
      await store.append(stream, [noted('c')], 1n);
      expect(await store.append(stream, events, NO_STREAM)).toEqual(first);
      expect(await notesOf()).toEqual(['a', 'b', 'c']);
    });

    it('stores once what many send at the same time', async () => {
      const events = [noted('a'), noted('b')];
      const answers = await Promise.all(Array.from({ length: 10 }, () => store.append(stream, events, NO_STREAM)));
      expect(new Set(answers.map(({ revision, position }) => `${revision}@${position}`)).size).toBe(1);
      expect(await notesOf()).toEqual(['a', 'b']);
    });

    it.each<Again>([
      ...(indexesIds ? [inAnotherStream] : []),
      ['later in the same stream', (event) => [stream, [event], 0n]],
      ['behind a new event', (event) => [stream, [noted('new'), event], 0n]],
      ['before a new event', (event) => [stream, [event, noted('new')], NO_STREAM]],
      ['with other data', (event) => [stream, [{ ...event, data: { note: 'other' } }], NO_STREAM]],
      ['with other meta', (event) => [stream, [{ ...event, meta: { ...event.meta, credentialId: 'other' } }], NO_STREAM]],
    ])('refuses an id that is stored already %s', async (_, again) => {
      const event = noted('a');
      await store.append(stream, [event], NO_STREAM);
      const [into, events, expected] = again(event);
      const refused: unknown = await store.append(into, events, expected).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DuplicateEventError);
      expect(refused).toMatchObject({ eventId: event.id });
      expect(await notesOf()).toEqual(['a']);
      if (into !== stream) expect(await notesOf(into)).toEqual([]);
    });

    it('refuses one id for two events of an append', async () => {
      const event = noted('a');
      await expect(store.append(stream, [event, event], NO_STREAM)).rejects.toThrow(DuplicateEventError);
      expect(await notesOf()).toEqual([]);
    });

    const write = indexesIds ? 'lets one win of those who write one id to different streams' : 'knows an id in its stream only';
    it(write, async () => {
      const event = noted('a');
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, () => store.append(`note-${newId()}`, [noted('own'), event], NO_STREAM)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(indexesIds ? 1 : 8);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'DuplicateEventError', eventId: event.id });
    });
  });
};

type Again = [string, (event: NewEvent<Noted>) => [string, NewEvent[], bigint]];
const inAnotherStream: Again = ['in another stream', (event) => [`note-${newId()}`, [event], NO_STREAM]];
