import { ConcurrencyError, DomainError, refusal, type RefusalKind } from '#libs/kernel';
import { backOff, isOutage, reasonOf } from './failures.js';

const refused = (kind: RefusalKind, code = 'some/code') => new DomainError(refusal(kind, code, 'No.'));
const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

describe('An outage', () => {
  it.each([
    ['a lost race', new ConcurrencyError('box-1', 0n, 1n)],
    ['a store that is away', refused('unavailable')],
    ['a busy stream', refused('conflict', 'stream/busy')],
    ['a refused connection', coded('ECONNREFUSED')],
    ['one that broke', new Error('Connection terminated unexpectedly')],
    ['an administrator who ends it', coded('57P01')],
    ['a deadlock', coded('40P01')],
    ['a lock not to be had', coded('55P03')],
    ['an EventStoreDB that is away', Object.assign(new Error('UNAVAILABLE'), { type: 'unavailable' })],
    ['several addresses that refuse', new AggregateError([coded('ECONNREFUSED')])],
    ['what one of these caused', new Error('Wrapped.', { cause: coded('ECONNRESET') })],
  ])('is %s', (_, error) => expect(isOutage(error)).toBe(true));

  it.each([
    ['a refusal', refused('conflict')],
    ['a bug', new TypeError('undefined is not a function')],
    ['a value that the database cannot take', coded('22P02', 'invalid input syntax for type uuid')],
    ['a broken constraint', coded('23514')],
    ['something that is no error', 'oops'],
  ])('is not %s', (_, error) => expect(isOutage(error)).toBe(false));
});

describe('A reason', () => {
  it('is one line that a table can hold', () => {
    expect(reasonOf(new TypeError('a\0b'))).toBe('TypeError: ab');
    expect(reasonOf('x'.repeat(5000))).toHaveLength(1000);
  });
});

describe('Pauses', () => {
  it('double up to their cap', () => expect([1, 2, 3, 4, 99].map((attempt) => backOff(attempt, 500))).toEqual([100, 200, 400, 500, 500]));
});
