import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule, type CommandBus } from '@nestjs/cqrs';
import type { DeadlineSource, Projection, Reactor } from '#libs/projections';
import { DenialHandler } from './denials/denial.handler.js';
import { DenialLog } from './denials/denial-log.js';
import { EnablementHandler } from './enablements/enablement.handler.js';
import { Enablements } from './enablements/enablements.js';
import { EnablementsController } from './enablements/enablements.controller.js';
import { grantDeadlines, permissionDeadlines } from './permission-deadlines.js';
import { PermissionSettings } from './permission-settings.js';
import { ToolPolicy } from './policy/tool-policy.js';
import { PolicyController } from './policy/policy.controller.js';
import './problems.js';
import { grants, GrantsQuery } from './read-models/grants.js';
import { permissions, PermissionsQuery } from './read-models/permissions.js';
import { CALL_JUDGEMENT, type CallJudgement } from './requests/call-judgement.js';
import { DenyByDefault } from './requests/deny-by-default.js';
import { HooksController } from './requests/hooks.controller.js';
import { OwnerDecisions } from './requests/owner-decisions.js';
import { PendingCalls } from './requests/pending-calls.js';
import { PermissionHandler } from './requests/permission.handler.js';
import { PermissionsController } from './requests/permissions.controller.js';
import { Requests } from './requests/requests.js';
import { SeenFiles } from './requests/seen-files.js';
import { tableJudgement } from './requests/table-judgement.js';
import { ToolGate } from './requests/tool-gate.js';
import { Handshake } from './sockets/handshake.js';
import { PermissionSockets } from './sockets/permission-sockets.js';
import { Tickets } from './sockets/tickets.js';
import { TicketsController } from './sockets/tickets.controller.js';
import { GrantHandler } from './standing-grants/grant.handler.js';
import { GrantPreview } from './standing-grants/grant-preview.js';
import { GrantsController } from './standing-grants/grants.controller.js';
import { GrantsInForce } from './standing-grants/grants-in-force.js';
import { whenPermissionApproved } from './standing-grants/when-permission-approved.reactor.js';

@Module({})
export class PermissionsModule {
  /** `judgement` is how calls are judged: by the product's tables, unless a test has another. */
  static forRoot(settings = new PermissionSettings(), judgement: CallJudgement = tableJudgement(settings)): DynamicModule {
    return {
      module: PermissionsModule,
      imports: [CqrsModule],
      controllers: [HooksController, EnablementsController, PermissionsController, GrantsController, PolicyController, TicketsController],
      providers: [
        { provide: PermissionSettings, useValue: settings },
        { provide: CALL_JUDGEMENT, useValue: judgement },
        { provide: ToolPolicy, useFactory: () => new ToolPolicy() },
        DenialHandler,
        DenialLog,
        DenyByDefault,
        EnablementHandler,
        Enablements,
        GrantHandler,
        GrantPreview,
        GrantsInForce,
        GrantsQuery,
        Handshake,
        OwnerDecisions,
        PendingCalls,
        PermissionHandler,
        PermissionSockets,
        PermissionsQuery,
        Requests,
        SeenFiles,
        Tickets,
        ToolGate,
      ],
      exports: [OwnerDecisions, PermissionSettings, PermissionsQuery, ToolGate],
    };
  }
}

/** What hangs on this context's events; the process that works (not every API server) runs them. */
export const permissionReactors = (commands: CommandBus, settings: PermissionSettings): Reactor[] => [
  whenPermissionApproved(commands, settings),
];
export const permissionDeadlineSources = (commands: CommandBus): DeadlineSource[] => [
  permissionDeadlines(commands),
  grantDeadlines(commands),
];
export const permissionProjections: Projection[] = [permissions, grants];
