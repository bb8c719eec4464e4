import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule, type CommandBus } from '@nestjs/cqrs';
import type { DeadlineSource, Projection, Reactor } from '#libs/projections';
import { ClaimHints } from './leases/claim-hints.js';
import { Claiming } from './leases/claiming.js';
import { leaseDeadlines } from './leases/lease-deadlines.js';
import { LeasesController } from './leases/leases.controller.js';
import './problems.js';
import { TasksController } from './queue/tasks.controller.js';
import { tasks, TasksQuery } from './read-models/tasks.js';
import { Artifacts } from './reports/artifacts.js';
import { ArtifactsController } from './reports/artifacts.controller.js';
import { ReportsController } from './reports/reports.controller.js';
import { ShippingController } from './shipping/shipping.controller.js';
import { TaskHandler } from './task.handler.js';
import { Tasks } from './tasks.js';
import { VerificationsController } from './verifications/verifications.controller.js';
import { whenMutationCommitted } from './when-mutation-committed.reactor.js';
import { WorkSettings } from './work-settings.js';

@Module({})
export class WorkModule {
  static forRoot(settings = new WorkSettings()): DynamicModule {
    return {
      module: WorkModule,
      imports: [CqrsModule],
      controllers: [TasksController, LeasesController, ReportsController, VerificationsController, ShippingController, ArtifactsController],
      providers: [{ provide: WorkSettings, useValue: settings }, Artifacts, ClaimHints, Claiming, TaskHandler, Tasks, TasksQuery],
      exports: [Artifacts, Tasks, TasksQuery],
    };
  }
}

/** What hangs on this context's events; the process that works (not every API server) runs them. */
export const workReactors = (commands: CommandBus, settings: WorkSettings): Reactor[] => [whenMutationCommitted(commands, settings)];
export const workDeadlines = (commands: CommandBus): DeadlineSource[] => [leaseDeadlines(commands)];
export const workProjections: Projection[] = [tasks];
