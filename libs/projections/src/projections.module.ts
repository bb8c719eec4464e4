import {
  Logger,
  Module,
  type Abstract,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventStore } from '#libs/kernel';
import { Clock, Database } from '#libs/postgres';
import type { DeadlineSource } from './deadline.js';
import { Feed } from './feed.js';
import { Positions } from './positions.js';
import { ProjectionStatus } from './projection-status.js';
import type { Projection } from './projection.js';
import type { Reactor } from './reactor.js';
import { Rebuild } from './rebuild.js';
import { ProjectionsRuntime } from './runtime.js';

/** Finds a provider of any module. */
export type Resolve = <T>(token: Type<T> | Abstract<T> | string | symbol) => T;

export type ProjectionsModuleOptions = Readonly<{
  projections: readonly Projection[];
  /** What they need of other modules they ask for when the application has started. */
  reactors?: readonly Reactor[] | ((resolve: Resolve) => readonly Reactor[]);
  deadlines?: readonly DeadlineSource[] | ((resolve: Resolve) => readonly DeadlineSource[]);
  /** Whether this process projects, reacts and keeps deadlines (role `worker`), or only reads. */
  run: boolean;
}>;

class Options {
  constructor(readonly value: ProjectionsModuleOptions) {}
}

/**
 * Provides `Feed`, `Positions`, `ProjectionStatus` and `Rebuild` everywhere. Starts when the application has, refusing
 * read models of another event store; it has ended when the database closes.
 */
@Module({})
export class ProjectionsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly options: Options,
    private readonly runtime: ProjectionsRuntime,
    private readonly modules: ModuleRef,
  ) {}

  static forRoot(options: ProjectionsModuleOptions): DynamicModule {
    return {
      module: ProjectionsModule,
      global: true,
      providers: [
        { provide: Options, useValue: new Options(options) },
        {
          provide: ProjectionsRuntime,
          useFactory: (database: Database, store: EventStore, clock: Clock) =>
            new ProjectionsRuntime({ database, store, clock, projections: options.projections, report }),
          inject: [Database, EventStore, Clock],
        },
        { provide: Feed, useFactory: ({ feed }: ProjectionsRuntime) => feed, inject: [ProjectionsRuntime] },
        { provide: Positions, useFactory: ({ positions }: ProjectionsRuntime) => positions, inject: [ProjectionsRuntime] },
        { provide: ProjectionStatus, useFactory: ({ status }: ProjectionsRuntime) => status, inject: [ProjectionsRuntime] },
        { provide: Rebuild, useFactory: ({ rebuild }: ProjectionsRuntime) => rebuild, inject: [ProjectionsRuntime] },
      ],
      exports: [Feed, Positions, ProjectionStatus, Rebuild],
    };
  }

  onApplicationBootstrap(): Promise<void> {
    const { reactors = [], deadlines = [], run } = this.options.value;
    const resolve: Resolve = (token) => this.modules.get(token, { strict: false });
    return this.runtime.start({
      reactors: typeof reactors === 'function' ? reactors(resolve) : reactors,
      deadlines: typeof deadlines === 'function' ? deadlines(resolve) : deadlines,
      run,
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.runtime.stop();
  }
}

const logger = new Logger('Projections');
const report = (message: string, error?: unknown): void => {
  if (error === undefined) logger.log(message);
  else logger.error(message, error instanceof Error ? error.stack : error);
};
