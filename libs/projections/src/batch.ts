import { escapeLiteral, type QueryConfig, type QueryResult } from 'pg';
import type { Position, Recorded } from '#libs/kernel';
import type { Folded, Folder } from './folder.js';
import { isOutage, reasonOf } from './failures.js';
import { allAnswered, type Sql } from './sql.js';

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

/** Statements, and the projections that are to blame where one fails. */
type Writing = Readonly<{ names: readonly string[]; writes: readonly QueryConfig[] }>;

export type Page = Readonly<{ events: readonly Recorded[]; position: Position }>;

export type Mode = Readonly<{
  /** What is written is served: it is announced, and one writes at a time. */
  live: boolean;
  skipped: Skipped;
  /** With this page all projections of the server have come to its position, so that nobody who waits for it has to look. */
  all?: boolean;
}>;

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
  { live, skipped, all = false }: Mode,
): Promise<void> {
  const names = folders.map(({ name }) => name);
  try {
    // Reads travel with what opens the transaction and writes with what ends it, so that a page is two round trips.
    const [, ...pages] = await allAnswered([
      open(sql, names, from, live),
      ...folders.map((folder) => blaming([folder.name], () => folder.fold(sql, without(page.events, skipped.get(folder.name))))),
    ]);
    const folded = (pages as Folded[]).map((each, index) => ({ ...each, names: [names[index]!] }));
    const writes = [...folded, ...(live ? announcing(page.events, folded) : [])];
    await allAnswered([
      ...writes.flatMap((each) => each.writes.map((write) => blaming(each.names, () => sql.query(write)))),
      sql.query(closing(names, page.position, live ? (all ? page.position : '') : undefined)),
    ]);
  } catch (error) {
    await sql.query('rollback');
    throw error;
  }
}

// Several statements in one text take no parameters, but one round trip: an event is shown after few of them. Their commit is not
// flushed by itself. The events are: they are visible only once they are on disk. What a crash of the server takes back of this
// (rows, deadlines, feed and checkpoints together) is folded again from them and gives the same.
const open = async (sql: Sql, names: readonly string[], from: Position | undefined, live: boolean): Promise<void> => {
  const results = (await sql.query(
    `begin isolation level read committed;
     set local synchronous_commit = off;
     ${live ? `select pg_advisory_xact_lock(${WRITING});` : ''}
     select position, state from checkpoints where name in (${literals(names)}) order by name for update`,
  )) as unknown as QueryResult<{ position: string | null; state: string }>[];
  const there = results.at(-1)!.rows.filter(({ state, position }) => state === 'live' && position === (from ?? null));
  if (there.length !== names.length) throw new FencedError(`Not all of ${names.join(', ')} stand at ${from ?? 'the start'} any more.`);
};

/** `told`: how far all projections of the server have come, '' where these have moved and others are behind; undefined tells nobody. */
const closing = (names: readonly string[], position: Position, told: string | undefined): string =>
  `update checkpoints set position = ${escapeLiteral(position)}, moved_at = clock_timestamp() where name in (${literals(names)});
   ${told === undefined ? '' : `select pg_notify('positions', ${escapeLiteral(told)});`} commit`;

const literals = (names: readonly string[]): string => names.map(escapeLiteral).join(', ');

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
const announcing = (events: readonly Recorded[], folded: readonly (Folded & Writing)[]): Writing[] => {
  const loud = folded.filter(({ announcements }) => announcements.length > 0);
  if (loud.length === 0) return [];
  const places = new Map(events.map((event, index) => [event, index]));
  const items = loud
    .flatMap(({ announcements }) => announcements)
    .sort((a, b) => places.get(a.event)! - places.get(b.event)!)
    .map(({ event, entry }) => ({ ...entry, position: event.position, eventId: event.id }));
  return [{ names: loud.flatMap(({ names }) => names), writes: [{ ...ANNOUNCE, values: [JSON.stringify(items)] }] }];
};

// Numbered by the head, which this very transaction moves, and not by a sequence: where a crash of the server takes the end of the
// feed back, the same events are announced again under the same ids, so that nobody who goes on from one of them misses another.
const ANNOUNCE = {
  name: 'announce',
  text: `with added as (
      insert into workbench.feed (id, kind, subject, tenant_id, workspace_id, audience, data, position, event_id) overriding system value
      select (select head from workbench.feed_head) + place, kind, subject, "tenantId", "workspaceId", audience, data, position, "eventId" from rows from (
        json_to_recordset($1) as (kind text, subject text, "tenantId" uuid, "workspaceId" uuid, audience jsonb, data jsonb, position text, "eventId" uuid)
      ) with ordinality as given (kind, subject, "tenantId", "workspaceId", audience, data, position, "eventId", place)
      returning id),
    head as (update workbench.feed_head set head = (select max(id) from added) returning head)
    select pg_notify('feed', head::text), setval('workbench.feed_id_seq', head) from head`,
};
