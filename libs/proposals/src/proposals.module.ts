import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule, type CommandBus } from '@nestjs/cqrs';
import type { DeadlineSource, Projection, Reactor } from '#libs/projections';
import { RecordsModule } from '#libs/records';
import { ConfirmationTimes } from './confirmation-times.js';
import { confirmationDeadlines } from './confirmation-deadlines.js';
import { Cards } from './confirmations/cards.js';
import { ConfirmationsController } from './confirmations/confirmations.controller.js';
import { Outcomes } from './confirmations/outcomes.js';
import { ProposalHandler } from './proposal.handler.js';
import { MutationExecution } from './proposals/mutation-execution.js';
import { ProposalPlanner } from './proposals/proposal-planner.js';
import { ProposalsController } from './proposals/proposals.controller.js';
import './problems.js';
import { confirmations, ConfirmationsQuery } from './read-models/confirmations.js';
import { whenConfirmationApproved } from './when-confirmation-approved.reactor.js';
import { whenProposalResubmitted } from './when-proposal-resubmitted.reactor.js';

@Module({})
export class ProposalsModule {
  /** `times` are how long people have to decide and the product to carry out; the defaults are a day and 15 minutes. */
  static forRoot(times = new ConfirmationTimes()): DynamicModule {
    return {
      module: ProposalsModule,
      imports: [CqrsModule, RecordsModule],
      controllers: [ProposalsController, ConfirmationsController],
      providers: [
        { provide: ConfirmationTimes, useValue: times },
        Cards,
        ConfirmationsQuery,
        MutationExecution,
        Outcomes,
        ProposalHandler,
        ProposalPlanner,
      ],
      exports: [Cards, ConfirmationsQuery, MutationExecution],
    };
  }
}

/** What hangs on this context's events; the process that works (not every API server) runs them. */
export const proposalReactors = (commands: CommandBus, execution: MutationExecution): Reactor[] => [
  whenConfirmationApproved(execution),
  whenProposalResubmitted(commands),
];
export const proposalDeadlines = (commands: CommandBus): DeadlineSource[] => [confirmationDeadlines(commands)];
export const proposalProjections: Projection[] = [confirmations];
