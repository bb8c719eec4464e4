import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';

type Row = Readonly<{ name: string; count: string; oldest: number | null }>;

// One row for each series. Queues are a fixed set, so labels stay few; what waits is found by the indexes of the lists.
const BACKLOG = `
  select 'queue ' || queue as name, count(*) as count, extract(epoch from clock_timestamp() - min(queued_at))::float8 as oldest
    from tasks where status = 'queued' group by queue
  union all
  select 'tasks ' || status, count(*), null from tasks where status not in ('shipped', 'cancelled') group by status
  union all
  select 'confirmations', count(*), extract(epoch from clock_timestamp() - min(submitted_at))::float8 from confirmations where status = 'pending'
  union all
  select 'permissions', count(*), extract(epoch from clock_timestamp() - min(requested_at))::float8 from permissions where status = 'pending'
  union all
  select 'deadlines', count(*), extract(epoch from clock_timestamp() - min(due_at))::float8 from deadlines where due_at < clock_timestamp()
  union all
  select 'feed', greatest(head - pruned_through, 0), null from workbench.feed_head
  union all
  select 'held back', 0, greatest(0, extract(epoch from clock_timestamp() - min(xact_start)))::float8
    from pg_stat_activity where datname = current_database() and backend_xid is not null
  union all
  select 'skipped', count(*), null from workbench.skipped_events`;

/** What waits in this installation, over all tenants, and for how long. One look at the database serves a scrape. */
export const backlogMetrics = (registry: Registry, projector: Pool): void => {
  let looking: Promise<readonly Row[]> | undefined;
  const look = () =>
    (looking ??= projector
      .query<Row>(BACKLOG)
      .then(({ rows }) => rows)
      .catch(() => [])
      .finally(() => (looking = undefined)));
  const gauge = (name: string, help: string, labelNames: string[], show: (gauge: Gauge, rows: readonly Row[]) => void): void => {
    const one: Gauge = new Gauge({
      name: `workbench_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const rows = await look();
        one.reset();
        show(one, rows);
      },
    });
  };
  const single = (name: string, help: string, of: string, field: 'count' | 'oldest') =>
    gauge(name, help, [], (one, rows) => {
      const row = rows.find((each) => each.name === of);
      one.set(row ? Number(row[field] ?? 0) : NaN);
    });
  const within = (rows: readonly Row[], kind: string) =>
    rows.filter(({ name }) => name.startsWith(`${kind} `)).map((row) => ({ ...row, name: row.name.slice(kind.length + 1) }));

  gauge('queue_tasks', 'Tasks that can be claimed, by queue.', ['queue'], (one, rows) =>
    within(rows, 'queue').forEach(({ name, count }) => one.set({ queue: name }, Number(count))),
  );
  gauge('queue_oldest_seconds', 'Since when the oldest claimable task was queued.', ['queue'], (one, rows) =>
    within(rows, 'queue').forEach(({ name, oldest }) => one.set({ queue: name }, oldest ?? 0)),
  );
  gauge('open_tasks', 'Tasks that are neither shipped nor cancelled, by status.', ['status'], (one, rows) =>
    within(rows, 'tasks').forEach(({ name, count }) => one.set({ status: name }, Number(count))),
  );
  single('pending_confirmations', 'Cards that wait for a decision.', 'confirmations', 'count');
  single('pending_confirmations_oldest_seconds', 'How long the oldest of them has waited.', 'confirmations', 'oldest');
  single('pending_permissions', 'Tool calls that wait for a decision.', 'permissions', 'count');
  single('pending_permissions_oldest_seconds', 'How long the oldest of them has waited.', 'permissions', 'oldest');
  single('deadlines_overdue', 'Deadlines that have passed and are not recorded yet.', 'deadlines', 'count');
  single('deadlines_overdue_seconds', 'How long the oldest of them has passed.', 'deadlines', 'oldest');
  single('feed_entries', 'Entries of the live feed that can be resumed from (ids; at most 100,000 and 7 days).', 'feed', 'count');
  single(
    'oldest_writing_transaction_seconds',
    'Age of the oldest transaction that writes: readers of events wait for it, so all that came after it is held back.',
    'held back',
    'oldest',
  );
  single('skipped_events', 'Events that an operator let a projection or reactor pass over.', 'skipped', 'count');
};
