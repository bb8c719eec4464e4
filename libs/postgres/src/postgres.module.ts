import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from './clock.js';
import { openDatabase, Database, type DatabaseOptions } from './database.js';
import { migrate } from './migrate.js';

/** Either how to reach the database, which is then migrated, opened and closed with the application, or one that is open already. */
export type PostgresModuleOptions = DatabaseOptions | Readonly<{ database: Database }>;

class Options {
  constructor(readonly value: PostgresModuleOptions) {}
}

/**
 * Provides `Database` and a running `Clock` everywhere. It closes on application shutdown: whatever works in the background
 * ends in `beforeApplicationShutdown` or earlier.
 */
@Module({})
export class PostgresModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly options: Options,
  ) {}

  static forRoot(options: PostgresModuleOptions): DynamicModule {
    return {
      module: PostgresModule,
      global: true,
      providers: [
        { provide: Options, useValue: new Options(options) },
        {
          provide: Database,
          useFactory: async () => {
            if ('database' in options) return options.database;
            await migrate(options);
            return openDatabase(options);
          },
        },
        {
          provide: Clock,
          useFactory: async (database: Database) => {
            const clock = new Clock(database.projector);
            await clock.start();
            return clock;
          },
          inject: [Database],
        },
      ],
      exports: [Database, Clock],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.clock.stop();
    if (!('database' in this.options.value)) await this.database.close();
  }
}
