import fc from 'fast-check';
import { DomainError } from '#libs/kernel';
import { text } from '../fields/rules.js';
import { noteOnRequest, requestContext, runInContext } from '../edge/request-context.js';
import { answer } from './answer.js';
import { etag, parseIfMatch } from './etag.js';
import { parseIdempotencyKey } from './idempotency-key.js';
import { readCursor, writeCursor } from './page.js';
import { parseTraceparent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('The header traceparent', () => {
  it('gives the ids it holds', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)).toMatchObject({ sampled: false });
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`)).toMatchObject({ traceId: TRACE });
  });
  it.each([
    undefined,
    '',
    'x',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-0`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('is ignored when it is %p', (header) => expect(parseTraceparent(header)).toBeUndefined());
});

describe('The header Idempotency-Key', () => {
  it.each(['a', 'x'.repeat(255), '"quoted"', '!~'])('may be %p', (key) => expect(parseIdempotencyKey(key)).toBe(key));
  it.each(['', 'x'.repeat(256), 'a b', 'a, b', 'é', '\t', ['a', 'b']])('may not be %p', (key) =>
    expect(() => parseIdempotencyKey(key)).toThrow(DomainError),
  );
  it('may be missing', () => expect(parseIdempotencyKey(undefined)).toBeUndefined());
});

describe('An entity tag', () => {
  it('is read back as the revision it was made of', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.constantFrom('', 'stale'), (revision, variant) => {
        expect(parseIfMatch(etag(revision, variant))).toEqual([revision.toString()]);
      }),
    );
    expect(parseIfMatch('*')).toBeUndefined();
    expect(parseIfMatch('W/"3"')).toEqual([]);
  });
});

describe('A cursor', () => {
  it('carries its key, and is refused as soon as it is anything else', () => {
    const rule = text({ max: 10 });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string()), fc.string(), (key, noise) => {
        const holds = rule.faults(key, '').length === 0;
        if (holds) expect(readCursor(writeCursor(key), rule)).toEqual(key);
        else expect(() => readCursor(writeCursor(key), rule)).toThrow(DomainError);
        try {
          expect(rule.faults(readCursor(noise, rule), '')).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
    );
    expect(readCursor(undefined, rule)).toBeUndefined();
  });
});

describe('The answer to a command', () => {
  it('says where it was written, whatever the body says, and tells the log its audit id', () => {
    const handled = { id: 'i', revision: 9007199254740993n, position: '12', auditId: 'a' };
    runInContext({ requestId: 'r' }, () => {
      expect(answer(handled, { id: 'forged', status: 'pending' })).toEqual({
        id: 'i',
        revision: '9007199254740993',
        position: '12',
        auditId: 'a',
        status: 'pending',
      });
      expect(requestContext()).toEqual({ requestId: 'r', auditId: 'a' });
    });
    noteOnRequest({ auditId: 'outside' });
    expect(requestContext()).toBeUndefined();
    expect(answer(handled)).toEqual({ id: 'i', revision: '9007199254740993', position: '12', auditId: 'a' });
  });
});
