import { ErrorType, NO_STREAM as NONE, type AppendResult, type JSONEventData } from '@eventstore/db-client';
import {
  ConcurrencyError,
  Doorbell,
  DomainError,
  DuplicateEventError,
  EventStore,
  NO_STREAM,
  prepareAppend,
  refusal,
  type Appended,
  type EncodedEvent,
  type Event,
  type EventTypes,
  type NewEvent,
  type Position,
  type Recorded,
} from '#libs/kernel';
import type { Connection } from './connection.js';
import { KnownIds } from './known-ids.js';
import { readAfter, readLast, readStream, typeOf, type Found } from './reading.js';
import { follow } from './subscription.js';
import { fromWire, importedToWire, oursOf, toWire } from './wire-event.js';

/** Fewest events that a read of the whole store asks for: the system's are among them. */
const LEAST_PAGE = 100;
/** Most pages without an event of ours that one read goes through. */
const MOST_EMPTY_PAGES = 10;

/** Events in EventStoreDB. Positions are its commit positions: those of its log, with gaps. */
export class EventStoreDBEventStore extends EventStore {
  private readonly bell = new Doorbell();
  private readonly known = new KnownIds();
  private listeners = 0;
  private following: AbortController | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly types: EventTypes,
    readonly storeId: string,
  ) {
    super();
  }

  async readStream<E extends Event>(stream: string, from = 0n): Promise<{ events: Recorded<E>[]; revision: bigint }> {
    const found = await this.read(stream, from);
    const last = found.at(-1) ?? (from > 0n ? await readLast(this.connection, stream) : undefined);
    const events = found.map((each) => fromWire<E>(this.types, each)).filter((event) => event !== undefined);
    return { events, revision: last?.event.revision ?? NO_STREAM };
  }

  async append<E extends Event>(stream: string, events: readonly NewEvent<E>[], expected: bigint): Promise<Appended<E>> {
    const encoded = prepareAppend(this.types, stream, events, expected);
    // The server would store an id a second time at the end of its stream; what lies before that end can be known.
    const known = this.known.revisionOf(stream);
    if (known < expected) await this.read(stream, known + 1n);
    if (encoded.some(({ id }) => this.known.holds(stream, id))) return this.judge(stream, encoded, expected);
    try {
      return await this.appended(stream, encoded, expected, await this.send(stream, encoded.map(toWire), expected));
    } catch (error) {
      if (typeOf(error) === ErrorType.WRONG_EXPECTED_VERSION) return this.judge(stream, encoded, expected);
      throw explained(error, stream);
    }
  }

  async readAll(after: Position | undefined, limit: number): Promise<{ events: Recorded[]; position: Position | undefined }> {
    const most = Math.max(limit, LEAST_PAGE);
    const events: Recorded[] = [];
    let position = after === undefined ? undefined : BigInt(after);
    for (let pages = 0; pages < MOST_EMPTY_PAGES && events.length === 0; pages++) {
      const page = await readAfter(this.connection, position, most);
      for (const found of page) {
        if (events.length === limit) break;
        position = found.position;
        const event = fromWire(this.types, found);
        if (event) events.push(event);
      }
      if (page.length < most) break;
    }
    return { events, position: position?.toString() };
  }

  changes(signal: AbortSignal): AsyncIterable<void> {
    if (!signal.aborted && !this.connection.closed.aborted) {
      if (this.listeners++ === 0) {
        this.following = new AbortController();
        void follow(this.connection, this.bell.ring, AbortSignal.any([this.following.signal, this.connection.closed]));
      }
      signal.addEventListener('abort', () => --this.listeners === 0 && this.following?.abort(), { once: true });
    }
    return this.bell.changes(signal);
  }

  compare(a: Position, b: Position): number {
    const [left, right] = [BigInt(a), BigInt(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /**
   * Stores events of another store as they are: place in the stream, id, content and time. They are those of one stream, one
   * revision after the other, and directly follow it; throws ConcurrencyError where they don't, and otherwise as `append`.
   */
  async import(events: readonly Recorded[]): Promise<void> {
    const { stream, revision } = events[0]!;
    try {
      await this.send(stream, events.map(importedToWire), revision - 1n);
    } catch (error) {
      if (typeOf(error) !== ErrorType.WRONG_EXPECTED_VERSION) throw explained(error, stream);
      throw new ConcurrencyError(stream, revision - 1n, (await readLast(this.connection, stream))?.event.revision ?? NO_STREAM);
    }
  }

  /** No more attempts, no open call, no open connection. */
  close(): Promise<void> {
    return this.connection.close();
  }

  private async read(stream: string, from: bigint): Promise<Found[]> {
    try {
      const found = await readStream(this.connection, stream, from);
      this.known.add(
        stream,
        found[0]?.event.revision ?? from,
        found.map(({ event }) => oursOf(event)?.eventId),
      );
      return found;
    } catch (error) {
      throw explained(error, stream);
    }
  }

  private send(stream: string, events: JSONEventData[], expected: bigint): Promise<AppendResult> {
    return this.connection.run('outcome', ({ client, ms }) =>
      client.appendToStream(stream, events, {
        expectedRevision: expected === NO_STREAM ? NONE : expected,
        requiresLeader: true,
        deadline: ms,
      }),
    );
  }

  private async appended<E extends Event>(
    stream: string,
    encoded: readonly EncodedEvent[],
    expected: bigint,
    result: AppendResult,
  ): Promise<Appended<E>> {
    if (result.nextExpectedRevision !== expected + BigInt(encoded.length)) throw deleted(stream);
    this.known.add(
      stream,
      expected + 1n,
      encoded.map(({ id }) => id),
    );
    this.bell.ring();
    // Read back: the server answers neither when they were recorded nor, for a repeat, where they lie.
    return this.answer(await readStream(this.connection, stream, expected + 1n, encoded.length));
  }

  /** Why an append cannot be: a repeat, a duplicate or a conflict. */
  private async judge<E extends Event>(stream: string, encoded: readonly EncodedEvent[], expected: bigint): Promise<Appended<E>> {
    const found = await this.read(stream, 0n);
    const stored = new Map(found.map((each) => [oursOf(each.event)?.eventId, each]));
    const isSame = ({ id, contentHash }: EncodedEvent, index: number): boolean => {
      const { event } = stored.get(id) ?? {};
      return event?.revision === expected + 1n + BigInt(index) && oursOf(event)?.contentHash === contentHash;
    };
    if (encoded.every(isSame)) return this.answer(encoded.map(({ id }) => stored.get(id)!));
    const held = encoded.filter(({ id }) => stored.has(id));
    if (held.length === 0) throw new ConcurrencyError(stream, expected, found.at(-1)?.event.revision ?? NO_STREAM);
    throw new DuplicateEventError((encoded.find((event, index) => stored.has(event.id) && !isSame(event, index)) ?? held.at(-1)!).id);
  }

  private answer<E extends Event>(found: readonly Found[]): Appended<E> {
    const events = found.map((each) => fromWire<E>(this.types, each)!);
    const { revision, position } = events.at(-1)!;
    return { revision, position, events };
  }
}

const deleted = (stream: string): Error =>
  new Error(`Stream ${stream} was deleted outside of Workbench, which never deletes one: it cannot be written again. Restore a backup.`);

const explained = (error: unknown, stream: string): unknown => {
  if (typeOf(error) === ErrorType.STREAM_DELETED) return deleted(stream);
  // Newer servers also limit a single event; the client has no name for that.
  if (typeOf(error) !== ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED && !/Maximum Append Event Size/.test(String(error))) return error;
  const detail = 'This is more than the event store takes at once. Refer to large content by its digest, or raise its MaxAppendSize.';
  const limit = (error as { maxAppendSize?: number }).maxAppendSize ?? null;
  return Object.assign(new DomainError(refusal('too_large', 'event/too-large', detail, { limit })), { cause: error });
};
