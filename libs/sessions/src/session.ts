import { idOf, type Recorded } from '#libs/kernel';
import type {
  ApprovalResolved,
  HeldCall,
  Party,
  SessionCancelled,
  SessionEvent,
  SessionGrantStored,
  SessionStarted,
} from './session-events.js';

/** `askedDigest` is that of the call as the runner asked; `amended` where its owner wrote another input since. */
export type PendingApproval = HeldCall &
  Readonly<{ status: 'pending'; requestedAt: string; timeoutAt: string | null; askedDigest: string; amended?: true }>;
export type ResolvedApproval = Readonly<{
  status: 'resolved';
  approvalId: string;
  askedDigest: string;
  resolution: ApprovalResolved['data'];
}>;
export type Approval = PendingApproval | ResolvedApproval;
export type SessionGrant = SessionGrantStored['data'] & Readonly<{ revokedAt?: string; revokedBy?: Party }>;

type Known = SessionStarted['data'] &
  Readonly<{
    sessionId: string;
    approvals: Readonly<Record<string, Approval>>;
    grants: Readonly<Record<string, SessionGrant>>;
    /** Sessions that work for this one. Absent in what was read before there were any. */
    children?: readonly string[];
  }>;
export type SessionState =
  | Readonly<{ status: 'none' }>
  | (Known & Readonly<{ status: 'running' }>)
  | (Known & Readonly<{ status: 'cancelled'; cancelled: SessionCancelled['data'] }>);
export type KnownSession = Exclude<SessionState, { status: 'none' }>;
export const sessionStatuses = ['running', 'cancelled'] as const satisfies readonly KnownSession['status'][];

export const evolve = (state: SessionState, event: Recorded<SessionEvent>): SessionState => {
  if (event.type === 'SessionStarted')
    return state.status === 'none' ? { ...event.data, sessionId: idOf(event.stream), status: 'running', approvals: {}, grants: {} } : state;
  return state.status === 'none' ? state : next(state, event);
};

const next = (state: KnownSession, event: Recorded<Exclude<SessionEvent, { type: 'SessionStarted' }>>): KnownSession => {
  switch (event.type) {
    case 'ChildSessionStarted':
      return { ...state, children: [...(state.children ?? []), event.data.childSessionId] };
    case 'ApprovalRequested': {
      const { at, ...call } = event.data;
      return withApproval(state, { ...call, status: 'pending', requestedAt: at, askedDigest: call.callDigest });
    }
    case 'ApprovalAmended': {
      const { approvalId, toolInput, callDigest, judged } = event.data;
      const approval = approvalOf(state, approvalId);
      return approval?.status === 'pending' ? withApproval(state, { ...approval, toolInput, callDigest, judged, amended: true }) : state;
    }
    case 'ApprovalResolved': {
      const { asked, ...resolution } = event.data;
      const prior = approvalOf(state, resolution.approvalId);
      if (prior?.status === 'resolved') return state;
      const askedDigest = asked?.callDigest ?? prior?.askedDigest ?? '';
      return withApproval(state, { status: 'resolved', approvalId: resolution.approvalId, askedDigest, resolution });
    }
    case 'SessionGrantStored':
      return withGrant(state, event.data);
    case 'SessionGrantRevoked': {
      const { grantId, by, at } = event.data;
      const grant = grantOf(state, grantId);
      return grant ? withGrant(state, { ...grant, revokedAt: at, revokedBy: by }) : state;
    }
    case 'SessionCancelled':
      return state.status === 'running' ? { ...state, status: 'cancelled', cancelled: event.data } : state;
    default:
      return state;
  }
};

// Ids come from clients: a name that every object inherits is no id.
export const approvalOf = ({ approvals }: KnownSession, approvalId: string): Approval | undefined =>
  Object.hasOwn(approvals, approvalId) ? approvals[approvalId] : undefined;
export const grantOf = ({ grants }: Pick<KnownSession, 'grants'>, grantId: string): SessionGrant | undefined =>
  Object.hasOwn(grants, grantId) ? grants[grantId] : undefined;
export const pendingIn = ({ approvals }: KnownSession): PendingApproval[] =>
  Object.values(approvals).filter((approval): approval is PendingApproval => approval.status === 'pending');

const withApproval = (state: KnownSession, approval: Approval): KnownSession => ({
  ...state,
  approvals: { ...state.approvals, [approval.approvalId]: approval },
});
const withGrant = (state: KnownSession, grant: SessionGrant): KnownSession => ({
  ...state,
  grants: { ...state.grants, [grant.grantId]: grant },
});
