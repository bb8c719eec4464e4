import { accept, refuse, type Command, type Decision } from '#libs/kernel';
import { grantFor, ungrantable } from '../grants/session-grant.js';
import { cancelled } from '../refusals.js';
import { approvalOf, pendingIn, type KnownSession } from '../session.js';
import type { ApprovalResolved, HeldCall, Party, SessionEvent, SessionOptions } from '../session-events.js';

/** The runner's gate holds a call back. The judgement was made before, from the call alone. */
export type RequestApproval = Command<'RequestApproval', HeldCall & Readonly<{ covered?: Covered }>>;
/** Grants of the conversation, or standing ones, that cover the call and have noted its use. */
export type Covered = Readonly<{ grants: readonly string[]; grantScope: 'conversation' | 'standing'; by: Party }>;

export const requestApproval = (
  { data: { covered, ...call }, meta: { actor, at } }: RequestApproval,
  state: KnownSession,
): Decision<SessionEvent> => {
  if (actor.id !== state.runner.id) return refuse('forbidden', 'session/runner-only', 'Only the agent that runs this session asks in it.');
  const known = approvalOf(state, call.approvalId);
  if (known)
    return refuse('conflict', 'approval/exists', 'This approvalId stands for a call already. Use a new one for a new call.', {
      askedDigest: known.askedDigest,
    });
  if (state.status === 'cancelled') return { events: [], refusal: cancelled(state.cancelled) };

  const grant = grantFor(state, call, at);
  if (grant)
    return accept(
      resolved({
        approvalId: call.approvalId,
        allow: true,
        via: 'grant',
        cause: 'grant',
        by: grant.by,
        at,
        grantId: grant.grantId,
        asked: call,
      }),
    );
  if (covered && ungrantable(call) === undefined)
    return accept(
      resolved({
        approvalId: call.approvalId,
        allow: true,
        via: 'grant',
        cause: 'grant',
        by: covered.by,
        at,
        grantId: covered.grants[0]!,
        grants: covered.grants,
        grantScope: covered.grantScope,
        asked: call,
      }),
    );
  const { unattended, approvalTimeoutMs } = state.options;
  if (!unattended && pendingIn(state).length >= MOST_PENDING)
    return refuse('too_many', 'approval/too-many-pending', `${MOST_PENDING} calls wait in this session. Wait until some are decided.`, {
      pending: MOST_PENDING,
      retryAfter: 5,
    });
  const timeoutAt = unattended || approvalTimeoutMs === null ? null : new Date(Date.parse(at) + approvalTimeoutMs).toISOString();
  const requested: SessionEvent = { type: 'ApprovalRequested', data: { ...call, at, timeoutAt } };
  if (!unattended) return accept(requested);
  const ratified = isRatified(call.tool, state.options);
  return accept(
    requested,
    resolved({
      approvalId: call.approvalId,
      allow: ratified,
      via: ratified ? 'policy' : 'auto',
      cause: ratified ? 'policy' : 'unattended',
      by: null,
      at,
    }),
  );
};

/** More than anybody decides one by one. */
export const MOST_PENDING = 100;

/** Whether the policy for this very action, and none is for more than one, says yes. */
const isRatified = (tool: string, { amendmentPolicy, escalationPolicy }: SessionOptions): boolean =>
  tool === 'alter_verification' ? amendmentPolicy === 'approve' : tool === 'switch_to_editing' && escalationPolicy === 'approve';

const resolved = (data: ApprovalResolved['data']): SessionEvent => ({ type: 'ApprovalResolved', data });
