import type { Doorbell, EventStore, Position, Recorded } from '#libs/kernel';
import { pause } from './pause.js';
import type { Pace } from './pace.js';
import { backOff, reasonOf } from './failures.js';

type Page = Readonly<{ events: Recorded[]; position: Position | undefined }>;

/** What is wrong between this server and the event store right now. */
export type StoreTrouble = Readonly<{ what: 'read' | 'changes'; reason: string; since: string }>;

/**
 * How a leader reads the store. All its loops stand at the head nearly always and wake at the same ring, so they share one
 * read; each drop is reported with its reason, once, and then tried again with a growing pause.
 */
export class StoreReader {
  private readonly pages = new Map<string, Promise<Page>>();
  private readonly troubles = new Map<StoreTrouble['what'], StoreTrouble>();

  constructor(
    private readonly store: EventStore,
    private readonly report: (message: string) => void,
    private readonly pace: Pace,
  ) {}

  /** Empty: all is well. */
  trouble(): StoreTrouble[] {
    return [...this.troubles.values()];
  }

  /** As the store's `readAll`, but a page that another loop has read since the last ring is not read again. */
  read(after: Position | undefined, limit: number): Promise<Page> {
    const key = `${limit} after ${after ?? ''}`;
    const shared = this.pages.get(key);
    if (shared) return shared;
    const page = this.store.readAll(after, limit).then(
      (read) => {
        this.restored('read');
        return read;
      },
      (error: unknown) => {
        this.pages.delete(key);
        this.failed('read', error);
        throw error;
      },
    );
    this.pages.set(key, page);
    if (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value!);
    return page;
  }

  /** Rings when there may be more to read, as the pace has it and at least every second, until the signal aborts. */
  async ring(bell: Doorbell, signal: AbortSignal): Promise<void> {
    for (let drops = 0; !signal.aborted;) {
      try {
        for await (const _ of this.store.changes(signal)) {
          await this.pace.next(signal);
          if (signal.aborted) return;
          drops = 0;
          this.restored('changes');
          this.wake(bell);
        }
        if (!signal.aborted) throw new Error('The event store ended its stream of changes.');
      } catch (error) {
        if (signal.aborted) return;
        this.failed('changes', error);
        this.wake(bell);
        await pause(backOff(++drops, 1000), signal);
      }
    }
  }

  private wake(bell: Doorbell): void {
    this.pages.clear();
    bell.ring();
  }

  private failed(what: StoreTrouble['what'], error: unknown): void {
    const reason = reasonOf(error);
    if (this.troubles.get(what)?.reason === reason) return;
    this.report(`The event store dropped ${what === 'read' ? 'a read' : 'the stream of changes'}: ${reason}`);
    this.troubles.set(what, { what, reason, since: this.troubles.get(what)?.since ?? new Date().toISOString() });
  }

  private restored(what: StoreTrouble['what']): void {
    if (this.troubles.delete(what)) this.report(`The event store answers again (${what}).`);
  }
}

const KEPT_PAGES = 4;
