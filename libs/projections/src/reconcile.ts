import type { EventStore } from '#libs/kernel';
import { WRITING } from './batch.js';
import { assertNotNewer, assertSameStore, readCheckpoints } from './checkpoints.js';
import type { Folder } from './folder.js';
import { latest } from './order.js';
import type { Sql } from './sql.js';

/**
 * Makes the checkpoints fit the code, on taking the leadership. On an empty database everything starts live from the first
 * event; later, what is new or has another version waits for a rebuild. Throws where a newer server has worked.
 */
export const reconcile = async (sql: Sql, store: EventStore, folders: readonly Folder[]): Promise<void> => {
  await sql.query('begin isolation level read committed');
  try {
    await sql.query('select pg_advisory_xact_lock($1)', [WRITING]);
    const found = await readCheckpoints(sql);
    assertSameStore(store.storeId, found);
    const versions = new Map(folders.map(({ name, version }) => [name, version]));
    assertNotNewer(found, versions);

    const reached = latest(
      store,
      found.map(({ position }) => position),
    );
    const begun = reached !== undefined;
    const missing = folders.filter(({ name }) => !found.some((checkpoint) => checkpoint.name === name));
    const outdated = found.filter(({ name, version }) => version < (versions.get(name) ?? version)).map(({ name }) => name);
    const gone = found.filter(({ name }) => !versions.has(name)).map(({ name }) => name);
    await sql.query('delete from checkpoints where name = any($1)', [gone]);
    // A new one stands where the others do: what lies before is not news to anybody.
    await sql.query(
      `insert into checkpoints (name, store_id, version, state, position)
       select name, $3, version, $4, $5 from unnest($1::text[], $2::int[]) as given (name, version)`,
      [missing.map(({ name }) => name), missing.map(({ version }) => version), store.storeId, begun ? 'stale' : 'live', reached ?? null],
    );
    if (begun) await sql.query(`update checkpoints set state = 'stale', failed_at = null, reason = null where name = any($1)`, [outdated]);
    else
      await sql.query(
        'update checkpoints c set version = given.version from unnest($1::text[], $2::int[]) as given (name, version) where c.name = given.name',
        [folders.map(({ name }) => name), folders.map(({ version }) => version)],
      );
    await sql.query('commit');
  } catch (error) {
    await sql.query('rollback');
    throw error;
  }
};
