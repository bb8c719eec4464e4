import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 500;
const RESOLUTION_MS = 20;

/**
 * How late the event loop is, on average over half a second. It counts as late only after two such windows on end: a single long
 * pause (a collection, a machine that slept) is over when it is noticed, and nobody has to be turned away for it.
 */
export class LoopLag {
  private readonly delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private timer: NodeJS.Timeout | undefined;
  private late = 0;
  private mean = 0;

  constructor(private readonly mostMs: number) {}

  get isLate(): boolean {
    return this.late >= 2;
  }
  get meanMs(): number {
    return this.mean;
  }

  start(): void {
    this.delays.enable();
    this.timer = setInterval(() => this.look(), WINDOW_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.delays.disable();
  }

  private look(): void {
    const mean = this.delays.mean / 1e6 - RESOLUTION_MS;
    this.mean = Number.isFinite(mean) ? Math.max(0, mean) : 0;
    this.late = this.mean >= this.mostMs ? this.late + 1 : 0;
    this.delays.reset();
  }
}
