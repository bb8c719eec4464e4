import type { EventStoreDBEventStore } from './eventstoredb/eventstoredb.event-store.js';
import type { openEventStoreDB as open } from './eventstoredb/open.js';

/** As the function of the same name; the client is loaded only where it is used. */
export const openEventStoreDB = async (...wish: Parameters<typeof open>): Promise<EventStoreDBEventStore> =>
  (await import('./eventstoredb/open.js')).openEventStoreDB(...wish);
