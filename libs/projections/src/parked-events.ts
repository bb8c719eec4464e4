import type { Position, Recorded } from '#libs/kernel';
import type { Sql } from './sql.js';

/** An event that a reactor could not act on, or one behind it in the same stream. It waits until an operator says retry or skip. */
export type ParkedEvent = Readonly<{
  reactor: string;
  eventId: string;
  position: Position;
  stream: string;
  revision: string;
  type: string;
  reason: string;
  attempts: number;
  parkedAt: string;
  /** An operator asked to try it again. */
  due: boolean;
}>;

export const readParked = async (sql: Sql): Promise<ParkedEvent[]> => {
  const { rows } = await sql.query<ParkedRow>('select * from workbench.parked_events order by reactor, stream, revision');
  return rows.map((row) => ({
    reactor: row.reactor,
    eventId: row.event_id,
    position: row.position,
    stream: row.stream,
    revision: row.revision,
    type: row.type,
    reason: row.reason,
    attempts: row.attempts,
    parkedAt: row.parked_at,
    due: row.due,
  }));
};

export const park = async (sql: Sql, reactor: string, event: Recorded, reason: string, attempts: number): Promise<void> => {
  const { id, position, stream, revision, type, meta } = event;
  await sql.query(
    `insert into workbench.parked_events (reactor, event_id, position, stream, revision, type, tenant_id, workspace_id, reason, attempts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (reactor, event_id) do update set reason = excluded.reason, attempts = parked_events.attempts + excluded.attempts, due = false`,
    [reactor, id, position, stream, revision.toString(), type, meta.tenantId, meta.workspaceId, reason, attempts],
  );
};

export const unpark = async (sql: Sql, reactor: string, eventId: string): Promise<void> => {
  await sql.query('delete from workbench.parked_events where reactor = $1 and event_id = $2', [reactor, eventId]);
};

/** The later events of a stream wait again when an earlier one failed again. */
export const holdBack = async (sql: Sql, reactor: string, stream: string): Promise<void> => {
  await sql.query('update workbench.parked_events set due = false where reactor = $1 and stream = $2', [reactor, stream]);
};

type ParkedRow = {
  reactor: string;
  event_id: string;
  position: string;
  stream: string;
  revision: string;
  type: string;
  reason: string;
  attempts: number;
  parked_at: string;
  due: boolean;
};
