import { eventTypes, type Event, type Principal } from '#libs/kernel';
import type { WorkScope } from '#libs/proposals';

/** What a lease is for. Both kinds draw their fence from one counter a task. */
export type LeaseKind = 'implementation' | 'verification';

/**
 * Who holds or held a lease, with the lineage that independence is judged by, taken from the principal. `conversations` and
 * `model` include what the claim said of itself: that can add conflicts, never take one away.
 */
export type Holder = Readonly<{
  principalId: string;
  credentialId: string;
  kind: Principal['kind'];
  name: string;
  /** Empty where an agent's lineage is missing. */
  accountableHuman: string;
  sessions: readonly string[];
  conversations: readonly string[];
  model?: string;
}>;

/** Something made: a file of the reported commit (`path`) or something elsewhere (`uri`). `size` in bytes, `sha256` and `commit` as hex. */
export type Artifact = Readonly<{ path?: string; uri?: string; mediaType: string; size: number; sha256: string; commit?: string }>;

/** `mode` is a change of file mode or type; `from` is the other side of a rename. */
export type ChangedPath = Readonly<{ path: string; change: 'added' | 'modified' | 'deleted' | 'renamed' | 'mode'; from?: string }>;

/** Where an evidence atom comes from; set by the server from the credential, never by a body. */
export type Provenance = 'self_reported' | 'server_rerun' | 'third_party_ci' | 'human';

/** One run of one check: `check` is its index in the scope's checks, or its arguments joined by spaces. */
export type EvidenceAtom = Readonly<{
  check: string;
  status: 'passed' | 'failed' | 'skipped';
  exitCode: number;
  outputSha256: string;
  durationMs: number;
  testsRun?: number;
  provenance: Provenance;
}>;

export type Finding = Readonly<{ code: string; detail: string; path?: string }>;

/** How somebody is tied to a task's implementation. */
export type Relation = 'principal' | 'credential' | 'accountable_human' | 'session' | 'conversation' | 'missing_lineage';

// Events: these shapes are stored forever. Times are RFC 3339 UTC, fences decimal strings, digests 64 hex digits.

/** An approved proposal became work. All that an executor needs is in it; nothing later widens `work`. */
export type TaskQueued = Event<
  'TaskQueued',
  Readonly<{
    proposalId: string;
    title: string;
    queue: string;
    /** What a person wrote, or the record's fields that say it. */
    brief: string | Readonly<Record<string, unknown>>;
    work: WorkScope;
    scopeDigest: string;
    actionDigest: string;
    presentedDigest: string;
    /** Principals: who decided, in whose name it was proposed, and who proposed it. */
    decidedBy: string;
    requester: string;
    agent: string;
    /** How long a lease of this task lasts without renewal. */
    leaseMs: number;
    at: string;
  }>
>;

type LeaseData = Readonly<{ leaseId: string; fence: string; at: string }>;
/** Someone may work on it until `expiresAt`. `amends` is the digest of the report that this lease may replace. */
export type LeaseGranted = Event<
  'LeaseGranted',
  LeaseData & Readonly<{ holder: Holder; scopeDigest: string; expiresAt: string; amends?: string }>
>;
/** A heartbeat of either kind of lease. */
export type LeaseRenewed = Event<'LeaseRenewed', LeaseData & Readonly<{ kind: LeaseKind; expiresAt: string }>>;
/** Its holder gave it back; that is no failed attempt. */
export type LeaseReleased = Event<'LeaseReleased', LeaseData & Readonly<{ kind: LeaseKind; reason: string }>>;
/** An implementation lease ended without a sign of life; only now may another be granted. `expiries` counts since the last requeue. */
export type LeaseExpired = Event<'LeaseExpired', LeaseData & Readonly<{ expiresAt: string; expiries: number }>>;
/** Taken away: by an operator, or because its holder turned out to share the work's lineage. */
export type LeaseRevoked = Event<'LeaseRevoked', LeaseData & Readonly<{ kind: LeaseKind; by: string; reason: string }>>;
/** A write under a fence that is no longer live was refused; recorded once per fence and command. */
export type StaleLeaseRejected = Event<'StaleLeaseRejected', LostLease>;
export type LostLease = Readonly<{
  fence: string;
  command: string;
  principalId: string;
  /** How the lease of this fence ended. */
  ended: LeaseEnd;
  liveFence?: string;
  heldBy?: Readonly<{ id: string; name: string }>;
  status: string;
  /** Whether what was handed in under this fence is the task's present report. */
  artifactsCount: boolean;
  at: string;
}>;
export type LeaseEnd = 'reported' | 'judged' | 'released' | 'expired' | 'revoked' | 'cancelled';

