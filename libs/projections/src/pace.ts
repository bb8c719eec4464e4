import { Doorbell } from '#libs/kernel';

/** Milliseconds between two looks at the store while nobody waits for what they show. */
export const UNHURRIED_MS = 50;

/**
 * How often the read side looks at the store while much happens: at once where somebody on this server waits for what it is to
 * show, else so seldom that what happens in between shares a look, a page and its statements.
 */
export class Pace {
  private readonly bell = new Doorbell();
  private waiting = 0;
  private last = -Infinity;

  /** Somebody waits, until the answer is called. */
  hurry(): () => void {
    this.waiting++;
    this.bell.ring();
    let over = false;
    return () => {
      if (!over) this.waiting--;
      over = true;
    };
  }

  /** Until it is time to look again. */
  async next(signal: AbortSignal): Promise<void> {
    while (this.waiting === 0 && !signal.aborted) {
      const left = this.last + UNHURRIED_MS - performance.now();
      if (left <= 0) break;
      await this.bell.wait(this.bell.count, left, signal);
    }
    this.last = performance.now();
  }
}
