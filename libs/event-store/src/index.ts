export { EventStoreModule } from './event-store.module.js';
export { openPostgresEventStore, PostgresEventStore, type PostgresEventStoreOptions } from './postgres/postgres.event-store.js';
