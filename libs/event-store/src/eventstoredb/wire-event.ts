import type { JSONEventData, RecordedEvent } from '@eventstore/db-client';
import { derivedId, type EncodedEvent, type Event, type EventTypes, type Recorded } from '#libs/kernel';
import type { Found } from './reading.js';

/**
 * An event as EventStoreDB keeps it. Its event id there derives from our id *and* the content: EventStoreDB takes the same ids at
 * the same place for a repeat without a look at the contents. So it tells another content under the same id apart, and a
 * repeat needs no read to be sure of. Our own id stands first in the metadata.
 */
export const toWire = ({ id, type, data, meta, contentHash }: EncodedEvent): JSONEventData => ({
  id: derivedId(id, contentHash),
  type,
  contentType: 'application/json',
  // The client makes a text of it again: the same one, since it came from JSON.stringify.
  data: JSON.parse(data) as JSONEventData['data'],
  metadata: new Uint8Array(Buffer.from(`{"eventId":"${id}",${meta.slice(1)}`)),
});

/** An event of another store, read through `StoredEventTypes`; it keeps the time at which it was recorded there. */
export const importedToWire = ({ id, type, data, meta, recordedAt }: Recorded): JSONEventData => ({
  id: derivedId(id, meta.contentHash),
  type,
  contentType: 'application/json',
  data: data as JSONEventData['data'],
  metadata: { eventId: id, recordedAt, ...meta },
});

/** `recordedAt` is there where the event was imported. */
export type Ours = Readonly<{ eventId: string; contentHash: string; recordedAt?: string }>;

/** The metadata of an event that Workbench wrote; undefined for the system's, and for those of others in the same database. */
export const oursOf = ({ streamId, isJson, metadata }: RecordedEvent): Ours | undefined => {
  if (streamId.startsWith('$') || !isJson) return undefined;
  const { eventId, contentHash } = (metadata ?? {}) as Partial<Ours>;
  return typeof eventId === 'string' && typeof contentHash === 'string' ? (metadata as Ours) : undefined;
};

export const fromWire = <E extends Event>(types: EventTypes, { event, position }: Found): Recorded<E> | undefined => {
  const ours = oursOf(event);
  if (!ours) return undefined;
  const { eventId, recordedAt = event.created.toISOString(), ...meta } = ours;
  return {
    id: eventId,
    stream: event.streamId,
    revision: event.revision,
    position: position.toString(),
    recordedAt,
    ...types.decodeParsed<E>(event.type, event.data, meta),
  } as Recorded<E>;
};
