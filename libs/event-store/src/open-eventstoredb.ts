import type { EventStoreDBEventStore, openEventStoreDB as open } from './eventstoredb/eventstoredb.event-store.js';

/** As the function of the same name; the client is loaded only where it is used. */
export const openEventStoreDB = async (...wish: Parameters<typeof open>): Promise<EventStoreDBEventStore> =>
  (await import('./eventstoredb/eventstoredb.event-store.js')).openEventStoreDB(...wish);
