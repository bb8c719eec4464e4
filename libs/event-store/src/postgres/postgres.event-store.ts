import { randomUUID } from 'node:crypto';
import {
  Batched,
  ConcurrencyError,
  Doorbell,
  DuplicateEventError,
  EventStore,
  NO_STREAM,
  prepareAppend,
  recordedFrom,
  type Appended,
  type Event,
  type EventRow,
  type EventTypes,
  type NewEvent,
  type Position,
  type Recorded,
} from '#libs/kernel';
import { answerUnavailable, type Database } from '#libs/postgres';
import { appendMany } from './append-many.js';
import { AppendQueue } from './append-queue.js';
import { COLUMNS, readStreams, type StreamRead } from './read-streams.js';
import { Settled } from './settled.js';
import { throttle } from './throttle.js';

export type PostgresEventStoreOptions = Readonly<{
  /** Batches of appends on their way at once; 2 by default. */
  connections?: number;
  /** Milliseconds until an append that got no definite answer is 503 `event-store/unavailable`; 10 s by default. */
  patience?: number;
  /** Milliseconds that one attempt may take; 4 s by default. */
  attempt?: number;
}>;

const CHANNEL = 'events';
const NOTIFY_EVERY = 20;
const FIRST_LOOK = 5;
const LAST_LOOK = 200;
/** Reads of streams on their way at once. */
const READS = 4;

/** Opens the store in a migrated database, through the projector's login. */
export async function openPostgresEventStore(
  database: Pick<Database, 'projector' | 'listen'>,
  types: EventTypes,
  options: PostgresEventStoreOptions = {},
): Promise<PostgresEventStore> {
  const { rows } = await database.projector.query<{ id: string }>('select id from es.store');
  return new PostgresEventStore(database, types, rows[0]!.id, options);
}

/** Events in the table `es.events`; what its functions promise stands in the migration that made them. */
export class PostgresEventStore extends EventStore {
  override readonly sharesLog = true;
  private readonly queue: AppendQueue;
  private readonly reads: Batched<StreamRead, readonly EventRow[]>;
  private readonly settled = new Settled();
  private readonly bell = new Doorbell();
  private readonly name = randomUUID();
  private readonly unlisten: () => void;
  private look: NodeJS.Timeout | undefined;
  private lookIn = FIRST_LOOK;

  constructor(
    private readonly database: Pick<Database, 'projector' | 'listen'>,
    private readonly types: EventTypes,
    readonly storeId: string,
    { connections = 2, patience = 10_000, attempt = 4_000 }: PostgresEventStoreOptions,
  ) {
    super();
    this.queue = new AppendQueue((appends) => appendMany(database.projector, appends, attempt), { connections, patience });
    this.reads = new Batched((reads) => readStreams(database.projector, reads), READS);
    this.unlisten = database.listen(CHANNEL, (from) => {
      if (from !== this.name) this.bell.ring();
    });
  }

  readStream<E extends Event>(stream: string, from = 0n): Promise<{ events: Recorded<E>[]; revision: bigint }> {
    return answerUnavailable(async () => {
      // From one before on: where nothing is newer, that one tells where the stream ends.
      const rows = await this.reads.ask({ stream, since: (from > 0n ? from - 1n : 0n).toString() });
      const events = rows.filter(({ revision }) => BigInt(revision) >= from).map((row) => recordedFrom<E>(this.types, row));
      const last = rows.at(-1);
      return { events, revision: last ? BigInt(last.revision) : from > 1n ? await this.revisionOf(stream) : NO_STREAM };
    });
  }

  async append<E extends Event>(stream: string, events: readonly NewEvent<E>[], expected: bigint): Promise<Appended<E>> {
    const encoded = prepareAppend(this.types, stream, events, expected);
    const result = await this.queue.append({ stream, expected, events: encoded });
    if (result.outcome === 'conflict') throw new ConcurrencyError(stream, expected, result.actual);
    if (result.outcome === 'duplicate') throw new DuplicateEventError(result.eventId);
    this.bell.ring();
    this.notify();
    const { revision, position } = result.places.at(-1)!;
    // Decoded from what is stored: the same as whoever reads it gets.
    const recorded = encoded.map(
      ({ id, type, data, meta }, index) =>
        ({ id, stream, ...result.places[index]!, ...this.types.decode<E>(type, data, meta) }) as Recorded<E>,
    );
    return { revision, position, events: recorded };
  }

  readAll(after: Position | undefined, limit: number): Promise<{ events: Recorded[]; position: Position | undefined }> {
    return answerUnavailable(async () => {
      const from = BigInt(after ?? 0);
      // Far behind what is known to be final, nothing newer has to be asked for.
      const { position: known } = this.settled;
      const to = known - from >= BigInt(limit) ? known : await this.settledPosition();
      if (to <= from) return { events: [], position: after };
      const { rows } = await this.database.projector.query<EventRow>({
        name: 'es.read_all',
        text: `select ${COLUMNS} from es.events where position > $1 and position <= $2 order by position limit $3`,
        values: [from.toString(), to.toString(), limit],
      });
      return { events: rows.map((row) => recordedFrom(this.types, row)), position: rows.at(-1)?.position ?? after };
    });
  }

  changes(signal: AbortSignal): AsyncIterable<void> {
    return this.bell.changes(signal);
  }

  compare(a: Position, b: Position): number {
    const [left, right] = [BigInt(a), BigInt(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** Stops listening and trying again; the database is left open. */
  close(): void {
    this.queue.close();
    this.unlisten();
    clearTimeout(this.look);
  }

  // Outside the append and at most 50 a second: a NOTIFY takes a lock of the whole server until its commit, which would queue up the
  // commits of all appends. It holds nothing that has to be flushed. Whoever misses one looks after a second.
  private readonly notify = throttle(() => {
    const text = `select pg_notify($1, $2), set_config('synchronous_commit', 'off', true)`;
    this.database.projector.query({ name: 'es.notify', text, values: [CHANNEL, this.name] }).catch(() => undefined);
  }, NOTIFY_EVERY);

  private async settledPosition(): Promise<bigint> {
    const { rows } = await this.database.projector.query<{ highest: string; next_xid: string; oldest_xid: string }>({
      name: 'es.watermark',
      text: 'select * from es.watermark()',
    });
    const before = this.settled.position;
    const { highest, next_xid, oldest_xid } = rows[0]!;
    this.settled.add({ highest: BigInt(highest), nextXid: BigInt(next_xid), oldestXid: BigInt(oldest_xid) });
    this.lookAgain(this.settled.position > before);
    return this.settled.position;
  }

  /** Nothing announces that a position has become final, so the bell rings for another look while some are not. */
  private lookAgain(moved: boolean): void {
    if (moved || !this.settled.isBehind) this.lookIn = FIRST_LOOK;
    if (!this.settled.isBehind || this.look) return;
    this.look = setTimeout(() => {
      this.look = undefined;
      this.bell.ring();
    }, this.lookIn);
    this.lookIn = Math.min(this.lookIn * 2, LAST_LOOK);
  }

  private async revisionOf(stream: string): Promise<bigint> {
    const { rows } = await this.database.projector.query<{ revision: string }>(
      'select revision from es.events where stream = $1 order by revision desc limit 1',
      [stream],
    );
    return rows[0] ? BigInt(rows[0].revision) : NO_STREAM;
  }
}
