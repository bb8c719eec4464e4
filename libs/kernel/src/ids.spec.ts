import { derivedId, isId, newId, timedId } from './ids.js';

describe('An id', () => {
  it('that is new is a UUIDv7, and sorts after those before it', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => isId(id) && id[14] === '7')).toBe(true);
  });

  it('that derives from others is the same on every server and for ever', () => {
    expect(derivedId('command', '0')).toBe('390d5278-be47-58eb-a475-a28e481132f9');
  });

  it('derives from each part and its place, not from their text together', () => {
    const ids = [
      derivedId('a', 'b'),
      derivedId('b', 'a'),
      derivedId('ab'),
      derivedId('a', 'b', ''),
      derivedId('["a","b"]'),
      derivedId('a","b'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isId(id) && id[14] === '5' && id === id.toLowerCase())).toBe(true);
  });

  it.each(['', '1', 'not-an-id', '0192f0c1-0000-7000-8000-00000000000', 1, null, undefined])('is not %p', (value) =>
    expect(isId(value)).toBe(false),
  );
});

describe('A timed id', () => {
  it('says its kind and its time, and is the same for the same seed', () => {
    const id = timedId('hook', '2026-01-05T09:00:00.000Z', 'request c1');
    expect(id).toMatch(/^hook_1767603600000_[a-z0-9]{9}$/);
    expect(timedId('hook', '2026-01-05T09:00:00.000Z', 'request c1')).toBe(id);
    expect(timedId('hook', '2026-01-05T09:00:00.000Z', 'request c2')).not.toBe(id);
  });
});
