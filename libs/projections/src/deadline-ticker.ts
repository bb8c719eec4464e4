import type { Pool } from 'pg';
import type { EventStore } from '#libs/kernel';
import type { Deadline, DeadlineHandler, DeadlineSource } from './deadline.js';
import { pause } from './pause.js';
import { backOff, isOutage, reasonOf } from './failures.js';
import type { WorkContext } from './reactor.js';

export type TickerOptions = Readonly<{
  projector: Pool;
  store: EventStore;
  sources: readonly DeadlineSource[];
  now(): string;
  report(message: string, error?: unknown): void;
}>;

/**
 * Calls the handlers of deadlines that are due by PostgreSQL's clock. It looks every half second, and sooner when it knows
 * that one falls due sooner. A deadline goes when its handler's event has been projected; until then it rests.
 */
export class DeadlineTicker {
  private readonly handlers: ReadonlyMap<string, DeadlineHandler>;
  private readonly resting = new Map<string, Rest>();

  constructor(private readonly options: TickerOptions) {
    const handlers = options.sources.flatMap((source) => Object.entries(source.handlers));
    this.handlers = new Map(handlers);
    if (this.handlers.size !== handlers.length) throw new Error('Two deadline sources handle the same kind.');
  }

  /** Until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.handlers.size === 0) return;
    for (let down = false; !signal.aborted;) {
      let wait = LOOK_MS;
      try {
        const { due, now, next } = await this.look();
        for (let from = 0; from < due.length && !signal.aborted; from += AT_ONCE)
          await Promise.all(due.slice(from, from + AT_ONCE).map((deadline) => this.call(deadline, now, signal)));
        wait = due.length === MOST ? 0 : Math.min(LOOK_MS, Math.max(5, Math.ceil(next ?? LOOK_MS)));
        down = false;
      } catch (error) {
        if (!down) this.options.report(`Deadlines cannot be read: ${reasonOf(error)}`);
        down = true;
      }
      await pause(wait, signal);
    }
  }

  private async call(deadline: Deadline, now: string, signal: AbortSignal): Promise<void> {
    const known = this.resting.get(deadline.key);
    const times = (known?.dueAt === deadline.dueAt ? known.times : 0) + 1;
    let rest = HANDLED_MS;
    try {
      const context: WorkContext = { store: this.options.store, now: this.options.now, signal };
      await this.handlers.get(deadline.kind)!(deadline, now, context);
    } catch (error) {
      rest = isOutage(error) ? OUTAGE_MS : backOff(times, HANDLED_MS);
      this.options.report(
        `Deadline ${deadline.key} (${deadline.kind}) failed, call ${times}: ${reasonOf(error)}`,
        isOutage(error) ? undefined : error,
      );
    }
    this.resting.set(deadline.key, { dueAt: deadline.dueAt, times, until: performance.now() + rest });
  }

  private async look(): Promise<{ due: Deadline[]; now: string; next: number | undefined }> {
    const at = performance.now();
    for (const [key, { until }] of this.resting) if (until < at - FORGET_MS) this.resting.delete(key);
    const resting = [...this.resting].filter(([, { until }]) => until > at);
    const values = [[...this.handlers.keys()], resting.map(([key]) => key), resting.map(([, { dueAt }]) => dueAt)];
    const { rows } = await this.options.projector.query<DueRow>({ name: 'due deadlines', text: DUE, values });
    const due = rows.filter(({ key }) => key !== null).map(toDeadline);
    return { due, now: rows[0]!.now, next: rows[0]!.next ?? undefined };
  }
}

type Rest = Readonly<{ dueAt: string; times: number; until: number }>;
type DueRow = {
  now: string;
  next: number | null;
  key: string;
  stream: string;
  kind: string;
  due_at: string;
  tenant_id: string;
  workspace_id: string;
};

const LOOK_MS = 500;
const MOST = 200;
const AT_ONCE = 8;
/** How long a deadline rests that was handled but is still there: nothing has cleared it, or it has not been projected yet. */
const HANDLED_MS = 30_000;
const OUTAGE_MS = 1000;
const FORGET_MS = 600_000;

// One row at least, which tells the time. What rests is left out here, so that it takes no place of what does not.
const DUE = `
  with this as materialized (select clock_timestamp() as now),
    due as (
      select d.* from deadlines d, this
      where d.due_at <= this.now and d.kind = any($1) and not exists (
        select 1 from unnest($2::text[], $3::timestamptz[]) as resting (key, due_at)
        where resting.key = d.key and resting.due_at = date_trunc('milliseconds', d.due_at))
      order by d.due_at, d.key limit ${MOST})
  select this.now, due.*,
    (select extract(epoch from min(d.due_at) - this.now)::float8 * 1000 from deadlines d where d.due_at > this.now) as next
  from this left join due on true order by due.due_at, due.key`;

const toDeadline = (row: DueRow): Deadline => ({
  key: row.key,
  stream: row.stream,
  kind: row.kind,
  dueAt: row.due_at,
  tenantId: row.tenant_id,
  workspaceId: row.workspace_id,
});
