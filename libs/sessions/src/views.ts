import { ungrantable } from './grants/session-grant.js';
import { presentedDigest } from './approvals/presented.js';
import { pendingIn, type Approval, type KnownSession, type PendingApproval, type SessionGrant } from './session.js';

/** The session as its owner and its runner see it: every call that waits is shown whole. */
export const viewOf = (session: KnownSession) => {
  const { sessionId, status, title, owner, runner, startedBy, options, parentSessionId, at, conversationId, agentId, cwd } = session;
  return {
    sessionId,
    status,
    title,
    owner,
    runner,
    startedBy,
    options,
    startedAt: at,
    ...(parentSessionId !== undefined && { parentSessionId }),
    ...(conversationId !== undefined && { conversationId }),
    ...(agentId !== undefined && { agentId }),
    ...(cwd !== undefined && { cwd }),
    ...(session.status === 'cancelled' && { cancelled: session.cancelled }),
    pending: pendingIn(session).map(pendingView),
  };
};

/** `proposedGrant` is what "always" would cover; null where it is decided every time, and `ungrantable` says why. */
const pendingView = (approval: PendingApproval) => {
  const { approvalId, tool, reason, toolInput, judged, requestedAt, timeoutAt, amended } = approval;
  const why = ungrantable(approval);
  const { tier, program, effects } = judged;
  return {
    approvalId,
    tool,
    reason,
    toolInput,
    tier,
    requestedAt,
    timeoutAt,
    amended: amended === true,
    presentedDigest: presentedDigest(approval),
    proposedGrant: why === undefined ? { tool, program, tier, effects } : null,
    ...(why !== undefined && { ungrantable: why }),
  };
};

/** What a runner is told of its call: it runs only where `allow` is true, and then with `toolInput` where there is one. */
export const approvalView = (approval: Approval) => {
  const { approvalId } = approval;
  if (approval.status === 'pending') return { approvalId, status: 'pending' as const, allow: false, timeoutAt: approval.timeoutAt };
  const { allow, via, cause, by, at, feedback, toolInput, grantId, grants, grantScope } = approval.resolution;
  return {
    approvalId,
    status: 'resolved' as const,
    allow,
    via,
    cause,
    by,
    at,
    ...(feedback !== undefined && { feedback }),
    ...(toolInput && { toolInput }),
    ...(grantId !== undefined && { grantId, grants: grants ?? [grantId], grantScope: grantScope ?? 'session' }),
  };
};

export const grantView = (grant: SessionGrant, scope: 'session' | 'conversation' = 'session') => {
  const { grantId, tool, program, effects, tier, by, approvalId, at, expiresAt, revokedAt } = grant;
  return {
    grantId,
    scope,
    tool,
    program,
    effects,
    tier,
    by,
    approvalId,
    at,
    expiresAt,
    ...(revokedAt !== undefined && { revokedAt }),
  };
};
