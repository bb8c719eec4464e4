import { Doorbell } from './doorbell.js';
import type { EncodedEvent, EventTypes } from './encoding.js';
import { ConcurrencyError, DuplicateEventError, EventStore, NO_STREAM, type Appended } from './event-store.js';
import type { Event, NewEvent, Position, Recorded } from './event.js';
import { prepareAppend } from './prepare-append.js';

type Stored = EncodedEvent & Readonly<{ stream: string; revision: bigint; position: Position; recordedAt: string }>;

/** The reference: what the contract suite says in the fewest lines. It encodes as the others do, so that it refuses what they refuse. */
export class InMemoryEventStore extends EventStore {
  private readonly log: Stored[] = [];
  private readonly streams = new Map<string, Stored[]>();
  private readonly byId = new Map<string, Stored>();
  private readonly bell = new Doorbell();

  constructor(
    private readonly types: EventTypes,
    readonly storeId = 'memory',
    private readonly now: () => string = () => new Date().toISOString(),
  ) {
    super();
  }

  readStream<E extends Event>(stream: string, from = 0n): Promise<{ events: Recorded<E>[]; revision: bigint }> {
    const all = this.streams.get(stream) ?? [];
    return Promise.resolve({ events: all.slice(Number(from)).map((stored) => this.read<E>(stored)), revision: BigInt(all.length) - 1n });
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- so that a refusal is a rejection, as with the other adapters
  async append<E extends Event>(stream: string, events: readonly NewEvent<E>[], expected: bigint): Promise<Appended<E>> {
    const encoded = prepareAppend(this.types, stream, events, expected);
    const prior = encoded.flatMap(({ id }) => this.byId.get(id) ?? []);
    const last = prior.at(-1);
    if (last) {
      const same = ({ id, contentHash }: EncodedEvent, index: number) =>
        prior.some(
          (stored) =>
            stored.id === id &&
            stored.stream === stream &&
            stored.revision === expected + 1n + BigInt(index) &&
            stored.contentHash === contentHash,
        );
      if (encoded.every(same)) return this.answer(prior);
      throw new DuplicateEventError((encoded.find((event, index) => this.byId.has(event.id) && !same(event, index)) ?? last).id);
    }
    const all = this.streams.get(stream) ?? [];
    const actual = all.at(-1)?.revision ?? NO_STREAM;
    if (actual !== expected) throw new ConcurrencyError(stream, expected, actual);
    this.streams.set(stream, all);
    const added = encoded.map((event) => {
      const stored = { ...event, stream, revision: BigInt(all.length), position: String(this.log.length + 1), recordedAt: this.now() };
      for (const list of [this.log, all]) list.push(stored);
      this.byId.set(event.id, stored);
      return stored;
    });
    this.bell.ring();
    return this.answer(added);
  }

  readAll(after: Position | undefined, limit: number): Promise<{ events: Recorded[]; position: Position | undefined }> {
    const from = Number(after ?? '0');
    const page = this.log.slice(from, from + limit);
    return Promise.resolve({ events: page.map((stored) => this.read(stored)), position: page.at(-1)?.position ?? after });
  }

  changes(signal: AbortSignal): AsyncIterable<void> {
    return this.bell.changes(signal);
  }

  compare(a: Position, b: Position): number {
    const [left, right] = [BigInt(a), BigInt(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  private answer<E extends Event>(stored: readonly Stored[]): Appended<E> {
    const { revision, position } = stored.at(-1)!;
    return { revision, position, events: stored.map((each) => this.read<E>(each)) };
  }

  private read<E extends Event>({ id, stream, revision, position, recordedAt, type, data, meta }: Stored): Recorded<E> {
    return { id, stream, revision, position, recordedAt, ...this.types.decode<E>(type, data, meta) } as Recorded<E>;
  }
}