/** The holder waits for a person's answer and keeps its lease, as long as it renews. */
export type TaskBlocked = Event<'TaskBlocked', Readonly<{ fence: string; question: string; at: string }>>;
export type TaskUnblocked = Event<'TaskUnblocked', Readonly<{ fence: string; answer: string; by: string; at: string }>>;
/** Three leases expired: nobody may claim it until an operator requeues it. */
export type TaskExhausted = Event<'TaskExhausted', Readonly<{ expiries: number; at: string }>>;
/** An operator offers it again, with a fresh count of attempts. */
export type TaskRequeued = Event<'TaskRequeued', Readonly<{ by: string; reason: string; at: string }>>;
/** It will not be done; a live lease ends with it. */
export type TaskCancelled = Event<'TaskCancelled', Readonly<{ by: string; reason: string; at: string; leaseId?: string; fence?: string }>>;

/** The holder hands in its work and with that its lease. It voids an earlier report and its verdict. */
export type WorkReported = Event<
  'WorkReported',
  LeaseData &
    Readonly<{
      by: Holder;
      scopeDigest: string;
      /** Git commit that holds the work. */
      revision: string;
      artifacts: readonly Artifact[];
      changedPaths: readonly ChangedPath[];
      evidence: readonly EvidenceAtom[];
      summary: string;
      /** SHA-256 over RFC 8785 JSON of {taskId, fence, scopeDigest, revision, artifacts, changedPaths, evidence, summary}. */
      reportDigest: string;
    }>
>;

/** Someone may judge exactly this report until `expiresAt`. */
export type VerificationGranted = Event<
  'VerificationGranted',
  LeaseData & Readonly<{ holder: Holder; reportDigest: string; scopeDigest: string; expiresAt: string }>
>;
/** A verifier gave no sign of life; the report can be taken by another. */
export type VerificationExpired = Event<'VerificationExpired', LeaseData & Readonly<{ expiresAt: string }>>;
/** Someone who shares lineage with the implementation may not judge it; `proof` is the event that shows it. Recorded once per credential and report, and when a verification is taken away for it. */
export type VerificationRefused = Event<'VerificationRefused', SharedLineage>;
export type SharedLineage = Readonly<{
  principalId: string;
  credentialId: string;
  reportDigest: string;
  relation: Relation;
  proof: Readonly<{ eventId: string; type: string }>;
  at: string;
}>;

type Verdict = LeaseData &
  Readonly<{
    by: Holder;
    reportDigest: string;
    scopeDigest: string;
    findings: readonly Finding[];
    evidence: readonly EvidenceAtom[];
    /** As the verifier computed them from git. */
    changedPaths: readonly ChangedPath[];
    /** Git tree of the reported commit. */
    tree: string;
  }>;
/** An independent party found the report true and every check passing. */
export type WorkVerified = Event<'WorkVerified', Verdict>;
/** It is not what was asked; the task is queued again with these findings. */
export type WorkRejected = Event<'WorkRejected', Verdict>;
/** It cannot be judged by machine; a human verifier has to. */
export type WorkUnverifiable = Event<'WorkUnverifiable', Verdict>;

/** The verified work is where it belongs: `revision` is the verified commit or holds the identical tree. */
export type WorkShipped = Event<
  'WorkShipped',
  Readonly<{ revision: string; tree: string; reportDigest: string; scopeDigest: string; url?: string; by: string; at: string }>
>;
/** The signed statement of the whole chain: a DSSE envelope. */
export type ReceiptIssued = Event<
  'ReceiptIssued',
  Readonly<{ receiptId: string; envelope: Readonly<Record<string, unknown>>; keyId: string; statementDigest: string; at: string }>
>;

export type TaskEvent =
  | TaskQueued
  | LeaseGranted
  | LeaseRenewed
  | LeaseReleased
  | LeaseExpired
  | LeaseRevoked
  | StaleLeaseRejected
  | TaskBlocked
  | TaskUnblocked
  | TaskExhausted
  | TaskRequeued
  | TaskCancelled
  | WorkReported
  | VerificationGranted
  | VerificationExpired
  | VerificationRefused
  | WorkVerified
  | WorkRejected
  | WorkUnverifiable
  | WorkShipped
  | ReceiptIssued;

export const taskEvents = eventTypes<TaskEvent>({
  TaskQueued: 1,
  LeaseGranted: 1,
  LeaseRenewed: 1,
  LeaseReleased: 1,
  LeaseExpired: 1,
  LeaseRevoked: 1,
  StaleLeaseRejected: 1,
  TaskBlocked: 1,
  TaskUnblocked: 1,
  TaskExhausted: 1,
  TaskRequeued: 1,
  TaskCancelled: 1,
  WorkReported: 1,
  VerificationGranted: 1,
  VerificationExpired: 1,
  VerificationRefused: 1,
  WorkVerified: 1,
  WorkRejected: 1,
  WorkUnverifiable: 1,
  WorkShipped: 1,
  ReceiptIssued: 1,
});
