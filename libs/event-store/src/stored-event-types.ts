import { EventTypes, type Event, type EventMeta } from '#libs/kernel';

/** For what carries events from one store into another: data and meta as they are stored, of whatever type and version. It writes nothing. */
export class StoredEventTypes extends EventTypes {
  override decode<E extends Event>(
    type: string,
    data: string,
    meta: string,
  ): Readonly<{ type: E['type']; data: E['data']; meta: EventMeta }> {
    return this.decodeParsed(type, JSON.parse(data), JSON.parse(meta));
  }

  override decodeParsed<E extends Event>(
    type: string,
    data: unknown,
    meta: unknown,
  ): Readonly<{ type: E['type']; data: E['data']; meta: EventMeta }> {
    return { type, data, meta: meta as EventMeta };
  }
}
