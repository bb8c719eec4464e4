import type { EventTypes } from './encoding.js';
import type { Event, Recorded } from './event.js';

/** A stored event as a row of SQL gives it: integers as decimal digits, data and meta as the JSON texts that were encoded. */
export type EventRow = Readonly<{
  position: string;
  stream: string;
  revision: string;
  event_id: string;
  type: string;
  data: string;
  meta: string;
  recorded_at: string;
}>;

export const recordedFrom = <E extends Event>(types: EventTypes, row: EventRow): Recorded<E> =>
  ({
    id: row.event_id,
    stream: row.stream,
    revision: BigInt(row.revision),
    position: row.position,
    recordedAt: row.recorded_at,
    ...types.decode<E>(row.type, row.data, row.meta),
  }) as Recorded<E>;
