import { idOf, type Recorded } from '#libs/kernel';
import type { WorkScope } from '#libs/proposals';
import type { ChangedPath, Holder, LeaseEnd, LeaseKind, SharedLineage, TaskEvent } from './task-events.js';

/** What stays true of a task in whatever status it is. */
export type Facts = Readonly<{
  taskId: string;
  queue: string;
  work: WorkScope;
  scopeDigest: string;
  leaseMs: number;
  /** The fence granted last; '0' before the first. */
  fence: string;
  /** Implementation leases that expired since it was queued or requeued. */
  expiries: number;
  /** Every fence that was ever granted. */
  grants: Readonly<Record<string, Grant>>;
  /** Everyone who leased or reported, with the event that shows it. */
  participants: readonly Participant[];
  /** `fence command` of stale writes, and `credential report` of refused verifiers, that are on record already. */
  recorded: readonly string[];
  /** By principal, what tied a verifier that was refused: what was once shown or declared stays. */
  ties: Readonly<Record<string, Tie>>;
}>;
export type Grant = Readonly<{ kind: LeaseKind; principalId: string; ended?: LeaseEnd }>;
export type Tie = Readonly<Pick<SharedLineage, 'relation' | 'proof'>>;
export type Participant = Readonly<{ holder: Holder; eventId: string; type: string }>;
export type Lease = Readonly<{ leaseId: string; fence: string; holder: Holder; expiresAt: string }>;

export type Report = Readonly<{
  reportDigest: string;
  fence: string;
  by: string;
  revision: string;
  changedPaths: readonly ChangedPath[];
}>;

type Queued = Readonly<{ status: 'queued' }>;
type Reported = Readonly<{ status: 'reported' | 'unverifiable'; report: Report }>;
type Verified = Readonly<{ status: 'verified'; report: Report; tree: string; by: string }>;
/** What a task is while nobody holds it and work can go on. */
export type Resting = Queued | Reported | Verified;
/** Held for implementation: `rest` is where it goes back to when that ends without a report. */
type Leased = Readonly<{ status: 'leased'; lease: Lease; rest: Resting }>;
type Blocked = Readonly<{ status: 'blocked'; lease: Lease; rest: Resting; question: string }>;
type Verifying = Readonly<{ status: 'verifying'; lease: Lease; rest: Reported }>;
export type Held = Leased | Blocked | Verifying;
type Closed = Readonly<{ status: 'exhausted' | 'cancelled' }>;
type Shipped = Readonly<{ status: 'shipped'; revision: string; by: string; at: string; receiptId?: string }>;

export type KnownTask = Readonly<{ facts: Facts }> & (Resting | Held | Closed | Shipped);
export type Task = Readonly<{ status: 'none' }> | KnownTask;
export type TaskStatus = KnownTask['status'];

export const isHeld = (task: KnownTask): task is KnownTask & Held => 'lease' in task;

export const evolve = (state: Task, event: Recorded<TaskEvent>): Task => {
  if (event.type === 'TaskQueued') {
    const { queue, work, scopeDigest, leaseMs } = event.data;
    const taskId = idOf(event.stream);
    const nothingYet = { fence: '0', expiries: 0, grants: {}, participants: [], recorded: [], ties: {} };
    return { status: 'queued', facts: { taskId, queue, work, scopeDigest, leaseMs, ...nothingYet } };
  }
  return state.status === 'none' ? state : next(state, event);
};

