import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventStoreModule } from '#libs/event-store';
import { ReadPositions } from '#libs/http';
import { PostgresModule, type DatabaseUrls } from '#libs/postgres';
import { Positions, ProjectionsModule } from '#libs/projections';
import { allDeadlines, allEventTypes, allProjections, allReactors, contextModules } from './contexts.js';
import { HealthModule } from './health/health.module.js';
import { LiveController } from './live/live.controller.js';
import { Snapshots } from './live/snapshots.js';
import { MetricsModule } from './metrics/metrics.module.js';
import type { Settings } from './settings.js';

/** The composition root: storage, read models, the contexts, and what joins them. */
export const serverModules = (settings: Settings, urls: DatabaseUrls): (Type | DynamicModule)[] => {
  const contexts = contextModules(settings);
  return [
    CqrsModule.forRoot(),
    PostgresModule.forRoot({
      ...urls,
      entities: allProjections.map(({ table }) => table as new () => object),
      poolSize: { projector: settings.connections, app: settings.connections },
    }),
    EventStoreModule.forRoot(allEventTypes(), settings.eventStoreUrl),
    ProjectionsModule.forRoot({ projections: allProjections, reactors: allReactors, deadlines: allDeadlines, run: settings.roles.worker }),
    ...contexts,
    {
      module: ReadPositionsModule,
      global: true,
      providers: [{ provide: ReadPositions, useExisting: Positions }],
      exports: [ReadPositions],
    },
    HealthModule,
    MetricsModule,
    { module: LiveModule, imports: contexts },
  ];
};

@Module({})
class ReadPositionsModule {}

@Module({ controllers: [LiveController], providers: [Snapshots] })
class LiveModule {}
