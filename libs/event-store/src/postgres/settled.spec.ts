import fc from 'fast-check';
import { Settled, type Sample } from './settled.js';

type Transaction = { xid: bigint; drawn: bigint[] };

/** A database of which only this is left: transactions that take an id, then draw positions, then end, in any interleaving. */
class Model {
  nextXid = 3n;
  private drawn = 0n;
  private readonly running: Transaction[] = [];
  private readonly committed: bigint[] = [];

  begin = () => this.running.push({ xid: this.nextXid++, drawn: [] });
  draw = (which: number) => this.at(which)?.drawn.push(++this.drawn);
  commit = (which: number) => this.committed.push(...(this.end(which)?.drawn ?? []));
  rollBack = (which: number) => this.end(which);
  sample = (): Sample => ({ highest: this.highest, nextXid: this.nextXid, oldestXid: this.running[0]?.xid ?? this.nextXid });

  get highest(): bigint {
    return this.committed.reduce((a, b) => (a > b ? a : b), 0n);
  }
  get unsettled(): bigint[] {
    return this.running.flatMap(({ drawn }) => drawn);
  }
  endAll(): void {
    while (this.running.length > 0) this.commit(0);
  }

  private at = (which: number): Transaction | undefined => this.running[which % Math.max(this.running.length, 1)];
  private end = (which: number): Transaction | undefined => this.running.splice(which % Math.max(this.running.length, 1), 1)[0];
}

const step = fc.oneof(
  ...(['begin', 'draw', 'draw', 'commit', 'rollBack', 'sample', 'sample'] as const).map((what) => fc.tuple(fc.constant(what), fc.nat(20))),
);

describe('A position is settled', () => {
  it('never while a transaction may still commit one at or before it, and always once all have ended', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const model = new Model();
        const settled = new Settled();
        for (const [what, which] of steps) {
          if (what === 'sample') settled.add(model.sample());
          else model[what](which);
          for (const position of model.unsettled) expect(position > settled.position).toBe(true);
        }
        model.endAll();
        settled.add(model.sample());
        expect(settled.position).toBe(model.highest);
        expect(settled.isBehind).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('at once when nobody writes', () => {
    const settled = new Settled();
    settled.add({ highest: 7n, nextXid: 10n, oldestXid: 10n });
    expect(settled).toMatchObject({ position: 7n, isBehind: false });
  });

  it('as soon as those have ended who wrote when it was seen, whoever writes since', () => {
    const settled = new Settled();
    settled.add({ highest: 7n, nextXid: 10n, oldestXid: 8n });
    expect(settled).toMatchObject({ position: 0n, isBehind: true });
    settled.add({ highest: 9n, nextXid: 14n, oldestXid: 10n });
    expect(settled).toMatchObject({ position: 7n, isBehind: true });
  });

  it('also after a transaction that held it back for very long', () => {
    const settled = new Settled();
    for (let look = 1n; look <= 5000n; look++) settled.add({ highest: look, nextXid: 10n + look, oldestXid: 5n });
    expect(settled.position).toBe(0n);
    settled.add({ highest: 5000n, nextXid: 6000n, oldestXid: 6000n });
    expect(settled).toMatchObject({ position: 5000n, isBehind: false });
  });
});
