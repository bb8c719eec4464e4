import type { DynamicModule, Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AuditModule, auditProjections, auditReactors, ReceiptKey } from '#libs/audit';
import { identityEvents, IdentityModule, identityProjections } from '#libs/identity';
import { EventTypes } from '#libs/kernel';
import {
  permissionDeadlineSources,
  permissionEvents,
  permissionProjections,
  permissionReactors,
  PermissionSettings,
  PermissionsModule,
  tableJudgement,
} from '#libs/permissions';
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
import { sessionDeadlineSources, sessionEvents, sessionProjections, sessionReactors, SessionControl, SessionsModule } from '#libs/sessions';
import { taskEvents, workDeadlines, WorkModule, workProjections, workReactors, WorkSettings } from '#libs/work';
import { judgeSessionCall } from './judge-session-call.js';
import { StandingGrantsModule } from './standing-grants.module.js';
import type { Settings } from './settings.js';

const permissionModules = (settings: PermissionSettings): DynamicModule[] => {
  const permissions = PermissionsModule.forRoot(settings);
  return [permissions, StandingGrantsModule.of(permissions)];
};

/** Every bounded context, in one place: its module, the events that it writes, and what hangs on them. */
export const contextModules = ({ decideMs, releaseMs, leaseMs, repositoryRoots, permissions }: Settings): (Type | DynamicModule)[] => [
  IdentityModule,
  RecordsModule,
  ProposalsModule.forRoot(new ConfirmationTimes(decideMs, releaseMs)),
  WorkModule.forRoot(new WorkSettings(leaseMs, repositoryRoots)),
  ...permissionModules(new PermissionSettings(permissions)),
  SessionsModule.forRoot(undefined, judgeSessionCall(tableJudgement(new PermissionSettings(permissions)))),
  AuditModule,
];

export const allEventTypes = (): EventTypes =>
  new EventTypes(identityEvents, recordEvents, proposalEvents, taskEvents, permissionEvents, sessionEvents);

export const allProjections: readonly Projection[] = [
  ...identityProjections,
  records,
  ...proposalProjections,
  ...workProjections,
  ...permissionProjections,
  ...sessionProjections,
  ...auditProjections,
];

export const allReactors = (resolve: Resolve): readonly Reactor[] => [
  ...proposalReactors(resolve(CommandBus), resolve(MutationExecution)),
  ...workReactors(resolve(CommandBus), resolve(WorkSettings)),
  ...permissionReactors(resolve(CommandBus), resolve(PermissionSettings)),
  ...sessionReactors(resolve(SessionControl)),
  ...auditReactors(resolve(CommandBus), resolve(ReceiptKey)),
];

export const allDeadlines = (resolve: Resolve): readonly DeadlineSource[] => [
  ...proposalDeadlines(resolve(CommandBus)),
  ...workDeadlines(resolve(CommandBus)),
  ...permissionDeadlineSources(resolve(CommandBus)),
  ...sessionDeadlineSources(resolve(CommandBus)),
];
