import type { Pool } from 'pg';
import { DomainError, refusal, type Position } from '#libs/kernel';
import { readCheckpoints, type Checkpoint } from './checkpoints.js';
import { reasonOf } from './failures.js';
import { LEADING } from './leadership.js';
import { readParked, type ParkedEvent } from './parked-events.js';
import type { Lag, Positions } from './positions.js';
import type { StoreTrouble } from './store-reader.js';

export type ReactorStatus = Readonly<{ name: string; position: Position | undefined; movedAt: string; parked: readonly ParkedEvent[] }>;

/** What health and metrics need. `ok`: some server leads, nothing is faulted or parked, and this server reaches the store. */
export type ProjectionReport = Readonly<{
  ok: boolean;
  led: boolean;
  /** Whether it is this server that leads. */
  leading: boolean;
  projections: readonly Checkpoint[];
  reactors: readonly ReactorStatus[];
  /** What stands between this server and the event store. */
  storeTroubles: readonly StoreTrouble[];
  /** Undefined while the store cannot be read. */
  lag: Lag | undefined;
}>;

export type StatusOptions = Readonly<{
  projector: Pool;
  positions: Positions;
  now(): string;
  leading(): boolean;
  storeTroubles(): readonly StoreTrouble[];
}>;

/** How projections and reactors are, and what an operator can do about one that is stuck. On any server. */
export class ProjectionStatus {
  constructor(private readonly options: StatusOptions) {}

  async read(): Promise<ProjectionReport> {
    const { projector, positions, leading, storeTroubles, now } = this.options;
    const [projections, parked, reactors, led, lag] = await Promise.all([
      readCheckpoints(projector),
      readParked(projector),
      projector.query<{ name: string; position: string | null; moved_at: string }>(
        'select name, position, moved_at from workbench.reactors order by name',
      ),
      projector.query(
        `select 1 from pg_locks where locktype = 'advisory' and objid = ${LEADING} and granted
           and database = (select oid from pg_database where datname = current_database())`,
      ),
      positions.lag().catch((error: unknown) => reasonOf(error)),
    ]);
    const troubles = [...storeTroubles()];
    if (typeof lag === 'string' && troubles.length === 0) troubles.push({ what: 'read', reason: lag, since: now() });
    const isLed = led.rowCount === 1;
    return {
      ok: isLed && troubles.length === 0 && parked.length === 0 && projections.every(({ state }) => state !== 'faulted'),
      led: isLed,
      leading: leading(),
      projections,
      reactors: reactors.rows.map(({ name, position, moved_at }) => ({
        name,
        position: position ?? undefined,
        movedAt: moved_at,
        parked: parked.filter(({ reactor }) => reactor === name),
      })),
      storeTroubles: troubles,
      lag: typeof lag === 'string' ? undefined : lag,
    };
  }

  /**
   * A faulted projection goes on from its checkpoint (or all that a failed rebuild left behind to the next rebuild), a reactor
   * tries its parked events again. DomainError not_found `projection/not-found`, conflict `projection/not-stuck`.
   */
  async retry(name: string): Promise<void> {
    const { rowCount } = await this.options.projector.query(
      `with projection as (${RELEASE} where ${STUCK} returning 1),
        parked as (update workbench.parked_events set due = true where reactor = $1 returning 1)
       select pg_notify('projections', '') from (select from projection union all select from parked limit 1) as changed`,
      [name],
    );
    if (rowCount === 0) throw await this.notStuck(name);
  }

  /**
   * Passes over the event at `position`, for good: a rebuild passes over it too. For a reactor it drops that parked event and
   * tries those that waited behind it. Errors as for `retry`; only an event that it is stuck at can be skipped.
   */
  async skip(name: string, position: Position): Promise<void> {
    const { rowCount } = await this.options.projector.query(
      `with projection as (${RELEASE} where ${STUCK} and coalesce(failed_at, $2) = $2 returning 1),
        remembered as (insert into workbench.skipped_events (projection, position, reason)
          select name, $2, reason from checkpoints where name = $1 and state = 'faulted' and coalesce(failed_at, $2) = $2
          on conflict do nothing),
        dropped as (delete from workbench.parked_events where reactor = $1 and position = $2 returning stream),
        next as (update workbench.parked_events set due = true
          where reactor = $1 and position <> $2 and stream in (select stream from dropped))
       select pg_notify('projections', '') from (select from projection union all select from dropped limit 1) as changed`,
      [name, position],
    );
    if (rowCount === 0) throw await this.notStuck(name, position);
  }

  private async notStuck(name: string, position?: Position): Promise<DomainError> {
    const { projections, reactors } = await this.read();
    if (![...projections, ...reactors].some((known) => known.name === name))
      return new DomainError(refusal('not_found', 'projection/not-found', `There is no projection or reactor ${name}.`));
    const where = position === undefined ? '' : ` at ${position}`;
    return new DomainError(refusal('conflict', 'projection/not-stuck', `${name} is not stuck${where}. Look at its status again.`));
  }
}

const RELEASE = `update checkpoints set state = case when failed_at is null then 'stale' else 'live' end, failed_at = null, reason = null`;
// What a failed rebuild left behind has no place of its own, and one rebuild serves all of it.
const STUCK = `state = 'faulted' and case
  when failed_at is not null then name = $1
  else exists (select 1 from checkpoints named where named.name = $1 and named.state = 'faulted' and named.failed_at is null) end`;
