import type { DynamicModule, Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { identityEvents, IdentityModule, identityProjections } from '#libs/identity';
import { EventTypes } from '#libs/kernel';
import type { DeadlineSource, Projection, Reactor, Resolve } from '#libs/projections';
import {
  ConfirmationTimes,
  MutationExecution,
  proposalDeadlines,
  proposalEvents,
  proposalProjections,
  proposalReactors,
  ProposalsModule,
} from '#libs/proposals';
import { recordEvents, records, RecordsModule } from '#libs/records';
import type { Settings } from './settings.js';

/** Every bounded context, in one place: its module, the events that it writes, and what hangs on them. */
export const contextModules = ({ decideMs, releaseMs }: Settings): (Type | DynamicModule)[] => [
  IdentityModule,
  RecordsModule,
  ProposalsModule.forRoot(new ConfirmationTimes(decideMs, releaseMs)),
];

export const allEventTypes = (): EventTypes => new EventTypes(identityEvents, recordEvents, proposalEvents);

export const allProjections: readonly Projection[] = [...identityProjections, records, ...proposalProjections];

export const allReactors = (resolve: Resolve): readonly Reactor[] => [...proposalReactors(resolve(CommandBus), resolve(MutationExecution))];

export const allDeadlines = (resolve: Resolve): readonly DeadlineSource[] => [...proposalDeadlines(resolve(CommandBus))];
