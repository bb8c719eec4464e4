import type { Event, NewEvent, Position, Recorded } from './event.js';

/** Where an append ended (the place of its last event), and its events as whoever reads them from now on gets them. */
export type Appended<E extends Event = Event> = Readonly<{ revision: bigint; position: Position; events: Recorded<E>[] }>;

/** The expected revision of a stream that has no event yet, and the revision read from one. */
export const NO_STREAM = -1n;

/** The one port to storage. An abstract class, so that it is its own injection token. */
export abstract class EventStore {
  /** Names the database behind the positions; a checkpoint of another store is refused. */
  abstract readonly storeId: string;
  /** Whether events share PostgreSQL's log with everything else: what is committed there before an append is then durable once the append is. */
  readonly sharesLog: boolean = false;
  /** Events of one stream from `from` (inclusive, default 0) on, in order; `revision` is that of the last event in the stream, NO_STREAM where there is none. */
  abstract readStream<E extends Event>(stream: string, from?: bigint): Promise<{ events: Recorded<E>[]; revision: bigint }>;
  /**
   * All or none. The same events (by id and content) at the same place are a repeat and answer as the first time; an id
   * stored at another place or with other content throws DuplicateEventError; a stream that is not exactly at `expected`
   * throws ConcurrencyError; judged in this order. (EventStoreDB keeps no index of ids: there, another place is one in the same
   * stream. Ids derive from commands, and a command goes to one stream.) Also throws what `prepareAppend` refuses, and 503 `event-store/unavailable`
   * when it cannot learn in time whether the events were stored: append them again. Resolves only when they are durable.
   */
  abstract append<E extends Event>(stream: string, events: readonly NewEvent<E>[], expected: bigint): Promise<Appended<E>>;
  /**
   * Events of all streams in final order after `after` (exclusive; undefined = from the start), at most `limit`. Never
   * skips one that commits late. `position` is where to go on from: it never moves back, and may move on where a page is empty.
   */
  abstract readAll(after: Position | undefined, limit: number): Promise<{ events: Recorded[]; position: Position | undefined }>;
  /** A doorbell: yields when there may be more to read, at least every second. Data always comes from `readAll`. */
  abstract changes(signal: AbortSignal): AsyncIterable<void>;
  /** Negative, zero or positive as `a` lies before, at or after `b`. */
  abstract compare(a: Position, b: Position): number;
}

/** The stream is not where the writer believed it to be: read again, decide again. */
export class ConcurrencyError extends Error {
  constructor(
    readonly stream: string,
    readonly expected: bigint,
    readonly actual: bigint,
  ) {
    super(`Stream ${stream} is at revision ${actual}, not ${expected}.`);
    this.name = 'ConcurrencyError';
  }
}

/** An event id is stored already, at another place or with another content; ids derive from commands, so this is a fault of the caller. */
export class DuplicateEventError extends Error {
  constructor(readonly eventId: string) {
    super(`Event ${eventId} is stored already with another place or content.`);
    this.name = 'DuplicateEventError';
  }
}
