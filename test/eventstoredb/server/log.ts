import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

/**
 * What an EventStoreDB node keeps, in memory. Nodes of a cluster share one. File names are those of KurrentDB 26.1, which is EventStoreDB's
 * present name, below src/KurrentDB.Core/Services; what they say of appends and reads is the same in EventStoreDB 24.10.
 */
export type Proposed = Readonly<{ id: string; type: string; contentType: string; data: Uint8Array; meta: Uint8Array }>;
/** `created` counts .NET ticks of 100 ns since 1970. */
export type Stored = Proposed & Readonly<{ stream: string; revision: bigint; position: bigint; created: bigint }>;

export type Expected = 'any' | 'no stream' | 'stream exists' | bigint;
/** `current` is -1 where there is no stream. */
export type Outcome =
  | Readonly<{ kind: 'stored' | 'idempotent'; revision: bigint; position: bigint }>
  | Readonly<{ kind: 'wrong version'; current: bigint }>
  | Readonly<{ kind: 'deleted' }>;

type Stream = { events: Stored[]; truncatedBefore: bigint; tombstoned: boolean };

/** EventNumber.DeletedStream: the revision of a tombstone, and `$tb` of a stream that is softly deleted. */
export const DELETED = 2n ** 63n - 1n;
/** A record in the transaction log has a header beside data, metadata and names; only that positions are no dense numbers matters. */
const HEADER = 100n;
/** IndexWriter._committedEvents is bounded by memory (ESConsts.CommittedEventsMemCacheLimit); here by count. */
const MOST_RECENT = 10_000;

export class Log extends EventEmitter<{ appended: [] }> {
  readonly all: Stored[] = [];
  private readonly streams = new Map<string, Stream>();
  private readonly recent = new Map<string, Stored>();
  private end = 0n;

  constructor() {
    super();
    this.setMaxListeners(0);
    // A node writes its users and settings before anybody else writes: $all never begins with a client's events.
    this.append('$users', 'any', [system('$User', '{"loginName":"admin"}'), system('$User', '{"loginName":"ops"}')]);
  }

  /** Readable events of a stream; undefined where there is no stream, or it is softly deleted (IndexReader.ReadStreamEventsForward). */
  stream(name: string): readonly Stored[] | undefined {
    const stream = this.streams.get(name);
    if (!stream || stream.events.length === 0 || isSoftlyDeleted(stream)) return undefined;
    return stream.truncatedBefore > 0n ? stream.events.slice(Number(stream.truncatedBefore)) : stream.events;
  }

  isTombstoned(name: string): boolean {
    return this.streams.get(name)?.tombstoned ?? false;
  }

