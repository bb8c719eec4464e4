import type { Event } from '#libs/kernel';
import type { JudgedCall } from './approvals/judged-call.js';

/** Someone by id, with the name that was shown. */
export type Party = Readonly<{ id: string; name: string }>;

/** What a policy answers in place of the human whom an unattended run does not have. */
export type UnattendedAnswer = 'deny' | 'approve';

/** Set when a session starts, changed by nothing later. */
export type SessionOptions = Readonly<{
  /** Nobody will answer: what needs a human is denied at once. */
  unattended: boolean;
  /** Milliseconds until an approval that nobody resolves is denied; null waits. */
  approvalTimeoutMs: number | null;
  /** Unattended, for `alter_verification` alone. */
  amendmentPolicy: UnattendedAnswer;
  /** Unattended, for `switch_to_editing` alone. */
  escalationPolicy: UnattendedAnswer;
}>;

/** A tool call that the runner's gate holds back. `tier` is 0 to 5; `callDigest` that of tool and input. */
export type HeldCall = Readonly<{
  approvalId: string;
  tool: string;
  reason: string;
  toolInput: Readonly<Record<string, unknown>>;
  callDigest: string;
  judged: JudgedCall;
}>;

/** By whom an approval was resolved: its owner, a grant of theirs, nobody (unattended, timed out, cancelled), or the session's policy. */
export type Via = 'human' | 'grant' | 'auto' | 'policy';
/** Of this session, of all tasks of its conversation, or for good. */
export type GrantScope = 'session' | 'conversation' | 'standing';
/** What resolved it: a `timeout` is no human's no. */
export type Cause = 'decision' | 'grant' | 'unattended' | 'timeout' | 'cancelled' | 'policy';

// Events: these shapes are stored forever. Times are RFC 3339 UTC.
/** An agent's run is open. `owner` is the accountable human of the runner's credential, by id: only they decide in it. */
export type SessionStarted = Event<
  'SessionStarted',
  Readonly<{
    owner: string;
    runner: Party;
    startedBy: Party;
    options: SessionOptions;
    parentSessionId?: string;
    title: string;
    at: string;
    /** Tasks of one conversation share what its owner allows for all of it. */
    conversationId?: string;
    /** What the runtime calls its agent, and where it works: standing approvals are for both. */
    agentId?: string;
    cwd?: string;
  }>
>;
/** Another session works for this one: it is cancelled with it. */
export type ChildSessionStarted = Event<'ChildSessionStarted', Readonly<{ childSessionId: string; at: string }>>;
/** A call waits for a human: announced here, decided by the control plane only. Denied at `timeoutAt`; null waits. */
export type ApprovalRequested = Event<'ApprovalRequested', HeldCall & Readonly<{ at: string; timeoutAt: string | null }>>;
/** The owner wrote another input that is judged worse than the one they were shown: it waits again, for this one. */
export type ApprovalAmended = Event<
  'ApprovalAmended',
  Readonly<{ approvalId: string; by: Party; at: string; toolInput: HeldCall['toolInput']; callDigest: string; judged: JudgedCall }>
>;
/**
 * The one end of an approval. `toolInput` is there where the owner wrote another input, `feedback` is theirs, word by word. Via a grant
 * nobody was asked: `asked` is then the call. `by` is null where nobody decided.
 */
export type ApprovalResolved = Event<
  'ApprovalResolved',
  Readonly<{
    approvalId: string;
    allow: boolean;
    via: Via;
    cause: Cause;
    by: Party | null;
    at: string;
    feedback?: string;
    /** Of what the owner said they were shown. */
    presentedDigest?: string;
    toolInput?: HeldCall['toolInput'];
    grantId?: string;
    /** All that cover it together, and for how much they are. Absent for one of this session alone. */
    grants?: readonly string[];
    grantScope?: GrantScope;
    asked?: HeldCall;
    timeoutAt?: string;
  }>
>;
/** Calls of this tool that share the program, at or below the tier, are not asked about again in this session, until `expiresAt`. */
export type SessionGrantStored = Event<
  'SessionGrantStored',
  Readonly<{
    grantId: string;
    tool: string;
    program: readonly string[];
    effects: readonly string[];
    tier: number;
    by: Party;
    approvalId: string;
    at: string;
    expiresAt: string;
  }>
>;
/** It covers nothing from this moment on. */
export type SessionGrantRevoked = Event<'SessionGrantRevoked', Readonly<{ grantId: string; by: Party; at: string }>>;
/** The run's token is tripped, for good; every approval in flight is denied beside it. */
export type SessionCancelled = Event<'SessionCancelled', Readonly<{ by: Party; at: string; reason: string }>>;

export type SessionEvent =
  | SessionStarted
  | ChildSessionStarted
  | ApprovalRequested
  | ApprovalAmended
  | ApprovalResolved
  | SessionGrantStored
  | SessionGrantRevoked
  | SessionCancelled;
