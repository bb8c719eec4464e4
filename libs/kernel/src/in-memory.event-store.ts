import type { EncodedEvent, EventTypes } from './encoding.js';
import { ConcurrencyError, DuplicateEventError, EventStore, NO_STREAM } from './event-store.js';
import type { Event, NewEvent, Position, Recorded } from './event.js';

type Stored = EncodedEvent & Readonly<{ stream: string; revision: bigint; recordedAt: string }>;

/** The reference: what the contract suite says in the fewest lines. It encodes as the others do, so that it refuses what they refuse. */
export class InMemoryEventStore extends EventStore {
  private readonly log: Stored[] = [];
  private readonly places = new Map<string, number>();
  private readonly bells = new Set<() => void>();

  constructor(
    private readonly types: EventTypes,
    readonly storeId = 'memory',
    private readonly now: () => string = () => new Date().toISOString(),
  ) {
    super();
  }

  readStream<E extends Event>(stream: string, from = 0n): Promise<{ events: Recorded<E>[]; revision: bigint }> {
    const all = this.of(stream);
    return Promise.resolve({
      events: all.filter((stored) => stored.revision >= from).map((stored) => this.read<E>(stored)),
      revision: all.at(-1)?.revision ?? NO_STREAM,
    });
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- so that a refusal is a rejection, as with the other adapters
  async append(stream: string, events: readonly NewEvent[], expected: bigint): Promise<{ revision: bigint; position: Position }> {
    const encoded = events.map((event) => this.types.encode(stream, event));
    const actual = this.of(stream).at(-1)?.revision ?? NO_STREAM;
    const repeated = this.repeated(stream, encoded, expected);
    if (repeated) return repeated;
    if (actual !== expected) throw new ConcurrencyError(stream, expected, actual);
    const taken = encoded.find(({ id }, index) => this.places.has(id) || encoded.findIndex((other) => other.id === id) !== index);
    if (taken) throw new DuplicateEventError(taken.id);
    for (const event of encoded) {
      this.places.set(event.id, this.log.length);
      this.log.push({
        ...event,
        stream,
        revision: this.of(stream).length === 0 ? 0n : this.of(stream).at(-1)!.revision + 1n,
        recordedAt: this.now(),
      });
    }
    for (const ring of this.bells) ring();
    return { revision: expected + BigInt(events.length), position: String(this.log.length) };
  }

  readAll(after: Position | undefined, limit: number): Promise<{ events: Recorded[]; position: Position | undefined }> {
    const from = Number(after ?? '0');
    const page = this.log.slice(from, from + limit);
    return Promise.resolve({
      events: page.map((stored) => this.read(stored)),
      position: page.length > 0 ? String(from + page.length) : after,
    });
  }

  async *changes(signal: AbortSignal): AsyncIterable<void> {
    while (!signal.aborted) {
      yield;
      await new Promise<void>((resolve) => {
        const ring = () => {
          clearTimeout(timer);
          this.bells.delete(ring);
          signal.removeEventListener('abort', ring);
          resolve();
        };
        const timer = setTimeout(ring, 1000);
        this.bells.add(ring);
        signal.addEventListener('abort', ring, { once: true });
      });
    }
  }

  compare(a: Position, b: Position): number {
    return Number(a) - Number(b);
  }

  private of(stream: string): Stored[] {
    return this.log.filter((stored) => stored.stream === stream);
  }

  private repeated(
    stream: string,
    encoded: readonly EncodedEvent[],
    expected: bigint,
  ): { revision: bigint; position: Position } | undefined {
    const stored = encoded.map(({ id }) => this.places.get(id)).map((place) => (place === undefined ? undefined : this.log[place]));
    const same = stored.every(
      (event, index) => event?.stream === stream && event.revision === expected + 1n + BigInt(index) && event.type === encoded[index]!.type,
    );
    return same && stored.length > 0
      ? { revision: stored.at(-1)!.revision, position: String(this.places.get(encoded.at(-1)!.id)! + 1) }
      : undefined;
  }

  private read<E extends Event>(stored: Stored): Recorded<E> {
    const { id, stream, revision, recordedAt } = stored;
    const position = String(this.places.get(id)! + 1);
    return { id, stream, revision, position, recordedAt, ...this.types.decode<E>(stored.type, stored.data, stored.meta) } as Recorded<E>;
  }
}
