import { KnownIds } from './known-ids.js';

describe('The ids that are known of a stream', () => {
  it('begin at its beginning and have no gap', () => {
    const known = new KnownIds();
    known.add('s-1', 2n, ['c']);
    expect([known.revisionOf('s-1'), known.holds('s-1', 'c')]).toEqual([-1n, false]);
    known.add('s-1', 0n, ['a', 'b']);
    known.add('s-1', 1n, ['b', 'c', undefined]);
    known.add('s-1', 0n, ['a']);
    expect(known.revisionOf('s-1')).toBe(3n);
    expect(['a', 'b', 'c', 'd'].map((id) => known.holds('s-1', id))).toEqual([true, true, true, false]);
    expect(known.holds('s-2', 'a')).toBe(false);
  });

  it('are forgotten from the stream that was not looked at for longest', () => {
    const known = new KnownIds();
    const ids = (stream: string) => Array.from({ length: 40_000 }, (_, n) => `${stream} ${n}`);
    for (const stream of ['s-1', 's-2']) known.add(stream, 0n, ids(stream));
    known.add('s-1', 40_000n, ['s-1 more']);
    known.add('s-3', 0n, ids('s-3'));
    expect(['s-1', 's-2', 's-3'].map((stream) => known.revisionOf(stream))).toEqual([40_000n, -1n, 39_999n]);
  });
});
