export { EventStoreModule } from './event-store.module.js';
export { readConnectionString, type ConnectionTarget } from './eventstoredb/connection-string.js';
export type { EventStoreDBEventStore } from './eventstoredb/eventstoredb.event-store.js';
export { openEventStoreDB } from './open-eventstoredb.js';
export { importIntoPostgres } from './postgres/import-events.js';
export { openPostgresEventStore, PostgresEventStore, type PostgresEventStoreOptions } from './postgres/postgres.event-store.js';
export { StoredEventTypes } from './stored-event-types.js';
