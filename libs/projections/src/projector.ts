import type { Doorbell, EventStore, Position } from '#libs/kernel';
import { applyPage, FencedError, FoldError, readSkipped, type Page, type Skipped } from './batch.js';
import { readCheckpoints } from './checkpoints.js';
import { backOff, isOutage, reasonOf } from './failures.js';
import type { Folder } from './folder.js';
import { earliest, grouped, isAfter } from './order.js';
import type { Sql } from './sql.js';
import type { StoreReader } from './store-reader.js';

export type ProjectorOptions = Readonly<{
  store: EventStore;
  reader: StoreReader;
  folders: readonly Folder[];
  report(message: string, error?: unknown): void;
  /** Projections wait for a rebuild. Called again and again until they don't. */
  onStale(): void;
}>;

/** How many events are folded into one transaction. */
export const PAGE = 500;
const RETRIES = 3;
/** A rebuild tells when it has ended; this is for what was not told. */
const RELOAD_MS = 1000;

type Standing = { folder: Folder; position: Position | undefined; trouble?: Trouble };
/** A projection that failed goes on alone, by ever smaller pages, until the event at fault stands alone. */
type Trouble = { limit: number; attempts: number; retryAt: number };

/**
 * Moves all live projections along the log, on the one connection that holds the leadership. Those that stand at the same
 * place (nearly always all of them) are moved by the same read and in the same transaction.
 */
export class Projector {
  private standing = new Map<string, Standing>();
  private skipped: Skipped = new Map();
  private stale = false;
  private reloadAt = 0;

  constructor(private readonly options: ProjectorOptions) {}

  /** Until the signal aborts; throws when the connection is lost. */
  async run(sql: Sql, bell: Doorbell, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const seen = bell.count;
      if (performance.now() >= this.reloadAt) await this.reload(sql);
      if (!(await this.step(sql))) await bell.wait(seen, this.patience(), signal);
    }
  }

  /** An operator or a rebuild has changed checkpoints: look at once. */
  lookAgain(): void {
    this.reloadAt = 0;
  }

  /** One page for each group of projections; false when there was nothing to move. */
  private async step(sql: Sql): Promise<boolean> {
    let moved = false;
    for (const group of this.groups()) {
      const page = await this.pageFor(group);
      if (page && (await this.apply(sql, group, page))) moved = true;
    }
    return moved;
  }

  private groups(): (readonly Standing[])[] {
    const now = performance.now();
    const ready = [...this.standing.values()].filter(({ trouble }) => !trouble || trouble.retryAt <= now);
    return grouped(ready, ({ folder, position, trouble }) => (trouble ? `alone ${folder.name}` : `at ${position ?? ''}`));
  }

  private async pageFor([first]: readonly Standing[]): Promise<Page | undefined> {
    const { store, reader } = this.options;
    const { position: from, trouble } = first!;
    let events, position;
    try {
      ({ events, position } = await reader.read(from, trouble?.limit ?? PAGE));
    } catch (error) {
      if (!isOutage(error)) this.options.report('The event store cannot be read.', error);
      return undefined; // the reader has reported it; the next ring, a second from now at the latest, tries again
    }
    if (position === undefined || !isAfter(store, position, from)) return undefined;
    // Who comes from behind stops where others stand, to go on together with them.
    const ahead = [...this.standing.values()].map((other) => other.position).filter((other) => isAfter(store, other, from));
    const meeting = trouble ? undefined : earliest(store, ahead);
    if (meeting === undefined || !isAfter(store, position, meeting)) return { events, position };
    return { events: events.filter((event) => !isAfter(store, event.position, meeting)), position: meeting };
  }

  private async apply(sql: Sql, group: readonly Standing[], page: Page): Promise<boolean> {
    const from = group[0]!.position;
    try {
      const folders = group.map(({ folder }) => folder);
      await applyPage(sql, folders, from, page, { live: true, skipped: this.skipped, all: this.areAllAt(page.position, group) });
    } catch (error) {
      if (error instanceof FencedError) {
        await this.reload(sql);
        return false;
      }
      if (!(error instanceof FoldError)) throw error;
      for (const standing of group) if (error.projections.includes(standing.folder.name)) await this.failed(sql, standing, page, error);
      return true;
    }
    for (const standing of group) {
      standing.position = page.position;
      if (standing.trouble) this.recovered(standing, standing.trouble);
    }
    return true;
  }

  private areAllAt(position: Position, group: readonly Standing[]): boolean {
    const others = [...this.standing.values()].filter((other) => !group.includes(other));
    return !this.stale && !others.some((other) => isAfter(this.options.store, position, other.position));
  }

  private async failed(sql: Sql, standing: Standing, { events }: Page, error: FoldError): Promise<void> {
    const { limit, attempts } = standing.trouble ?? { limit: PAGE, attempts: 0 };
    if (events.length > 1) {
      standing.trouble = { limit: Math.max(1, Math.floor(Math.min(limit, events.length) / 2)), attempts: 0, retryAt: 0 };
      return;
    }
    const event = events[0];
    this.options.report(`${error.message} at ${event?.position} (${event?.type}, attempt ${attempts + 1})`, error.cause);
    if (attempts < RETRIES) {
      standing.trouble = { limit: 1, attempts: attempts + 1, retryAt: performance.now() + backOff(attempts + 1, 5000) };
      return;
    }
    this.standing.delete(standing.folder.name);
    await sql.query({
      text: `with faulted as (
          update checkpoints set state = 'faulted', failed_at = $3, reason = $4
          where name = $1 and state = 'live' and position is not distinct from $2 returning 1)
        select pg_notify('positions', '') from faulted`,
      values: [standing.folder.name, standing.position ?? null, event?.position ?? null, reasonOf(error.cause)],
    });
  }

  private recovered(standing: Standing, { limit }: Trouble): void {
    if (limit * 2 >= PAGE) delete standing.trouble;
    else standing.trouble = { limit: limit * 2, attempts: 0, retryAt: 0 };
  }

  // What the table says wins: an operator, a rebuild or another server may have changed it.
  private async reload(sql: Sql): Promise<void> {
    const checkpoints = new Map((await readCheckpoints(sql)).map((checkpoint) => [checkpoint.name, checkpoint]));
    const next = new Map<string, Standing>();
    for (const folder of this.options.folders) {
      const checkpoint = checkpoints.get(folder.name);
      if (!checkpoint) throw new Error(`The checkpoint of ${folder.name} is gone.`);
      if (checkpoint.state !== 'live') continue;
      if (checkpoint.version !== folder.version)
        throw new Error(`${folder.name} was filled by version ${checkpoint.version}, this is ${folder.version}.`);
      const known = this.standing.get(folder.name);
      next.set(folder.name, known && known.position === checkpoint.position ? known : { folder, position: checkpoint.position });
    }
    if ([...next.keys()].some((name) => !this.standing.has(name))) this.skipped = await readSkipped(sql);
    this.standing = next;
    this.stale = [...checkpoints.values()].some(({ state }) => state === 'stale');
    if (this.stale) this.options.onStale();
    this.reloadAt = performance.now() + RELOAD_MS;
  }

  // Rings come every second; only a retry may be due before.
  private patience(): number {
    const retries = [...this.standing.values()].map(({ trouble }) => trouble?.retryAt).filter((at) => at !== undefined);
    return Math.max(10, Math.min(1000, ...retries.map((at) => at - performance.now())));
  }
}
