import { Controller, Get, Global, Header, Module } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Public } from '#libs/identity';
import { Database } from '#libs/postgres';
import { ProjectionStatus } from '#libs/projections';
import { backlogMetrics } from './backlog-metrics.js';
import { projectionMetrics } from './projection-metrics.js';

// Of the process, whichever applications run in it.
const ofProcess = new Registry();
let isCollecting = false;
const processMetrics = (): Registry => {
  if (!isCollecting) collectDefaultMetrics({ register: ofProcess });
  isCollecting = true;
  return ofProcess;
};

@Controller('metrics')
@Public()
export class MetricsController {
  constructor(private readonly registry: Registry) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('cache-control', 'no-store')
  @ApiExcludeEndpoint()
  metrics(): Promise<string> {
    return Registry.merge([processMetrics(), this.registry]).metrics();
  }
}

/** Whoever has something to measure injects prom-client's `Registry` and registers it there. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [
    {
      provide: Registry,
      useFactory: (status: ProjectionStatus, database: Database) => {
        const registry = new Registry();
        projectionMetrics(registry, status);
        backlogMetrics(registry, database.projector);
        return registry;
      },
      inject: [ProjectionStatus, Database],
    },
  ],
  exports: [Registry],
})
export class MetricsModule {}
