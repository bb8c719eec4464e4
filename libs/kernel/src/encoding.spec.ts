import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalJson, sha256 } from './canonical.js';
import { EventTypes, UnstorableError, eventTypes } from './encoding.js';
import type { Event, NewEvent } from './event.js';
import { contractTypes, noted, type Noted } from './testing/index.js';

const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));
const key = fc.oneof(
  text,
  fc.constantFrom('$', '$$', '$bigint', '$$bigint', '__proto__', 'constructor', 'toString', '0', ''),
  text.map((value) => `$${value}`),
);
/** JSON plus bigint. Not -0: JSON writes it as 0. */
const storable = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.bigInt(),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as unknown),
    fc.bigInt().map((value) => ({ $bigint: value.toString() })),
  ),
})).value;

const stored = (note: unknown) => contractTypes.encode('note-1', noted(note));

describe('An encoded event', () => {
  it('is read as it was written, whatever JSON and bigints it holds', () => {
    fc.assert(
      fc.property(storable, (note) => {
        const { type, data, meta } = stored(note);
        expect(isDeepStrictEqual(contractTypes.decode<Noted>(type, data, meta).data.note, note)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is JSON of objects, lists, texts, numbers, true, false and null only', () => {
    fc.assert(
      fc.property(storable, (note) => {
        const { data } = stored(note);
        expect(JSON.stringify(JSON.parse(data))).toBe(data);
        expect(data.isWellFormed()).toBe(true);
        expect(data).not.toContain('\\u0000');
      }),
    );
  });

  it('carries a hash over all that is stored with it, which its reader can compute', () => {
    fc.assert(
      fc.property(storable, (note) => {
        const event = noted(note);
        const { id, type, data, meta, contentHash } = contractTypes.encode('note-1', event);
        const { contentHash: within, ...rest } = JSON.parse(meta) as Record<string, unknown>;
        expect(within).toBe(contentHash);
        expect(sha256(canonicalJson({ stream: 'note-1', id, type, data: JSON.parse(data) as unknown, meta: rest }))).toBe(contentHash);
      }),
    );
  });

  it('has another hash in another stream, under another id, with other data or other meta', () => {
    const event = noted({ a: { b: 1 } });
    const changed: [string, NewEvent][] = [
      ['note-1', event],
      ['note-2', event],
      ['note-1', { ...event, id: noted('').id }],
      ['note-1', { ...event, data: { note: { a: { b: 2 } } } }],
      ['note-1', { ...event, meta: { ...event.meta, actor: { ...event.meta.actor, id: 'bob' } } }],
    ];
    expect(new Set(changed.map(([stream, other]) => contractTypes.encode(stream, other).contentHash)).size).toBe(changed.length);
  });

  it('leaves out what is undefined, as JSON does', () => {
    expect(stored({ a: undefined, b: 1 }).data).toBe('{"note":{"b":1}}');
  });

  it.each([
    ['NUL', 'a\0b', /data\/note|NUL/],
    ['half of a surrogate pair', { list: ['ok', '\ud800'] }, /\/note\/list\/1 holds half/],
    ['half of one in a key', { '\udfff': 1 }, /half/],
    ['Infinity', -Infinity, /-Infinity/],
    ['a date', new Date(0), /not plain data/],
    ['a map', new Map(), /not plain data/],
    ['undefined in a list', [undefined], /undefined/],
    ['a function', { toJSON: () => 1 }, /function/],
    ['a symbol', Symbol('s'), /symbol/],
  ])('does not hold %s', (_, note, message) => {
    expect(() => stored(note)).toThrow(UnstorableError);
    expect(() => stored(note)).toThrow(message);
  });

  it('does not hold itself, nor what is nested beyond 100 levels', () => {
    const self: Record<string, unknown> = {};
    self.self = self;
    expect(() => stored(self)).toThrow(UnstorableError);
    const nested = (levels: number): unknown => (levels === 0 ? null : [nested(levels - 1)]);
    expect(() => stored(nested(99))).not.toThrow();
    expect(() => stored(nested(101))).toThrow(UnstorableError);
  });
});

describe('The registry of event types', () => {
  type Renamed = Event<'Renamed', { first: string; last: string; length: number }>;
  const old = new EventTypes(eventTypes({ Renamed: 1, Gone: 1 }));
  const now = new EventTypes(
    eventTypes<Renamed>({
      Renamed: {
        version: 3,
        upcast: {
          1: ({ name }: { name: string }) => ({ first: name.split(' ')[0]!, last: name.split(' ')[1]! }),
          2: (data: { first: string; last: string }) => ({ ...data, length: data.first.length + data.last.length }),
        },
      },
    }),
  );
  const encode = (types: EventTypes, type: string, data: unknown) => types.encode('name-1', { ...noted(0), type, data });

  it('brings data of any older version to the present one', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\w{1,9}$/), fc.stringMatching(/^\w{1,9}$/), (first, last) => {
        const { data, meta } = encode(old, 'Renamed', { name: `${first} ${last}` });
        const read = now.decode<Renamed>('Renamed', data, meta);
        expect(read.data).toEqual({ first, last, length: first.length + last.length });
        expect(read.meta.schemaVersion).toBe(1);
      }),
    );
  });

  it('leaves data of the present version alone, and data of a newer one as it is', () => {
    const present = encode(now, 'Renamed', { first: 'a', last: 'b', length: 7 });
    expect(now.decode('Renamed', present.data, present.meta)).toMatchObject({ data: { length: 7 }, meta: { schemaVersion: 3 } });
    expect(old.decode('Renamed', present.data, present.meta).data).toEqual({ first: 'a', last: 'b', length: 7 });
  });

  it('reads types that it does not know, and never writes them', () => {
    const { data, meta } = encode(old, 'Gone', { a: 1n });
    expect(now.decode('Gone', data, meta)).toMatchObject({ type: 'Gone', data: { a: 1n } });
    expect(() => encode(now, 'Gone', {})).toThrow('Event type Gone is not registered.');
  });

  it('names the upcast that is missing', () => {
    const { data, meta } = encode(old, 'Gone', {});
    expect(() => new EventTypes(eventTypes({ Gone: 2 })).decode('Gone', data, meta)).toThrow('No upcast of Gone from version 1.');
  });

  it('takes each type from one context only', () => {
    expect(() => new EventTypes(eventTypes({ A: 1 }), eventTypes({ A: 1 }))).toThrow('Event type A is registered twice.');
    expect(new EventTypes(eventTypes({ B: 1 }), eventTypes({ A: 2 })).names()).toEqual(['A', 'B']);
  });
});
