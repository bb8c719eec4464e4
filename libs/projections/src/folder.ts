import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { isId, type Recorded } from '#libs/kernel';
import type { Deadline, DeadlineSource } from './deadline.js';
import { remove, type FeedEntry, type Projection } from './projection.js';
import { sortedKeys, type Sql } from './sql.js';
import { tableOf, type Row } from './table.js';

/** What an event leaves on the feed. */
export type Announcement = Readonly<{ event: Recorded; entry: FeedEntry }>;

/** What a page of events comes to: statements that are ready to be sent, so that a value that cannot be written is found before any of them. */
export type Folded = Readonly<{ announcements: readonly Announcement[]; writes: readonly QueryConfig[] }>;

/** What runs in the projector: it folds a page of events into its table, in memory, with one read and at most two writes. */
export type Folder = Readonly<{
  name: string;
  version: number;
  table: string;
  fold(sql: Sql, events: readonly Recorded[]): Promise<Folded>;
}>;

const NOTHING: Folded = { announcements: [], writes: [] };

export const projectionFolder = (source: DataSource, projection: Projection): Folder => {
  const table = tableOf(source, projection.table);
  return {
    name: projection.name,
    version: projection.version,
    table: table.name,
    async fold(sql, events) {
      const touching = events
        .filter((event) => projection.evolve[event.type])
        .map((event) => ({ event, keys: [projection.key(event) ?? []].flat() }))
        .filter(({ keys }) => keys.length > 0);
      if (touching.length === 0) return NOTHING;
      const rows = projection.insertOnly ? new Map<string, Row>() : await table.load(sql, new Set(touching.flatMap(({ keys }) => keys)));
      const changed = new Map<string, Row | undefined>();
      const announcements: Announcement[] = [];
      for (const { event, keys } of touching)
        for (const key of keys) {
          const next = (projection.evolve[event.type]!(rows.get(key), event, key) as Row | typeof remove | undefined) ?? undefined;
          if (next === remove) rows.delete(key);
          else if (next) rows.set(key, keyed(table.key, key, table.settle(next)));
          if (next) changed.set(key, rows.get(key));
          const entries = [projection.feed?.(event, rows.get(key)) ?? []].flat();
          for (const entry of entries) announcements.push({ event, entry: announceable(entry) });
        }
      return { announcements, writes: table.writes(changed) };
    },
  };
};

/** Deadlines of all sources lie in one table, but each source has a checkpoint (`deadlines:<name>`) and faults of its own. */
export const deadlineFolder = (source: DeadlineSource): Folder => {
  const types = new Set<string>(source.types);
  return {
    name: `deadlines:${source.name}`,
    version: source.version,
    table: 'deadlines',
    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to reject
    async fold(_, events) {
      const changed = new Map<string, Deadline | undefined>();
      for (const event of events) {
        if (!types.has(event.type)) continue;
        const { set = [], clear = [] } = source.deadline(event);
        for (const key of clear) changed.set(key, undefined);
        for (const deadline of set) {
          if (!source.handlers[deadline.kind])
            throw new Error(`${source.name} sets a deadline of kind ${deadline.kind}, which nothing handles.`);
          changed.set(deadline.key, deadline);
        }
      }
      const keys = sortedKeys(changed.keys());
      const set = keys.map((key) => changed.get(key)).filter((deadline) => deadline !== undefined);
      const gone = keys.filter((key) => changed.get(key) === undefined);
      const writes = [
        ...(set.length > 0 ? [{ ...SET_DEADLINES, values: [JSON.stringify(set)] }] : []),
        ...(gone.length > 0 ? [{ ...CLEAR_DEADLINES, values: [gone] }] : []),
      ];
      return { announcements: [], writes };
    },
  };
};

const keyed = (property: string, key: string, row: Row): Row => {
  if (row[property] !== key) throw new Error(`The row's ${property} is ${String(row[property])}, but the event touches ${key}.`);
  return row;
};

// Here, where the projection at fault is known, and not in the database, where its error would be that of the whole batch.
const announceable = (entry: FeedEntry): FeedEntry => {
  if (!isId(entry.tenantId) || !isId(entry.workspaceId))
    throw new Error(`A feed entry of kind ${entry.kind} names no tenant or workspace.`);
  JSON.stringify(entry.data);
  return entry;
};

const SET_DEADLINES = {
  name: 'set deadlines',
  text: `insert into deadlines (key, stream, kind, due_at, tenant_id, workspace_id)
    select * from json_to_recordset($1) as given (key text, stream text, kind text, "dueAt" timestamptz, "tenantId" uuid, "workspaceId" uuid)
    on conflict (key) do update set stream = excluded.stream, kind = excluded.kind, due_at = excluded.due_at,
      tenant_id = excluded.tenant_id, workspace_id = excluded.workspace_id`,
};
const CLEAR_DEADLINES = { name: 'clear deadlines', text: 'delete from deadlines where key = any($1)' };
