import { displayCommand } from '../display.js';
import { inputOf, type AskedPermission } from './permission.js';
import { shownCommand } from './call.js';
import { offered, presentedDigest } from './presented.js';

type Row = Readonly<{ permission: AskedPermission; workspaceId: string; requestedAt: string; policies: readonly string[] }>;
export type DecisionName = 'approve' | 'reject' | 'approve_always';
export const decisionNames: readonly DecisionName[] = ['approve', 'reject', 'approve_always'];

/**
 * A request as these routes and sockets show it: times in milliseconds. `toolInput` is what would run, `command` the one text
 * of it that `span` and the spans of `segments` point into, `displayCommand` the same with hidden characters made visible; `actions` are exactly what its owner may decide,
 * and `presentedDigest` is what a decision names, to be about this and nothing that comes later.
 */
export const entryOf = ({ permission, workspaceId, requestedAt, policies }: Row) => {
  const { requestId, call, judged, owner, agent, status, expiresAt, amended } = permission;
  const toolInput = inputOf(permission);
  return {
    id: requestId,
    agentId: call.agentId,
    userId: owner,
    toolName: call.toolName,
    toolInput,
    tier: judged.tier,
    reason: judged.reason,
    timestamp: Date.parse(requestedAt),
    status: status === 'consumed' ? ('approved' as const) : status,
    agent,
    workspaceId,
    command: shownCommand({ toolInput }),
    displayCommand: displayCommand(shownCommand({ toolInput })),
    ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
    ...(call.cwd !== undefined && { cwd: call.cwd }),
    ...(amended && { originalInput: call.toolInput }),
    ladder: judged.ladder,
    span: judged.span,
    effects: judged.effects,
    segments: judged.segments,
    grantable: judged.grantable,
    ...(judged.ungrantable !== undefined && { ungrantable: judged.ungrantable }),
    proposedGrant: offered(judged),
    ...(judged.files && { files: judged.files }),
    expiresAt: Date.parse(expiresAt),
    policies,
    presentedDigest: presentedDigest(permission),
    ...(status === 'consumed' && { consumed: true }),
    ...('feedback' in permission && permission.feedback !== undefined && { feedback: permission.feedback }),
    actions: status === 'pending' ? actionsOf(permission) : [],
  };
};
export type PermissionEntry = ReturnType<typeof entryOf>;

const actionsOf = ({ judged }: AskedPermission): DecisionName[] => [
  'approve',
  'reject',
  ...(offered(judged).length > 0 ? (['approve_always'] as const) : []),
];
