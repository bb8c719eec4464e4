import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { Doorbell, type Principal } from '#libs/kernel';
import type { Pace } from './pace.js';
import { heardByMany, pause } from './pause.js';
import { backOff, reasonOf } from './failures.js';
import type { FeedEntry } from './projection.js';
import type { Sql } from './sql.js';

/** An entry as it lies in the feed. `id` (decimal string) rises in the order of commits and is the SSE id. */
export type FeedItem = FeedEntry & Readonly<{ id: string; position: string; eventId: string; at: string }>;
export type FeedListener = (items: readonly FeedItem[]) => void;

/** Whether a principal may learn of an entry: its tenant and workspace, and its audience where the entry names one. */
export const isVisibleTo = ({ tenantId, workspaceId, audience }: FeedEntry, principal: Principal): boolean => {
  if (tenantId !== principal.tenantId || !principal.workspaceIds.includes(workspaceId)) return false;
  if (!audience.roles && !audience.principals) return true;
  return Boolean(audience.roles?.some((role) => principal.roles.includes(role)) || audience.principals?.includes(principal.id));
};

export type FeedOptions = Readonly<{
  projector: Pool;
  listen(channel: string, handler: () => void): () => void;
  pace: Pace;
  report(message: string): void;
}>;

/**
 * The live feed, on any server: one reader a process, woken by the commit that wrote the entries, hands what it reads to
 * all listeners. Entries lie in a table, so who falls behind or comes back reads on from there.
 */
export class Feed {
  private readonly listeners = new Set<FeedListener>();
  private readonly stopped = new AbortController();
  private reading: Promise<void> | undefined;
  private readonly bell = new Doorbell();
  private placed!: () => void;
  private readonly ready = new Promise<void>((resolve) => (this.placed = resolve));

  constructor(private readonly options: FeedOptions) {
    heardByMany(this.stopped.signal);
  }

  /** Entries behind `id` in order, at most `limit`; of all tenants unless one is named. */
  async after(id: string, limit: number, tenantId?: string): Promise<FeedItem[]> {
    const { rows } = await this.options.projector.query<FeedRow>(
      `select * from workbench.feed where id > $1 ${tenantId ? 'and tenant_id = $3' : ''} order by id limit $2`,
      [id, limit, ...(tenantId ? [tenantId] : [])],
    );
    return rows.map(toItem);
  }

  /** Id of the newest entry, '0' before the first. Given the manager of a snapshot, the newest of which that snapshot knows the effect. */
  async head(snapshot?: EntityManager): Promise<string> {
    return (await this.bounds(snapshot)).head;
  }

  /** Id of the oldest entry that is kept, or of the next one where none is. */
  async oldest(): Promise<string> {
    return String(BigInt((await this.bounds()).pruned_through) + 1n);
  }

  /** Whether a listener that has seen everything up to `id` can go on from there; else it needs a fresh snapshot. */
  async canResume(id: string): Promise<boolean> {
    if (!/^\d{1,19}$/.test(id)) return false;
    const { head, pruned_through } = await this.bounds();
    return BigInt(id) >= BigInt(pruned_through) && BigInt(id) <= BigInt(head);
  }

  /** Resolves when it reads (or is stopped), so that no listener misses what is committed while the reader finds its place. */
  start(): Promise<void> {
    this.reading ??= this.read();
    return this.ready;
  }

  /**
   * Hears all entries that are committed from now on (once the feed has started), in order. It must not block; what it throws is
   * reported and ends nothing. `eager`: somebody waits for nothing else, so that what happens is projected at once (by this server).
   */
  subscribe(listener: FeedListener, { eager = false }: { eager?: boolean } = {}): () => void {
    void this.start();
    this.listeners.add(listener);
    const leave = eager ? this.options.pace.hurry() : undefined;
    return () => {
      this.listeners.delete(listener);
      leave?.();
    };
  }

