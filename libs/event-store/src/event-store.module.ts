import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { EventStore, EventTypes } from '#libs/kernel';
import { Database } from '#libs/postgres';
import { openPostgresEventStore, PostgresEventStore } from './postgres/postgres.event-store.js';

/** Provides `EventStore`, over the event types of all contexts, and `EventTypes` everywhere. Needs `Database`. */
@Module({})
export class EventStoreModule implements OnApplicationShutdown {
  constructor(private readonly store: EventStore) {}

  static forRoot(types: EventTypes): DynamicModule {
    return {
      module: EventStoreModule,
      global: true,
      providers: [
        { provide: EventTypes, useValue: types },
        { provide: EventStore, useFactory: (database: Database) => openPostgresEventStore(database, types), inject: [Database] },
      ],
      exports: [EventStore, EventTypes],
    };
  }

  // Not earlier: requests that are still answered append.
  onApplicationShutdown(): void {
    if (this.store instanceof PostgresEventStore) this.store.close();
  }
}
