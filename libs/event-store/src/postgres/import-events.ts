import type { Pool } from 'pg';
import type { Recorded } from '#libs/kernel';

/**
 * Stores events of another store as they are, in the order given: place in the stream, id, content and time; all or none. Data and
 * meta are taken as they are stored (see `StoredEventTypes`). Only while nobody else appends: what does not directly follow
 * its stream leaves a gap there.
 */
export async function importIntoPostgres(projector: Pool, events: readonly Recorded[]): Promise<void> {
  const client = await projector.connect();
  try {
    await client.query('begin');
    // Before the first position is drawn, as es.watermark asks of whoever writes.
    await client.query('select pg_current_xact_id()');
    await client.query(
      `insert into es.events (position, stream, revision, event_id, type, data, meta, recorded_at)
       select nextval('es.positions'), given.stream, given.revision, given.event_id, given.type, given.data, given.meta, given.recorded_at
         from (select * from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::json[], $6::json[], $7::timestamptz[])
           with ordinality as each (stream, revision, event_id, type, data, meta, recorded_at, nth) order by nth) as given`,
      [
        events.map(({ stream }) => stream),
        events.map(({ revision }) => revision.toString()),
        events.map(({ id }) => id),
        events.map(({ type }) => type),
        events.map(({ data }) => JSON.stringify(data)),
        events.map(({ meta }) => JSON.stringify(meta)),
        events.map(({ recordedAt }) => recordedAt),
      ],
    );
    await client.query('commit');
    client.release();
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(error as Error);
    throw error;
  }
}