  /**
   * The entries right behind `id` and then each new one, without gap or repeat, in groups, until the signal aborts or the
   * server stops. A slow reader holds at most `MOST_WAITING` entries in memory and then reads on from the table.
   */
  async *follow(
    id: string,
    { signal, tenantId }: Readonly<{ signal: AbortSignal; tenantId?: string }>,
  ): AsyncGenerator<readonly FeedItem[]> {
    const done = AbortSignal.any([signal, this.stopped.signal]);
    const bell = new Doorbell();
    let waiting: FeedItem[] = [];
    let missed = true;
    let last = id;
    const leave = this.subscribe((items) => {
      const own = tenantId ? items.filter((item) => item.tenantId === tenantId) : items;
      if (own.length === 0) return;
      if (waiting.length + own.length > MOST_WAITING) missed = true;
      if (missed) waiting = [];
      else waiting.push(...own);
      bell.ring();
    });
    try {
      await Promise.race([this.start(), aborted(done)]);
      while (!done.aborted) {
        const seen = bell.count;
        if (missed) {
          missed = false; // from here on what is committed waits, and only what was read from the table as well is dropped
          for (let page; (page = await this.after(last, PAGE, tenantId)).length > 0 && !done.aborted; last = page.at(-1)!.id) yield page;
          continue;
        }
        const fresh = waiting.filter((item) => BigInt(item.id) > BigInt(last));
        waiting = [];
        if (fresh.length > 0) {
          last = fresh.at(-1)!.id;
          yield fresh;
        } else await bell.wait(seen, 60_000, done);
      }
    } finally {
      leave();
    }
  }

  /** Ends all followers and the reader. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.placed();
    await this.reading;
  }

  private async read(): Promise<void> {
    const { signal } = this.stopped;
    const unlisten = this.options.listen('feed', this.bell.ring);
    let last: string | undefined;
    for (let failures = 0; !signal.aborted;) {
      const seen = this.bell.count;
      try {
        last ??= await this.head();
        this.placed();
        const items = await this.after(last, PAGE);
        failures = 0;
        last = items.at(-1)?.id ?? last;
        if (items.length > 0) for (const listener of [...this.listeners]) this.tell(listener, items);
        if (items.length < PAGE) await this.bell.wait(seen, POLL_MS, signal);
      } catch (error) {
        if (failures++ === 0) this.options.report(`The feed cannot be read: ${reasonOf(error)}`);
        await pause(backOff(failures, 5000), signal);
      }
    }
    unlisten();
  }

  private tell(listener: FeedListener, items: readonly FeedItem[]): void {
    try {
      listener(items);
    } catch (error) {
      this.options.report(`A listener of the feed failed: ${reasonOf(error)}`);
    }
  }

  private async bounds(snapshot?: EntityManager): Promise<Bounds> {
    const text = 'select head, pruned_through from workbench.feed_head';
    const [bounds] = snapshot ? await snapshot.query<Bounds[]>(text) : (await this.options.projector.query<Bounds>(text)).rows;
    return bounds ?? { head: '0', pruned_through: '0' };
  }
}

/** Forgets entries past the newest 100,000 or older than 7 days; what has gone is remembered, so that nobody resumes across the gap. */
export const pruneFeed = async (
  sql: Sql,
  keep: Readonly<{ entries: number; days: number }> = { entries: 100_000, days: 7 },
): Promise<void> => {
  await sql.query(
    `with young as (select min(id) as id from workbench.feed where recorded_at >= clock_timestamp() - make_interval(days => $2)),
       cut as (select greatest(head - $1, coalesce((select id - 1 from young), head)) as id from workbench.feed_head),
       gone as (delete from workbench.feed where id <= (select id from cut) returning id)
     update workbench.feed_head set pruned_through = greatest(pruned_through, (select max(id) from gone))`,
    [keep.entries, keep.days],
  );
};

/** Most entries that a follower holds in memory before it goes back to the table. */
export const MOST_WAITING = 1000;
const PAGE = 500;
const POLL_MS = 1000;

type Bounds = { head: string; pruned_through: string };
type FeedRow = {
  id: string;
  kind: string;
  subject: string;
  tenant_id: string;
  workspace_id: string;
  audience: FeedEntry['audience'];
  data: FeedEntry['data'];
  position: string;
  event_id: string;
  recorded_at: string;
};

const toItem = (row: FeedRow): FeedItem => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  tenantId: row.tenant_id,
  workspaceId: row.workspace_id,
  audience: row.audience,
  data: row.data,
  position: row.position,
  eventId: row.event_id,
  at: row.recorded_at,
});

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
