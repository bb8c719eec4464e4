/** What `es.watermark` answered. */
export type Sample = Readonly<{ highest: bigint; nextXid: bigint; oldestXid: bigint }>;

const MOST_PENDING = 1000;

/** Up to where positions are final, from samples of `es.watermark` in the order in which they were taken or any other. */
export class Settled {
  private to = 0n;
  private pending: Sample[] = [];

  /** Nothing at or before it is still to be committed. */
  get position(): bigint {
    return this.to;
  }

  /** Whether events are known that are not final yet. */
  get isBehind(): boolean {
    return this.pending.length > 0;
  }

  add(sample: Sample): void {
    // Of samples with the same position the first settles first.
    if (sample.highest > (this.pending.at(-1)?.highest ?? this.to)) {
      if (this.pending.length === MOST_PENDING) this.pending.pop();
      this.pending.push(sample);
    }
    for (const { highest, nextXid } of this.pending) if (nextXid <= sample.oldestXid && highest > this.to) this.to = highest;
    this.pending = this.pending.filter(({ highest }) => highest > this.to);
  }
}
