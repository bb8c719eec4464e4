import { Module } from '@nestjs/common';
import { EventStore } from '#libs/kernel';
import { Database, migrations } from '#libs/postgres';
import { ProjectionStatus } from '#libs/projections';
import { HEALTH_CHECKS, type CheckResult, type HealthCheck } from './health-check.js';
import { HealthController } from './health.controller.js';

const MOST_LAG_SECONDS = 30;

/** What this product needs before it takes requests. */
export const healthChecks = (store: EventStore, database: Database, status: ProjectionStatus): readonly HealthCheck[] => [
  {
    name: 'store',
    async run() {
      await store.readAll(undefined, 1);
      return { status: 'ok' };
    },
  },
  {
    name: 'migrations',
    async run() {
      const { rows } = await database.projector.query<{ name: string }>('select name from workbench.migrations');
      const applied = new Set(rows.map(({ name }) => name));
      const missing = migrations.map(({ name }) => name).filter((name) => !applied.has(name));
      return { status: missing.length === 0 ? 'ok' : 'failed', missing };
    },
  },
  {
    name: 'projections',
    async run(): Promise<CheckResult> {
      const { ok, led, lag, projections, reactors } = await status.read();
      const late = lag === undefined || lag.seconds > MOST_LAG_SECONDS;
      return {
        status: late ? 'failed' : ok ? 'ok' : 'degraded',
        led,
        lag: lag ?? null,
        faulted: projections.filter(({ state }) => state === 'faulted').map(({ name }) => name),
        parked: reactors.filter(({ parked }) => parked.length > 0).map(({ name }) => name),
      };
    },
  },
];

@Module({
  controllers: [HealthController],
  providers: [{ provide: HEALTH_CHECKS, useFactory: healthChecks, inject: [EventStore, Database, ProjectionStatus] }],
})
export class HealthModule {}
