import type { Event, Recorded } from '#libs/kernel';
import type { Effect, Ladder, Tier } from '../effects.js';
import type { GrantScope } from '../standing-grants/grant.js';
import type { Segment, Span } from '../verdict.js';
import type { SeenFile, ToolCall } from './call.js';

/** Someone by id, with the name that was shown. */
export type Party = Readonly<{ id: string; name: string }>;
/** `hook`: a runtime asked before a call. `session`: a live session asked. The prefix of the request's id follows from it. */
export type RequestKind = 'hook' | 'session';
export type JudgedSegment = Pick<
  Segment,
  'text' | 'span' | 'prefix' | 'tier' | 'ladder' | 'effects' | 'reason' | 'reasonSpan' | 'ungrantable'
>;

/** What the table said of a call when it was asked: all that a person is shown of why. `span` counts UTF-16 units of the command. */
export type Judged = Readonly<{
  tier: Tier;
  ladder: Ladder;
  reason: string;
  span: Span;
  effects: readonly Effect[];
  segments: readonly JudgedSegment[];
  grantable: boolean;
  /** Why it can be allowed once only. */
  ungrantable?: string;
  /** What a standing approval would cover, one a segment that is not safe; empty where none is offered. */
  proposedGrants: readonly GrantScope[];
  /** Files that it runs, as they were seen: it runs with these only. */
  files?: readonly SeenFile[];
}>;

/** A call with who makes it: `owner` is the accountable human of the credential, by id. */
export type Asked = Readonly<{
  requestId: string;
  kind: RequestKind;
  owner: string;
  agent: Party;
  call: ToolCall;
  callDigest: string;
  judged: Judged;
}>;

/** Ids of the policies that determined an answer, and which version of all of them was in force. */
export type Proof = Readonly<{ policies: readonly string[]; policyVersion: string }>;

// Events: these shapes are stored forever. Times are RFC 3339 UTC.
/** A tool call needs its owner's yes: until `expiresAt` it may be decided, and, once approved, run. */
export type PermissionRequested = Event<'PermissionRequested', Asked & Readonly<{ proof: Proof; requestedAt: string; expiresAt: string }>>;
/** The owner wrote another input, which is judged worse than what they were shown: they are asked again, for this one. */
export type PermissionAmended = Event<
  'PermissionAmended',
  Readonly<{ by: Party; at: string; toolInput: ToolCall['toolInput']; judged: Judged; proof: Proof }>
>;
/**
 * It may run, once. Via `human` the owner said so: `toolInput` is there where the owner wrote another input, `remember` what
 * a standing approval then covers, `presentedDigest` what the owner said they were shown. Via `grant` nobody was asked: `asked` is the
 * call, `grants` are those that cover it.
 */
export type PermissionApproved = Event<
  'PermissionApproved',
  Readonly<{
    via: 'human' | 'grant' | 'policy';
    by: Party;
    at: string;
    feedback?: string;
    presentedDigest?: string;
    toolInput?: ToolCall['toolInput'];
    judged?: Judged;
    remember: readonly GrantScope[];
    grants: readonly string[];
    asked?: Asked;
    proof: Proof;
    expiresAt?: string;
  }>
>;
/** The owner said no; `feedback` reaches the agent as it was written. */
export type PermissionRejected = Event<
  'PermissionRejected',
  Readonly<{ by: Party; at: string; feedback?: string; presentedDigest?: string }>
>;
/** Its time ended undecided, or approved and never run: an outcome of its own, never a rejection. */
export type PermissionExpired = Event<'PermissionExpired', Readonly<{ at: string; expiresAt: string }>>;
/** The approved call was let through, this once. `by` is the principal that runs it. */
export type PermissionConsumed = Event<'PermissionConsumed', Readonly<{ by: string; at: string; callDigest: string; proof: Proof }>>;
/** Who asked has no use for an answer any more. */
export type PermissionCancelled = Event<'PermissionCancelled', Readonly<{ by: Party; at: string; reason: string }>>;

export type PermissionEvent =
  | PermissionRequested
  | PermissionAmended
  | PermissionApproved
  | PermissionRejected
  | PermissionExpired
  | PermissionConsumed
  | PermissionCancelled;

type Open = Asked & Readonly<{ expiresAt: string; amended?: ToolCall['toolInput'] }>;
type Approved = Open &
  Readonly<{ via: 'human' | 'grant' | 'policy'; by: Party; at: string; feedback?: string; remember: readonly GrantScope[] }>;
export type Permission =
  | Readonly<{ status: 'none' }>
  | (Open & Readonly<{ status: 'pending' }>)
  | (Approved & Readonly<{ status: 'approved' | 'consumed' }>)
  | (Open & Readonly<{ status: 'rejected'; by: Party; at: string; feedback?: string }>)
  | (Open & Readonly<{ status: 'expired'; at: string }>)
  | (Open & Readonly<{ status: 'cancelled'; by: Party; at: string; reason: string }>);
export type AskedPermission = Exclude<Permission, { status: 'none' }>;
export type PermissionStatus = AskedPermission['status'];

export const evolve = (state: Permission, event: Recorded<PermissionEvent>): Permission => {
  if (state.status === 'none') return begin(event);
  const open = openOf(state);
  switch (event.type) {
    case 'PermissionAmended':
      return state.status === 'pending' ? { ...state, amended: event.data.toolInput, judged: event.data.judged } : state;
    case 'PermissionApproved': {
      const { via, by, at, feedback, toolInput, judged, remember } = event.data;
      if (state.status !== 'pending') return state;
      return {
        ...open,
        ...(toolInput && { amended: toolInput }),
        ...(judged && { judged }),
        ...(feedback !== undefined && { feedback }),
        status: 'approved',
        via,
        by,
        at,
        remember,
      };
    }
    case 'PermissionRejected':
      return state.status === 'pending' ? { ...open, ...event.data, status: 'rejected' } : state;
    case 'PermissionCancelled':
      return state.status === 'pending' || state.status === 'approved' ? { ...open, ...event.data, status: 'cancelled' } : state;
    case 'PermissionExpired':
      return state.status === 'pending' || state.status === 'approved' ? { ...open, at: event.data.at, status: 'expired' } : state;
    case 'PermissionConsumed':
      return state.status === 'approved' ? { ...state, status: 'consumed' } : state;
    default:
      return state;
  }
};

/** The input that may run: what was asked, unless the owner wrote another. */
export const inputOf = ({ amended, call }: AskedPermission): ToolCall['toolInput'] => amended ?? call.toolInput;

const begin = ({ type, data }: Recorded<PermissionEvent>): Permission => {
  if (type === 'PermissionRequested') {
    const { proof: _, requestedAt: __, ...open } = data;
    return { ...open, status: 'pending' };
  }
  if (type === 'PermissionApproved' && data.asked) {
    const { asked, via, by, at, remember } = data;
    return { ...asked, expiresAt: data.expiresAt ?? at, status: 'approved', via, by, at, remember };
  }
  return { status: 'none' };
};

const openOf = ({ requestId, kind, owner, agent, call, callDigest, judged, expiresAt, amended }: AskedPermission): Open => ({
  requestId,
  kind,
  owner,
  agent,
  call,
  callDigest,
  judged,
  expiresAt,
  ...(amended && { amended }),
});
