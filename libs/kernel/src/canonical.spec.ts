import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, digestOf, sha256 } from './canonical.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** The same value, its keys in another order at every level. */
const reordered = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reordered);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reordered(item)] as const)
      .reverse(),
  );
};

/** Every value that differs from `value` in one place, at any depth. */
const changed = (value: Json): Json[] => {
  if (Array.isArray(value))
    return [[...value, 0], ...value.flatMap((item, index) => changed(item).map((other) => value.with(index, other)))];
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const without = entries.map(([key]) => Object.fromEntries(entries.filter(([other]) => other !== key)));
    return [
      ...without,
      ...entries.flatMap(([key, item]) =>
        changed(item).map((other) => Object.fromEntries(entries.map((entry) => (entry[0] === key ? [key, other] : entry)))),
      ),
    ];
  }
  return [[value], typeof value === 'string' ? `${value}.` : 'other'];
};

describe('The canonical form', () => {
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.string() },
    fc.constantFrom('10', '9', '01', '-1', '__proto__', 'toJSON', '\u20ac', '\ud83d\ude00', '\ufb33'),
  );
  const { value: any } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, 0, -0, 1e21, 1e-7, 333333333.3333, 5e-324),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
      fc.dictionary(key, fc.option(tie('value'), { nil: undefined }), { noNullPrototype: true }),
    ),
  }));

  it('is what the library of RFC 8785 writes, whatever the value', () => {
    fc.assert(
      fc.property(any, (value) => expect(canonicalJson(value)).toBe(canonicalize(value))),
      { numRuns: 1000 },
    );
  });

  it.each([
    [{ 10: 'a', 9: 'b', a: 1 }, '{"10":"a","9":"b","a":1}'],
    [JSON.parse('{"b":1,"__proto__":{"a":2}}'), '{"__proto__":{"a":2},"b":1}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ z: undefined, a: [] }, '{"a":[]}'],
  ])('of %j has its keys in order and loses none', (value, text) => expect(canonicalJson(value)).toBe(text));

  it.each([[Number.NaN], [{ a: Infinity }], [undefined], [() => 1], [1n]])('there is none of %p', (value) =>
    expect(() => canonicalJson(value)).toThrow(),
  );
});

describe('A digest', () => {
  it('is the same for the same value, whatever the order of its keys and however it travelled', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(digestOf(reordered(value))).toBe(digestOf(value));
        expect(digestOf(JSON.parse(JSON.stringify(value)))).toBe(digestOf(value));
      }),
    );
  });

  it('differs as soon as one nested thing differs', () => {
    fc.assert(
      fc.property(json, (value) => {
        for (const other of changed(value)) expect(digestOf(other)).not.toBe(digestOf(value));
      }),
    );
  });

  it('tells apart what reads alike', () => {
    const alike = [
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: { 0: 1 } },
      { a: null },
      {},
      [],
      [[]],
      '',
      'é',
      'e\u0301',
      [1, 2],
      [2, 1],
      [12],
      ['1', '2'],
    ];
    expect(new Set(alike.map(digestOf)).size).toBe(alike.length);
  });

  it('survives a store that reorders keys', () => {
    const value = { bb: 1, a: { z: 1, y: 2 } };
    expect(digestOf({ a: { y: 2, z: 1 }, bb: 1 })).toBe(digestOf(value));
    expect(digestOf({ bb: 1, a: { z: 1, y: 3 } })).not.toBe(digestOf(value));
  });

  it('is SHA-256 over RFC 8785 JSON', () => {
    // The example of RFC 8785, section 3.2.2.
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    );
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256(new TextEncoder().encode('é'))).toBe(sha256('é'));
  });

  it.each([undefined, NaN, Infinity, () => 1, 1n, { a: 1n }])('is refused for what JSON cannot hold: %p', (value) => {
    expect(() => digestOf(value)).toThrow();
  });
});
