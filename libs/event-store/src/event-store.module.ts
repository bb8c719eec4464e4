import { Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { EventStore, EventTypes } from '#libs/kernel';
import { Database } from '#libs/postgres';
import type { EventStoreDBEventStore } from './eventstoredb/eventstoredb.event-store.js';
import { openEventStoreDB } from './open-eventstoredb.js';
import { openPostgresEventStore, type PostgresEventStore } from './postgres/postgres.event-store.js';

/** Provides `EventStore`, over the event types of all contexts, and `EventTypes` everywhere. Needs `Database`. */
@Module({})
export class EventStoreModule implements OnApplicationShutdown {
  constructor(private readonly store: EventStore) {}

  /** `url` is an EventStoreDB's connection string; without it the events lie in PostgreSQL. */
  static forRoot(types: EventTypes, url?: string): DynamicModule {
    const open = (database: Database): Promise<EventStore> =>
      url === undefined
        ? openPostgresEventStore(database, types)
        : openEventStoreDB(url, types, { startWithin: START_WITHIN, report: (message) => logger.warn(message) });
    return {
      module: EventStoreModule,
      global: true,
      providers: [
        { provide: EventTypes, useValue: types },
        { provide: EventStore, useFactory: open, inject: [Database] },
      ],
      exports: [EventStore, EventTypes],
    };
  }

  // Not earlier: requests that are still answered append.
  async onApplicationShutdown(): Promise<void> {
    await (this.store as PostgresEventStore | EventStoreDBEventStore).close();
  }
}

/** Servers and databases are often started together. */
const START_WITHIN = 60_000;
const logger = new Logger('EventStoreDB');
