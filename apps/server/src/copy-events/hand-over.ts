import type { Pool } from 'pg';
import type { EventStore, Position, Recorded } from '#libs/kernel';
import { CopyError } from './copy.js';

/** Session lock of the server that projects; see `libs/projections`. */
const LEADING = 7_240_000;

/**
 * Lets read models that were filled from one store go on from a copy of it: every position that they keep becomes that of the same
 * event there. Reactors go on where they were; read models are marked for a rebuild, which the next start does, since rows keep
 * positions too. All in one transaction, and only while no worker runs.
 */
export class HandOver {
  private readonly wanted: readonly Position[];
  private readonly found = new Map<Position, Position>();
  private readonly byEvent = new Map<string, Position>();
  private next = 0;
  private last: Position | undefined;

  private constructor(
    private readonly projector: Pool,
    private readonly from: EventStore,
    private readonly to: EventStore,
    positions: readonly Position[],
    private readonly eventIds: ReadonlySet<string>,
  ) {
    this.wanted = [...new Set(positions)].sort((a, b) => from.compare(a, b));
  }

  static async begin(projector: Pool, from: EventStore, to: EventStore): Promise<HandOver> {
    const { rows } = await projector.query<{ store_id: string }>(
      'select store_id from read_models.checkpoints union select store_id from workbench.reactors',
    );
    const other = rows.find(({ store_id }) => store_id !== from.storeId);
    if (other)
      throw new CopyError(`These read models were filled from event store "${other.store_id}", not from the first one given here.`);
    const { rows: kept } = await projector.query<{ position: string }>(POSITIONS);
    const { rows: events } = await projector.query<{ event_id: string }>(EVENTS);
    const ids = new Set(events.map(({ event_id }) => event_id));
    return new HandOver(
      projector,
      from,
      to,
      kept.map(({ position }) => position),
      ids,
    );
  }

  /** Each event of both stores, in order. */
  pair(event: Recorded, there: Position): void {
    // A position may lie behind its last event, over what is no event of ours: it becomes that of the event before it.
    while (this.next < this.wanted.length && this.from.compare(this.wanted[this.next]!, event.position) < 0) this.settle();
    this.last = there;
    if (this.eventIds.has(event.id)) this.byEvent.set(event.id, there);
  }

  async finish(): Promise<void> {
    while (this.next < this.wanted.length) this.settle();
    const client = await this.projector.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [LEADING]);
      if (!rows[0]!.taken) throw new CopyError('A worker runs on these read models. Stop every server, and run this again.');
      const values = [[...this.found.keys()], [...this.found.values()], this.to.storeId];
      for (const text of MOVES) await client.query(text, text.includes('$3') ? values : values.slice(0, 2));
      for (const text of MOVES_BY_EVENT) await client.query(text, [[...this.byEvent.keys()], [...this.byEvent.values()]]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  private settle(): void {
    const position = this.wanted[this.next++]!;
    if (this.last !== undefined) this.found.set(position, this.last);
  }
}

const POSITIONS = `
  select position from read_models.checkpoints where position is not null
  union select position from workbench.reactors where position is not null
  union select position from workbench.skipped_events`;
const EVENTS = 'select event_id::text from workbench.feed union select event_id::text from workbench.parked_events';

const given = 'unnest($1::text[], $2::text[]) as given (old, new)';
const MOVES = [
  // A checkpoint that stays null has read nothing: with the others gone on, it waits for the same rebuild.
  `update read_models.checkpoints c set store_id = $3, state = 'stale', failed_at = null, reason = null, moved_at = clock_timestamp(),
     position = (select new from ${given} where old = c.position)`,
  `update workbench.reactors r set store_id = $3, moved_at = clock_timestamp(), position = (select new from ${given} where old = r.position)`,
  `update workbench.skipped_events s set position = new from ${given} where old = s.position`,
];
const MOVES_BY_EVENT = ['feed', 'parked_events'].map(
  (table) =>
    `update workbench.${table} t set position = new from unnest($1::uuid[], $2::text[]) as given (id, new) where given.id = t.event_id`,
);
