/** Wakes those who wait, and remembers a ring for whoever comes to wait next, so that none is lost between a look and a wait. */
export class Doorbell {
  private rings = 0;
  private readonly waiting = new Set<() => void>();

  ring = (): void => {
    this.rings++;
    for (const wake of [...this.waiting]) wake();
  };

  /** Read before looking for work, hand to `wait` after. */
  get count(): number {
    return this.rings;
  }

  /** Until it has rung since `seen`, at most `ms`, and no longer than the signal allows. */
  wait(seen: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.rings !== seen || signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** What `EventStore.changes` promises: yields at once, then after each ring, and after `ms` without one. */
  async *changes(signal: AbortSignal, ms = 1000): AsyncIterable<void> {
    for (let seen = -1; ;) {
      await this.wait(seen, ms, signal);
      if (signal.aborted) return;
      seen = this.rings;
      yield;
    }
  }
}
