import {
  END,
  ErrorType,
  BACKWARDS,
  START,
  type AllStreamResolvedEvent,
  type Position as LogPosition,
  type RecordedEvent,
  type ReadStreamOptions,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import type { Attempt, Connection } from './connection.js';

/** An event as the client gives it, with its place in the whole store. */
export type Found = Readonly<{ event: RecordedEvent; position: bigint }>;

/** From `from` (inclusive) on, at most `most`; empty where there is no such stream. */
export const readStream = (connection: Connection, stream: string, from: bigint, most?: number): Promise<Found[]> =>
  connection.run('nothing', async (attempt) => {
    try {
      const fromRevision: ReadStreamOptions['fromRevision'] = from === 0n ? START : from;
      const options = { fromRevision, requiresLeader: true, ...(most !== undefined && { maxCount: most }) };
      return await collect(attempt, attempt.client.readStream(stream, options));
    } catch (error) {
      if (typeOf(error) === ErrorType.STREAM_NOT_FOUND) return [];
      throw error;
    }
  });

export const readLast = (connection: Connection, stream: string): Promise<Found | undefined> =>
  connection.run('nothing', async (attempt) => {
    try {
      const last = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
      return (await collect(attempt, attempt.client.readStream(stream, last)))[0];
    } catch (error) {
      if (typeOf(error) === ErrorType.STREAM_NOT_FOUND) return undefined;
      throw error;
    }
  });

/** What lies after a position (exclusive) in the whole store, at most `most`, the system's events among them: a filter would be ignored. */
export const readAfter = (connection: Connection, after: bigint | undefined, most: number): Promise<Found[]> =>
  connection.run('nothing', async (attempt) => {
    // Reads of the whole store are inclusive: one more is asked for, and the first passed over.
    const fromPosition: typeof START | LogPosition = after === undefined ? START : { commit: after, prepare: after };
    const maxCount = after === undefined ? most : most + 1;
    const found = await collect(attempt, attempt.client.readAll({ fromPosition, maxCount, requiresLeader: true }));
    if (after !== undefined && found.length === 0) throw new Error(AHEAD(after));
    return after !== undefined && found[0]?.position === after ? found.slice(1) : found.slice(0, most);
  });

const AHEAD = (position: bigint): string =>
  `Position ${position} lies beyond the end of this EventStoreDB: it was restored to an older state than whoever asks. Restore an older backup of PostgreSQL.`;

export const typeOf = (error: unknown): unknown => (error as { type?: unknown }).type;

/** A position that the server doesn't know comes as the greatest there is. */
export const isKnown = (position: bigint | undefined): position is bigint => position !== undefined && position < 2n ** 63n - 1n;

type ReadStream = StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>;

/** All of it; leaves nothing open on the server, however it ends. */
const collect = ({ signal, heard }: Attempt, stream: ReadStream): Promise<Found[]> =>
  new Promise((resolve, reject) => {
    const found: Found[] = [];
    // Not with `for await`: who leaves that loop stops the flow, and the client holds on to a call whose end it never gets to see.
    stream.on('data', (resolved: ResolvedEvent | AllStreamResolvedEvent) => {
      heard();
      const { event } = resolved;
      if (!event) return;
      const position = event.position?.commit ?? resolved.commitPosition;
      if (isKnown(position)) found.push({ event: event, position });
      else reject(new Error(`${event.streamId} was written, or is served, by an EventStoreDB before 23.10, which Workbench needs.`));
    });
    stream.on('end', () => resolve(found));
    // It stays when all is over: an error that comes later and finds no listener ends the process.
    stream.on('error', reject);
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
        stream.cancel().catch(() => undefined);
      },
      { once: true },
    );
  });
