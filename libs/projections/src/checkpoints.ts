import type { Position } from '#libs/kernel';
import type { Sql } from './sql.js';

/**
 * How far a projection has come. `live` moves on; `stale` is new or was filled by other code and waits for a rebuild;
 * `faulted` could not get past the event at `failedAt` and waits for an operator.
 */
export type Checkpoint = Readonly<{
  name: string;
  storeId: string;
  version: number;
  /** Undefined: nothing read yet. */
  position: Position | undefined;
  state: 'live' | 'stale' | 'faulted';
  failedAt: Position | undefined;
  reason: string | undefined;
  movedAt: string;
}>;

export const readCheckpoints = async (sql: Sql): Promise<Checkpoint[]> => {
  const { rows } = await sql.query<CheckpointRow>('select * from checkpoints order by name');
  return rows.map((row) => ({
    name: row.name,
    storeId: row.store_id,
    version: row.version,
    position: row.position ?? undefined,
    state: row.state,
    failedAt: row.failed_at ?? undefined,
    reason: row.reason ?? undefined,
    movedAt: row.moved_at,
  }));
};

/** The positions of a store say nothing about another one; to go on from them would skip or repeat events without a word. */
export const assertSameStore = (storeId: string, found: readonly Readonly<{ name: string; storeId: string }>[]): void => {
  const other = found.find((checkpoint) => checkpoint.storeId !== storeId);
  if (other)
    throw new Error(
      `The read models were filled from event store "${other.storeId}" (${other.name}), but this server is configured for "${storeId}". ` +
        'Point it at that store again, or give it a database of its own: read models are rebuilt from the events there.',
    );
};

/** Old code over rows of new code would neither read nor write them rightly. `versions` are those of this server, by name. */
export const assertNotNewer = (found: readonly Checkpoint[], versions: ReadonlyMap<string, number>): void => {
  const newer = found.find(({ name, version }) => version > (versions.get(name) ?? version));
  if (newer)
    throw new Error(
      `Read model ${newer.name} was filled by a newer server (version ${newer.version}). Start that one, or a newer one still.`,
    );
};

type CheckpointRow = {
  name: string;
  store_id: string;
  version: number;
  position: string | null;
  state: Checkpoint['state'];
  failed_at: string | null;
  reason: string | null;
  moved_at: string;
};
