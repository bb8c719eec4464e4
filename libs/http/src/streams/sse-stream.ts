import type { ServerResponse } from 'node:http';
import { eventFrame } from './frame.js';

/**
 * One open stream. Whoever writes may always write: a client that falls behind by more than the byte cap is cut off (a
 * bare close, which means failure) and resumes with `Last-Event-ID`; a big snapshot awaits `drained()` between its parts.
 */
export class SseStream {
  private readonly ending = new AbortController();
  private waiting: (() => void)[] = [];
  private full = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly capBytes: number,
    private readonly cutOff: () => void = () => undefined,
  ) {
    response.on('drain', () => this.flushed());
    response.once('close', () => this.closed());
    // A client that resets its connection is no fault of ours.
    response.on('error', () => response.destroy());
  }

  /** Aborts as soon as nothing more can be written: the end was sent, or the client is gone. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Writes one event; false once the stream has ended. `id` is what the client resumes after. */
  send(event: string, data: unknown, id?: string): boolean {
    return this.write(eventFrame(event, data, id));
  }

  /** Writes a frame that `eventFrame` made, for events that go to many. */
  write(frame: string): boolean {
    if (this.ending.signal.aborted) return false;
    this.full = !this.response.write(frame) || this.full;
    if (this.response.writableLength > this.capBytes) {
      this.cutOff();
      this.response.destroy();
      this.ending.abort();
      return false;
    }
    return true;
  }

  /** Resolves when the client has taken what was written, or is gone. */
  drained(): Promise<void> {
    if (!this.full || this.ending.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The normal end: `done`, then `stream_end`. */
  done(data: unknown = {}): void {
    this.send('done', data);
    this.end();
  }

  /** The end by a fault: `error` carries the reason, `stream_end` none. */
  fail(reason: Readonly<{ code: string; detail: string }>): void {
    this.send('error', reason);
    this.end();
  }

  /** `stream_end`, then the connection closes. */
  end(): void {
    if (!this.send('stream_end', {})) return;
    this.ending.abort();
    this.response.end();
  }

  /** The heartbeat. A client that has taken nothing since the one before is cut off: it may be gone without a word. */
  beat(): void {
    if (this.ending.signal.aborted) return;
    if (this.full && this.stalled) {
      this.cutOff();
      this.response.destroy();
    } else this.write(': keep-alive\n\n');
    this.stalled = this.full;
  }
  private stalled = false;

  private flushed(): void {
    this.full = false;
    this.stalled = false;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private closed(): void {
    this.ending.abort();
    this.flushed();
  }
}
