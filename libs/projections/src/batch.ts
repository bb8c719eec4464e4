import type { Position, Recorded } from '#libs/kernel';
import { readCheckpoints } from './checkpoints.js';
import type { Announcement, Folder } from './folder.js';
import { isOutage, reasonOf } from './failures.js';
import type { Sql } from './sql.js';

/** Held by whoever writes read models that are served: the projector for a transaction, a rebuild while it takes over. */
export const WRITING = 7_240_001;

/** Another projector, an operator or a rebuild has moved the checkpoint: what was read for it is void. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** These projections (nearly always one) cannot digest what they were given; the others are not to blame. */
export class FoldError extends Error {
  override name = 'FoldError';
  constructor(
    readonly projections: readonly string[],
    override readonly cause: unknown,
  ) {
    super(`Projection ${projections.join(' or ')} failed: ${reasonOf(cause)}`, { cause });
  }
}

export type Page = Readonly<{ events: readonly Recorded[]; position: Position }>;

/**
 * Folds a page into the tables of `folders`, all of which stand at `from`, and moves their checkpoints to the page's
 * position: everything in one transaction, or nothing. On the way in it makes sure that they still stand there, so that
 * of two projectors only one ever writes a page, whatever each believes.
 */
export async function applyPage(
  sql: Sql,
  folders: readonly Folder[],
  from: Position | undefined,
  page: Page,
  { live, skipped }: Readonly<{ live: boolean; skipped: Skipped }>,
): Promise<void> {
  const names = folders.map(({ name }) => name);
  await sql.query('begin isolation level read committed');
  try {
    if (live) await sql.query({ name: 'write alone', text: 'select pg_advisory_xact_lock($1)', values: [WRITING] });
    const standing = await readCheckpoints(sql, { names });
    const there = standing.filter(({ state, position }) => state === 'live' && position === from);
    if (there.length !== names.length) throw new FencedError(`Not all of ${names.join(', ')} stand at ${from ?? 'the start'} any more.`);

    const announcements: Announcement[] = [];
    const announcing: string[] = [];
    for (const folder of folders) {
      const own = await blaming([folder.name], () => folder.fold(sql, without(page.events, skipped.get(folder.name))));
      announcements.push(...own);
      if (own.length > 0) announcing.push(folder.name);
    }
    if (live && announcing.length > 0) await blaming(announcing, () => announce(sql, inOrder(page.events, announcements)));
    await sql.query({ ...(live ? MOVE_AND_TELL : MOVE), values: [names, page.position] });
    await sql.query('commit');
  } catch (error) {
    await sql.query('rollback');
    throw error;
  }
}

/** Positions that an operator let a projection pass over, by its name; a rebuild passes over them as well. */
export type Skipped = ReadonlyMap<string, ReadonlySet<Position>>;

export const readSkipped = async (sql: Sql): Promise<Skipped> => {
  const { rows } = await sql.query<{ projection: string; position: string }>('select projection, position from skipped_events');
  const skipped = new Map<string, Set<string>>();
  for (const { projection, position } of rows) skipped.set(projection, (skipped.get(projection) ?? new Set()).add(position));
  return skipped;
};

const without = (events: readonly Recorded[], passed: ReadonlySet<Position> | undefined): readonly Recorded[] =>
  passed ? events.filter(({ position }) => !passed.has(position)) : events;

const blaming = async <T>(projections: readonly string[], work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw isOutage(error) ? error : new FoldError(projections, error);
  }
};

// Each projection announces in the order of the events; a listener expects it of all of them together.
const inOrder = (events: readonly Recorded[], announcements: readonly Announcement[]): Announcement[] => {
  const places = new Map(events.map((event, index) => [event, index]));
  return announcements.toSorted((a, b) => places.get(a.event)! - places.get(b.event)!);
};

const announce = async (sql: Sql, announcements: readonly Announcement[]): Promise<void> => {
  const items = announcements.map(({ event, entry }) => ({ ...entry, position: event.position, eventId: event.id }));
  await sql.query({ ...ANNOUNCE, values: [JSON.stringify(items)] });
};

const ANNOUNCE = {
  name: 'announce',
  text: `with added as (
      insert into workbench.feed (kind, subject, tenant_id, workspace_id, audience, data, position, event_id)
      select kind, subject, "tenantId", "workspaceId", audience, data, position, "eventId" from rows from (
        json_to_recordset($1) as (kind text, subject text, "tenantId" uuid, "workspaceId" uuid, audience jsonb, data jsonb, position text, "eventId" uuid)
      ) with ordinality as given (kind, subject, "tenantId", "workspaceId", audience, data, position, "eventId", place)
      order by place
      returning id),
    head as (update workbench.feed_head set head = (select max(id) from added) returning head)
    select pg_notify('feed', head::text) from head`,
};
const MOVE = { name: 'move', text: 'update checkpoints set position = $2, moved_at = clock_timestamp() where name = any($1)' };
const MOVE_AND_TELL = {
  name: 'move and tell',
  text: `with moved as (${MOVE.text} returning 1) select pg_notify('positions', '') from (select count(*) from moved) as all_moved`,
};