  /** Index in `all` of the first event at or after the position; undefined where the position lies within a record. */
  indexOf(position: bigint): number | undefined {
    let low = 0;
    for (let high = this.all.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.all[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    // AllReader.ReadAllEventsForward: past the last indexed record there is simply nothing yet.
    return low === this.all.length || this.all[low]!.position === position || position === 0n ? low : undefined;
  }

  /** StorageWriterService.Handle(WriteEvents): all or none, each event a record of its own that is committed by itself. */
  append(name: string, expected: Expected, events: readonly Proposed[]): Outcome {
    const verdict = this.judge(name, expected, events);
    if (verdict.kind !== 'stored') return verdict;
    const stream = this.ensure(name);
    if (isSoftlyDeleted(stream)) {
      // StorageWriterService.SoftUndeleteStream: revisions go on where they ended.
      stream.truncatedBefore = BigInt(stream.events.length);
      this.write(this.ensure(`$$${name}`), `$$${name}`, [system('$metadata', `{"$tb":${stream.truncatedBefore}}`)]);
    }
    const last = this.write(stream, name, events);
    return { kind: 'stored', revision: last.revision, position: last.position };
  }

  /** StorageWriterService.Handle(DeleteStream): softly by `$tb` in the metadata, or for ever by a tombstone. */
  remove(name: string, expected: Expected, forEver: boolean): Outcome {
    if (this.isTombstoned(name)) return { kind: 'deleted' };
    const stream = this.ensure(name);
    const current = BigInt(stream.events.length) - 1n;
    const fits =
      expected === 'any' || (expected === 'stream exists' ? current >= 0n : expected === 'no stream' ? current < 0n : expected === current);
    if (!fits) return { kind: 'wrong version', current };
    if (forEver) {
      stream.tombstoned = true;
      this.record(name, DELETED, system('$streamDeleted', ''));
      this.emit('appended');
    } else {
      stream.truncatedBefore = DELETED;
      this.write(this.ensure(`$$${name}`), `$$${name}`, [system('$metadata', `{"$tb":${DELETED}}`)]);
    }
    return { kind: 'stored', revision: current, position: this.end };
  }

  /** As `$tb` behind its last event does: the stream is there and shows nothing (IndexReader, StreamMetadata.TruncateBefore). */
  truncate(name: string): void {
    const stream = this.ensure(name);
    stream.truncatedBefore = BigInt(stream.events.length);
  }

  /** As a node that writes its statistics does (MonitoringService): events of the system between those of clients. */
  writeStatistics(count: number): void {
    this.append(
      '$stats-127.0.0.1:2113',
      'any',
      Array.from({ length: count }, () => system('$statsCollected', '{"proc-cpu":1.5}')),
    );
  }

  /** IndexWriter.CheckCommit. */
  private judge(name: string, expected: Expected, events: readonly Proposed[]): Outcome {
    const stream = this.streams.get(name);
    if (stream?.tombstoned) return { kind: 'deleted' };
    const current = BigInt(stream?.events.length ?? 0) - 1n;
    const gone = stream !== undefined && isSoftlyDeleted(stream);
    const fresh = { kind: 'stored', revision: 0n, position: 0n } as const;
    const wrong = { kind: 'wrong version', current } as const;
    if (expected === 'stream exists' && (current < 0n || gone)) return wrong;
    if (expected === 'any' || expected === 'stream exists') {
      // Repeats are known from a bounded cache of ids only.
      const known = events.map(({ id }) => this.recent.get(id)).map((one) => (one?.stream === name ? one : undefined));
      if (known[0] === undefined) return fresh;
      const last = known.at(-1);
      return known.includes(undefined) ? wrong : { kind: 'idempotent', revision: last!.revision, position: last!.position };
    }
    const after = expected === 'no stream' ? -1n : expected;
    if (after > current) return wrong;
    if (after === current) return fresh;
    // Earlier than the end: a repeat where the same ids lie exactly there. Contents are not compared.
    const there = events.map((_, index) => stream!.events[Number(after) + 1 + index]);
    if (there.every((one, index) => one?.id === events[index]!.id))
      return { kind: 'idempotent', revision: there.at(-1)!.revision, position: there.at(-1)!.position };
    return there[0]?.id !== events[0]!.id && expected === 'no stream' && gone ? fresh : wrong;
  }

  private ensure(name: string): Stream {
    let stream = this.streams.get(name);
    if (!stream) this.streams.set(name, (stream = { events: [], truncatedBefore: 0n, tombstoned: false }));
    return stream;
  }

  private write(stream: Stream, name: string, events: readonly Proposed[]): Stored {
    for (const event of events) stream.events.push(this.record(name, BigInt(stream.events.length), event));
    this.emit('appended');
    return stream.events.at(-1)!;
  }

  private record(stream: string, revision: bigint, event: Proposed): Stored {
    const stored = { ...event, stream, revision, position: this.end, created: BigInt(Date.now()) * 10_000n };
    this.end += HEADER + BigInt(event.data.length + event.meta.length + event.type.length * 2 + stream.length);
    this.all.push(stored);
    this.recent.set(event.id, stored);
    if (this.recent.size > MOST_RECENT) this.recent.delete(this.recent.keys().next().value!);
    return stored;
  }
}

const isSoftlyDeleted = ({ truncatedBefore, events }: Stream): boolean => truncatedBefore > BigInt(events.length);

const system = (type: string, json: string): Proposed => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(json),
  meta: new Uint8Array(),
});
