import { EventTypes, InMemoryEventStore } from '#libs/kernel';
import { earliest, grouped, isAfter, latest } from './order.js';

const store = new InMemoryEventStore(new EventTypes());

describe('Positions', () => {
  it('lie in the order of their numbers, not of their digits', () => {
    expect(isAfter(store, '10', '9')).toBe(true);
    expect(isAfter(store, '9', '10')).toBe(false);
    expect(isAfter(store, '9', '9')).toBe(false);
  });
  it('lie after the start of the store, which is before all', () => {
    expect(isAfter(store, '1', undefined)).toBe(true);
    expect(isAfter(store, undefined, '1')).toBe(false);
    expect(isAfter(store, undefined, undefined)).toBe(false);
  });
  it('have a first and a last', () => {
    expect(earliest(store, ['10', '9', '11'])).toBe('9');
    expect(latest(store, ['10', '9', '11'])).toBe('11');
    expect(earliest(store, ['10', undefined])).toBeUndefined();
    expect(latest(store, [undefined, '10'])).toBe('10');
    expect([earliest(store, []), latest(store, [])]).toEqual([undefined, undefined]);
  });
  it('bring those together who stand at the same place', () =>
    expect(grouped(['a1', 'b2', 'c1'], (item) => item[1]!)).toEqual([['a1', 'c1'], ['b2']]));
});
