import { accept, derivedId, record, refuse, type Command, type Decision, type Principal } from '#libs/kernel';
import { ungrantable } from '../grants/session-grant.js';
import { presentedDigest } from './presented.js';
import { approvalNotFound, over, ownerOnly, timedOut } from '../refusals.js';
import { approvalOf, pendingIn, type Approval, type KnownSession, type PendingApproval } from '../session.js';
import type { ApprovalResolved, HeldCall, Party, SessionEvent, SessionGrantStored } from '../session-events.js';

type Modified = Pick<HeldCall, 'toolInput' | 'callDigest' | 'judged'>;

/**
 * The owner's yes or no. Without `approvalId` it is for the one that waits, if there is exactly one. `modified` is the input that they
 * wrote instead, judged; `unjudged` where nothing waited that it could be judged for.
 */
export type ResolveApproval = Command<
  'ResolveApproval',
  Readonly<{
    approvalId?: string;
    allow: boolean;
    remember: boolean;
    feedback?: string;
    modified?: Modified | 'unjudged';
    /** Of what the owner was shown. What they rewrote is approved only with it. */
    presentedDigest?: string;
    /** How long a grant of it lasts, in milliseconds. */
    grantMs: number;
  }>
>;
/** Nobody resolved it in time. */
export type TimeOutApproval = Command<'TimeOutApproval', Readonly<{ approvalId: string }>>;

export const resolveApproval = ({ data, meta }: ResolveApproval, state: KnownSession): Decision<SessionEvent> => {
  const { actor, at, commandId } = meta;
  if (actor.kind !== 'human' || actor.id !== state.owner) return { events: [], refusal: ownerOnly() };
  const approval = meant(state, data.approvalId);
  if ('code' in approval) return { events: [], refusal: approval };
  if (approval.status === 'resolved') return { events: [], refusal: over(approval) };
  if (isOver(approval, at)) {
    const denied = timeout(approval, at);
    return record<SessionEvent>([{ type: 'ApprovalResolved', data: denied }], timedOut(denied));
  }

  const { approvalId } = approval;
  if (isOther(data, approval))
    return refuse('conflict', 'approval/changed', 'It is not what you were shown any more. Look at it again, and decide.', {
      presentedDigest: presentedDigest(approval),
    });
  const by = partyOf(actor);
  const said = {
    ...(data.feedback !== undefined && { feedback: data.feedback }),
    ...(data.presentedDigest !== undefined && { presentedDigest: data.presentedDigest }),
  };
  if (!data.allow)
    return accept({ type: 'ApprovalResolved', data: { approvalId, allow: false, via: 'human', cause: 'decision', by, at, ...said } });

  const { modified } = data;
  if (modified === 'unjudged')
    return refuse('conflict', 'approval/changed', 'It began to wait a moment ago. Look at it again, and decide.');
  if (modified && modified.judged.tier > approval.judged.tier)
    return accept({ type: 'ApprovalAmended', data: { approvalId, by, at, ...modified } });
  const call = { ...approval, ...modified };
  const allowed: SessionEvent = {
    type: 'ApprovalResolved',
    data: { approvalId, allow: true, via: 'human', cause: 'decision', by, at, ...said, ...inputOf(approval, modified) },
  };
  if (!data.remember || ungrantable(call) !== undefined) return accept(allowed);
  const grant: SessionEvent = {
    type: 'SessionGrantStored',
    data: storedGrant(approvalId, call.tool, call.judged, { by, at, commandId, ms: data.grantMs }),
  };
  return accept<SessionEvent>(allowed, grant);
};

/** What is remembered of a call. Its id follows from the command that allowed it. */
export const storedGrant = (
  approvalId: string,
  tool: string,
  { tier, program, effects }: HeldCall['judged'],
  { by, at, commandId, ms }: Readonly<{ by: Party; at: string; commandId: string; ms: number }>,
): SessionGrantStored['data'] => ({
  grantId: derivedId(commandId, 'session-grant'),
  tool,
  program,
  effects,
  tier,
  by,
  approvalId,
  at,
  expiresAt: new Date(Date.parse(at) + ms).toISOString(),
});

export const timeOutApproval = ({ data: { approvalId }, meta: { at } }: TimeOutApproval, state: KnownSession): Decision<SessionEvent> => {
  const approval = approvalOf(state, approvalId);
  if (!approval) return { events: [], refusal: approvalNotFound() };
  if (approval.status === 'resolved') return { events: [], refusal: over(approval) };
  if (!isOver(approval, at)) return refuse('conflict', 'approval/not-due', 'There is still time to decide.');
  return accept({ type: 'ApprovalResolved', data: timeout(approval, at) });
};

export const meant = (state: KnownSession, approvalId: string | undefined): Approval | ReturnType<typeof approvalNotFound> => {
  if (approvalId !== undefined) return approvalOf(state, approvalId) ?? approvalNotFound();
  const [sole, ...others] = pendingIn(state);
  if (!sole) return approvalNotFound();
  return others.length === 0 ? sole : ambiguous(others.length + 1);
};

const ambiguous = (count: number) =>
  refuse('conflict', 'approval/ambiguous', `${count} approvals wait in this session. Say which one by its id.`, { pending: count })
    .refusal!;

const isOther = ({ presentedDigest: seen, allow, modified }: ResolveApproval['data'], approval: PendingApproval): boolean =>
  seen === undefined ? approval.amended === true && allow && modified === undefined : seen !== presentedDigest(approval);

const isOver = ({ timeoutAt }: PendingApproval, at: string): boolean => timeoutAt !== null && at >= timeoutAt;

const timeout = ({ approvalId, timeoutAt }: PendingApproval, at: string): ApprovalResolved['data'] => ({
  approvalId,
  allow: false,
  via: 'auto',
  cause: 'timeout',
  by: null,
  at,
  ...(timeoutAt !== null && { timeoutAt }),
});

/** What runs where it is not what was asked: written now, or before and shown again. */
const inputOf = ({ amended, toolInput }: PendingApproval, modified: Modified | undefined) => {
  if (modified) return { toolInput: modified.toolInput };
  return amended ? { toolInput } : {};
};

const partyOf = ({ id, name }: Principal): Party => ({ id, name });
