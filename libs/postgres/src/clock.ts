import type { Pool } from 'pg';

const RESAMPLE = 30_000;
const RETRY = 1_000;
/** How far this machine's wall clock may run from its monotonic clock (suspended, or set by hand) before we ask again at once. */
const DRIFT = 250;
/** A correction up to this size is absorbed by standing still; a larger one is a clock that was set, and followed. */
const STEP = 1_000;

/**
 * PostgreSQL's time, so that all servers agree: its offset is sampled onto this machine's monotonic clock, at start, every 30 s
 * and when the wall clock jumps. Without the database it goes on from the last sample.
 */
export class Clock {
  private sample: { offset: number; wall: number } | undefined;
  private last = 0;
  private timer: NodeJS.Timeout | undefined;
  private sampling: Promise<void> | undefined;
  private stopped = true;

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  /** Resolves once the time is known; rejects where the database does not answer. */
  async start(): Promise<void> {
    this.stopped = false;
    await this.take();
    this.schedule(RESAMPLE);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** RFC 3339, UTC, milliseconds. Never earlier than the last answer, unless PostgreSQL's own clock was set back by a second or more. */
  now(): string {
    if (!this.sample) throw new Error('The clock is read before it was started.');
    if (!this.stopped && Math.abs(wall() - this.sample.wall) > DRIFT) this.resample();
    const now = performance.now() + this.sample.offset;
    this.last = this.last - now >= STEP ? now : Math.max(this.last, now);
    return new Date(this.last).toISOString();
  }

  private resample(): void {
    if (this.sampling) return;
    clearTimeout(this.timer);
    this.sampling = this.take()
      .then(
        () => this.schedule(RESAMPLE),
        () => this.schedule(RETRY),
      )
      .finally(() => (this.sampling = undefined));
  }

  private schedule(delay: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => this.resample(), delay);
    this.timer.unref();
  }

  /** The fastest of three round trips is the one whose middle is known best. */
  private async take(): Promise<void> {
    let best: { offset: number; took: number } | undefined;
    for (let trip = 0; trip < 3; trip++) {
      const sent = performance.now();
      const { rows } = await this.pool.query<{ now: string }>({
        name: 'clock',
        text: `select (extract(epoch from clock_timestamp()) * 1000)::text as now`,
      });
      const took = performance.now() - sent;
      if (!best || took < best.took) best = { offset: Number(rows[0]!.now) - (sent + took / 2), took };
    }
    this.sample = { offset: best!.offset, wall: wall() };
  }
}

const wall = (): number => Date.now() - performance.now();