const next = (state: KnownTask, event: Recorded<Exclude<TaskEvent, { type: 'TaskQueued' }>>): KnownTask => {
  const { facts } = state;
  switch (event.type) {
    case 'LeaseGranted': {
      const { leaseId, fence, holder, expiresAt } = event.data;
      const rest: Resting = isResting(state) ? restOf(state) : { status: 'queued' };
      return {
        status: 'leased',
        lease: { leaseId, fence, holder, expiresAt },
        rest,
        facts: granted(joined(facts, holder, event), 'implementation', event.data),
      };
    }
    case 'VerificationGranted': {
      const { leaseId, fence, holder, expiresAt } = event.data;
      if (state.status !== 'reported' && state.status !== 'unverifiable') return state;
      const rest = { status: state.status, report: state.report };
      return { status: 'verifying', lease: { leaseId, fence, holder, expiresAt }, rest, facts: granted(facts, 'verification', event.data) };
    }
    case 'LeaseRenewed':
      return isHeld(state) ? { ...state, lease: { ...state.lease, expiresAt: event.data.expiresAt } } : state;
    case 'LeaseReleased':
      return rested(state, 'released');
    case 'LeaseRevoked':
      return rested(state, 'revoked');
    case 'VerificationExpired':
      return rested(state, 'expired');
    case 'LeaseExpired': {
      const after = rested(state, 'expired');
      return { ...after, facts: { ...after.facts, expiries: event.data.expiries } };
    }
    case 'StaleLeaseRejected':
      return { ...state, facts: { ...facts, recorded: [...facts.recorded, staleKey(event.data)] } };
    case 'VerificationRefused':
      return { ...state, facts: refused(facts, event.data) };
    case 'TaskBlocked':
      return state.status === 'leased' ? { ...state, status: 'blocked', question: event.data.question } : state;
    case 'TaskUnblocked':
      return state.status === 'blocked' ? { status: 'leased', lease: state.lease, rest: state.rest, facts } : state;
    case 'TaskExhausted':
      return { status: 'exhausted', facts };
    case 'TaskRequeued':
      return { status: 'queued', facts: { ...facts, expiries: 0 } };
    case 'TaskCancelled':
      return { status: 'cancelled', facts: ended(state, 'cancelled') };
    case 'WorkReported': {
      const { reportDigest, fence, by, revision, changedPaths } = event.data;
      const report = { reportDigest, fence, by: by.principalId, revision, changedPaths };
      return { status: 'reported', report, facts: joined(ended(state, 'reported'), by, event) };
    }
    case 'WorkVerified':
      return state.status === 'verifying'
        ? {
            status: 'verified',
            report: state.rest.report,
            tree: event.data.tree,
            by: event.data.by.principalId,
            facts: ended(state, 'judged'),
          }
        : state;
    case 'WorkUnverifiable':
      return state.status === 'verifying' ? { status: 'unverifiable', report: state.rest.report, facts: ended(state, 'judged') } : state;
    case 'WorkRejected':
      return { status: 'queued', facts: ended(state, 'judged') };
    case 'WorkShipped': {
      const { revision, by, at } = event.data;
      return { status: 'shipped', revision, by, at, facts };
    }
    case 'ReceiptIssued':
      return state.status === 'shipped' ? { ...state, receiptId: event.data.receiptId } : state;
    default:
      return state;
  }
};

export const staleKey = ({ fence, command }: Readonly<{ fence: string; command: string }>): string => `${fence} ${command}`;
export const refusedKey = ({ credentialId, reportDigest }: Readonly<{ credentialId: string; reportDigest: string }>): string =>
  `${credentialId} ${reportDigest}`;

const isResting = (state: KnownTask): state is KnownTask & Resting =>
  state.status === 'queued' || state.status === 'reported' || state.status === 'unverifiable' || state.status === 'verified';

const restOf = ({ facts: _, ...rest }: KnownTask & Resting): Resting => rest;

const rested = (state: KnownTask, how: LeaseEnd): KnownTask => (isHeld(state) ? { ...state.rest, facts: ended(state, how) } : state);

const granted = (facts: Facts, kind: LeaseKind, { fence, holder }: Readonly<{ fence: string; holder: Holder }>): Facts => ({
  ...facts,
  fence,
  grants: { ...facts.grants, [fence]: { kind, principalId: holder.principalId } },
});

const ended = (state: KnownTask, how: LeaseEnd): Facts => {
  const grant = isHeld(state) ? state.facts.grants[state.lease.fence] : undefined;
  return isHeld(state) && grant
    ? { ...state.facts, grants: { ...state.facts.grants, [state.lease.fence]: { ...grant, ended: how } } }
    : state.facts;
};

const refused = (facts: Facts, data: SharedLineage): Facts => {
  const { principalId, relation, proof } = data;
  return {
    ...facts,
    recorded: [...facts.recorded, refusedKey(data)],
    // A lineage that was missing may be known later; no other tie comes undone.
    ties: relation === 'missing_lineage' ? facts.ties : { ...facts.ties, [principalId]: { relation, proof } },
  };
};

const joined = (facts: Facts, holder: Holder, { id, type }: Recorded<TaskEvent>): Facts => ({
  ...facts,
  participants: [...facts.participants, { holder, eventId: id, type }],
});

/** Every status, for filters. */
export const taskStatuses: readonly TaskStatus[] = [
  'queued',
  'leased',
  'blocked',
  'reported',
  'verifying',
  'verified',
  'unverifiable',
  'exhausted',
  'cancelled',
  'shipped',
];
