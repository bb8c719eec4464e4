import fc from 'fast-check';
import { DomainError, type Refusal } from '#libs/kernel';
import { parseJson } from './lossless-json.js';

const refusalOf = (source: string | Uint8Array): Refusal => {
  try {
    parseJson(source);
  } catch (error) {
    if (error instanceof DomainError) return error.refusal;
    throw error;
  }
  throw new Error(`Was accepted: ${source.toString().slice(0, 100)}`);
};
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const verdict = (text: string): string => {
  try {
    parseJson(text);
    return 'accepted';
  } catch (error) {
    return error instanceof DomainError ? error.refusal.code : `threw ${String(error)}`;
  }
};

// What JSON can hold without loss: whole characters, no NUL, numbers that every reader holds.
const cleanText = fc.string({
  unit: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((char) => !char.includes('\0') && char !== '__proto__'),
});
const cleanNumber = fc.double({ noNaN: true, min: -(2 ** 53) + 1, max: 2 ** 53 - 1 });
const { value: cleanValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    cleanText,
    cleanNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      cleanText.filter((key) => key !== '__proto__' && key !== 'constructor'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));
const anyJsonText = fc.oneof(
  fc.json(),
  fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
);
const broken = fc
  .tuple(anyJsonText, fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', '0', '-', 'e', '\u0001', '\u00a0', 'nul'))
  .map(([text, place, insert]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + insert + text.slice(at + (place % 2));
  });

describe('A JSON body', () => {
  it('is read as it was sent, with any white space and any escapes', () => {
    fc.assert(
      fc.property(cleanValue, fc.constantFrom(undefined, 1, '\t'), fc.boolean(), (value, indent, escape) => {
        const plain = JSON.stringify(value, null, indent);
        const text = escape ? plain.replace(/[^\x20-\x7e\s]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`) : plain;
        expect(parseJson(new TextEncoder().encode(text))).toEqual(JSON.parse(plain));
      }),
      { numRuns: 500 },
    );
  });

  it('is malformed exactly where JSON.parse says so', () => {
    fc.assert(
      fc.property(fc.oneof(anyJsonText, broken, fc.string()), (text) => {
        if (isJson(text)) expect(verdict(text)).not.toBe('json/malformed');
        else expect(verdict(text)).toMatch(/^json\//);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps every number or is refused', () => {
    const literal = fc.oneof(
      fc.bigInt().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.tuple(fc.bigInt(), fc.stringMatching(/^\d{1,25}$/), fc.integer({ min: -400, max: 400 })).map(([a, b, e]) => `${a}.${b}e${e}`),
    );
    fc.assert(
      fc.property(literal, (text) => {
        const result = verdict(text);
        const value = Number(text);
        if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) expect(result).toBe('json/unsafe-number');
        else if (result === 'accepted') expect(Number(JSON.stringify(parseJson(text)))).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '0',
    '-0',
    '-1',
    '1.10',
    '0.1',
    '1e2',
    '1E+2',
    '100e-2',
    '9007199254740991',
    '-9007199254740991',
    '0.30000000000000004',
    '5e-324',
    '0e99999999999999999999',
  ])('may hold the number %s', (text) => expect(parseJson(`[${text}]`)).toEqual([Number(text)]));
  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e21',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055',
    '123456789.12345678901234',
  ])('may not hold the number %s', (text) =>
    expect(refusalOf(`{"a":[1,${text}]}`)).toMatchObject({ kind: 'invalid', code: 'json/unsafe-number', errors: [{ pointer: '/a/1' }] }),
  );

  it.each<[string, string, string]>([
    ['{"a":1,"a":2}', 'json/duplicate-key', '/a'],
    ['{"b":{"a/~":1,"\\u0061/~":2}}', 'json/duplicate-key', '/b/a~1~0'],
    ['{"":1,"":2}', 'json/duplicate-key', '/'],
    ['{"__proto__":1}', 'json/prototype-key', '/__proto__'],
    ['[{"\\u005f_proto__":{}}]', 'json/prototype-key', '/0/__proto__'],
    ['{"constructor":{"prototype":{}}}', 'json/prototype-key', '/constructor/prototype'],
    ['{"a":"\\u0000"}', 'json/nul', '/a'],
    ['{"a":{"x\\u0000":1}}', 'json/nul', '/a'],
    ['["\\ud800"]', 'json/lone-surrogate', '/0'],
    ['["\\udc00\\ud800"]', 'json/lone-surrogate', '/0'],
    ['{"\\ud83d":1}', 'json/lone-surrogate', ''],
  ])('refuses %s as %s at "%s"', (text, code, pointer) => {
    expect(refusalOf(text)).toMatchObject({ kind: 'invalid', code, errors: [{ pointer }] });
  });

  it('may say constructor or prototype where that reaches nothing', () =>
    expect(parseJson('{"constructor":"Ferrari","prototype":{"toString":1}}')).toEqual({
      constructor: 'Ferrari',
      prototype: { toString: 1 },
    }));

  it('keeps a pair of surrogates, escaped or not', () => expect(parseJson('["\\ud83d\\ude00","😀"]')).toEqual(['😀', '😀']));

  it('may nest 32 deep and no deeper', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(verdict(nested(32))).toBe('accepted');
    expect(refusalOf(nested(33))).toMatchObject({ code: 'json/too-deep', errors: [{ pointer: '/0'.repeat(32) }] });
    expect(verdict('{"a":'.repeat(33) + '1' + '}'.repeat(33))).toBe('json/too-deep');
    expect(verdict('['.repeat(500_000))).toBe('json/too-deep');
  });

  it.each<[string, number]>([
    ['{"a":}', 5],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['tru', 3],
    ['"abc', 4],
    ['"a\nb"', 2],
    ['01', 1],
    ['[1] 2', 4],
    [' ', 1],
    ['{"a":"\\x"}', 7],
  ])('is malformed and says where: %j at %i', (text, offset) => {
    expect(refusalOf(text)).toMatchObject({ kind: 'malformed', code: 'json/malformed', facts: { offset } });
  });

  it('is refused where its bytes are not UTF-8, or begin with a byte order mark', () => {
    expect(refusalOf(Uint8Array.of(0x22, 0xff, 0x22)).code).toBe('json/malformed');
    expect(refusalOf(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)).code).toBe('json/malformed');
    expect(refusalOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)).code).toBe('json/malformed');
  });

  it('costs time in proportion to its length, whatever it holds', () => {
    const long = 1_000_000;
    for (const text of [
      `[${'0'.repeat(long)}]`,
      `0.${'0'.repeat(long)}1`,
      `1${'0'.repeat(long)}`,
      `"${'\\u0041'.repeat(long / 6)}"`,
      `{"${'k'.repeat(long)}":{"__proto__":1}}`,
    ])
      expect(verdict(text)).toMatch(/^json\/|^accepted$/);
    expect(refusalOf(`{"${'k'.repeat(long)}":{"__proto__":1}}`).errors![0]!.pointer.length).toBeLessThan(200);
  });
});
