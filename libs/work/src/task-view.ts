import { idOf, type Recorded } from '#libs/kernel';
import type { WorkScope } from '#libs/proposals';
import type { Artifact, ChangedPath, EvidenceAtom, Finding, Holder, LeaseKind, TaskEvent } from './task-events.js';
import type { TaskStatus } from './task.js';

export type Named = Readonly<{ id: string; name: string }>;
export type ReportView = Readonly<{
  reportDigest: string;
  fence: string;
  by: Named;
  at: string;
  revision: string;
  artifacts: readonly Artifact[];
  changedPaths: readonly ChangedPath[];
  evidence: readonly EvidenceAtom[];
  summary: string;
}>;
export type VerdictView = Readonly<{
  verdict: 'verified' | 'rejected' | 'unverifiable';
  reportDigest: string;
  fence: string;
  by: Named;
  at: string;
  findings: readonly Finding[];
  evidence: readonly EvidenceAtom[];
  changedPaths: readonly ChangedPath[];
  tree: string;
  /** It is on an older report than the present one. */
  stale?: true;
}>;

/**
 * A task as its readers see it: a fold of its stream. Times are RFC 3339 UTC, fences decimal strings. A rejected task is queued again
 * and keeps report and verdict for whoever takes it up.
 */
export type TaskView = Readonly<{
  taskId: string;
  proposalId: string;
  auditId: string;
  title: string;
  queue: string;
  status: TaskStatus;
  /** Principals. */
  requester: string;
  decidedBy: string;
  agent: string;
  brief: string | Readonly<Record<string, unknown>>;
  work: WorkScope;
  scopeDigest: string;
  queuedAt: string;
  updatedAt: string;
  /** The fence granted last; '0' before the first. */
  fence: string;
  /** Leases that expired since it was queued or requeued; the third exhausts it. */
  attempts: number;
  /** The live lease. `restsAs`: what the task is again if it ends without a report or verdict. */
  holder?: Named;
  leaseId?: string;
  leaseKind?: LeaseKind;
  leaseExpiresAt?: string;
  restsAs?: TaskStatus;
  blockedQuestion?: string;
  answers: readonly Readonly<{ question: string; answer: string; by: string; at: string }>[];
  report?: ReportView;
  verdict?: VerdictView;
  shipment?: Readonly<{ revision: string; tree: string; url?: string; by: string; at: string }>;
  receiptId?: string;
}>;

export const evolveView = (view: TaskView | undefined, event: Recorded<TaskEvent>): TaskView | undefined => {
  if (event.type === 'TaskQueued') {
    const { proposalId, title, queue, brief, work, scopeDigest, requester, decidedBy, agent, at } = event.data;
    return {
      taskId: idOf(event.stream),
      proposalId,
      auditId: event.meta.auditId,
      title,
      queue,
      status: 'queued',
      requester,
      decidedBy,
      agent,
      brief,
      work,
      scopeDigest,
      queuedAt: at,
      updatedAt: at,
      fence: '0',
      attempts: 0,
      answers: [],
    };
  }
  return view && { ...next(view, event), updatedAt: event.data.at };
};

const next = (view: TaskView, event: Recorded<Exclude<TaskEvent, { type: 'TaskQueued' }>>): TaskView => {
  switch (event.type) {
    case 'LeaseGranted':
      return held(view, 'leased', 'implementation', event.data);
    case 'VerificationGranted':
      return held(view, 'verifying', 'verification', event.data);
    case 'LeaseRenewed':
      return { ...view, leaseExpiresAt: event.data.expiresAt };
    case 'LeaseReleased':
    case 'LeaseRevoked':
    case 'VerificationExpired':
      return free(view, view.restsAs ?? 'queued');
    case 'LeaseExpired':
      return { ...free(view, view.restsAs ?? 'queued'), attempts: event.data.expiries };
    case 'TaskBlocked':
      return { ...view, status: 'blocked', blockedQuestion: event.data.question };
    case 'TaskUnblocked': {
      const { blockedQuestion: question = '', ...rest } = view;
      const { answer, by, at } = event.data;
      return { ...rest, status: 'leased', answers: [...view.answers, { question, answer, by, at }] };
    }
    case 'TaskExhausted':
      return free(view, 'exhausted');
    case 'TaskRequeued':
      return { ...free(view, 'queued'), attempts: 0 };
    case 'TaskCancelled':
      return free(view, 'cancelled');
    case 'WorkReported': {
      const { reportDigest, fence, by, at, revision, artifacts, changedPaths, evidence, summary } = event.data;
      const report = { reportDigest, fence, by: named(by), at, revision, artifacts, changedPaths, evidence, summary };
      return { ...free(view, 'reported'), report, ...(view.verdict && { verdict: { ...view.verdict, stale: true as const } }) };
    }
    case 'WorkVerified':
      return { ...free(view, 'verified'), verdict: verdictOf('verified', event.data) };
    case 'WorkRejected':
      return { ...free(view, 'queued'), verdict: verdictOf('rejected', event.data) };
    case 'WorkUnverifiable':
      return { ...free(view, 'unverifiable'), verdict: verdictOf('unverifiable', event.data) };
    case 'WorkShipped': {
      const { revision, tree, url, by, at } = event.data;
      return { ...view, status: 'shipped', shipment: { revision, tree, ...(url && { url }), by, at } };
    }
    case 'ReceiptIssued':
      return { ...view, receiptId: event.data.receiptId };
    default:
      return view;
  }
};

const named = ({ principalId, name }: Holder): Named => ({ id: principalId, name });

const held = (
  view: TaskView,
  status: 'leased' | 'verifying',
  leaseKind: LeaseKind,
  { leaseId, fence, holder, expiresAt }: Readonly<{ leaseId: string; fence: string; holder: Holder; expiresAt: string }>,
): TaskView => ({ ...view, status, restsAs: view.status, fence, holder: named(holder), leaseId, leaseKind, leaseExpiresAt: expiresAt });

/** Owner, lease and status change together, so that nothing looks held that isn't. */
const free = (view: TaskView, status: TaskStatus): TaskView => {
  const { holder: _h, leaseId: _l, leaseKind: _k, leaseExpiresAt: _e, restsAs: _r, blockedQuestion: _q, ...rest } = view;
  return { ...rest, status };
};

const verdictOf = (
  verdict: VerdictView['verdict'],
  { reportDigest, fence, by, at, findings, evidence, changedPaths, tree }: Extract<TaskEvent, { type: 'WorkVerified' }>['data'],
): VerdictView => ({ verdict, reportDigest, fence, by: named(by), at, findings, evidence, changedPaths, tree });

/** The line that lists and the live feed show of a task. */
export type TaskLine = Pick<
  TaskView,
  | 'taskId'
  | 'title'
  | 'queue'
  | 'status'
  | 'holder'
  | 'leaseExpiresAt'
  | 'fence'
  | 'attempts'
  | 'queuedAt'
  | 'updatedAt'
  | 'blockedQuestion'
  | 'receiptId'
  | 'auditId'
  | 'proposalId'
  | 'scopeDigest'
  | 'requester'
> &
  Readonly<{
    /** What a verifier said last, also of an older report: a task that is queued again was rejected, or never judged. */
    lastVerdict?: VerdictView['verdict'];
  }>;
export const lineOf = ({
  taskId,
  title,
  queue,
  status,
  holder,
  leaseExpiresAt,
  fence,
  attempts,
  queuedAt,
  updatedAt,
  blockedQuestion,
  receiptId,
  auditId,
  proposalId,
  scopeDigest,
  requester,
  verdict,
}: TaskView): TaskLine => ({
  taskId,
  title,
  queue,
  status,
  ...(holder && { holder }),
  ...(leaseExpiresAt && { leaseExpiresAt }),
  fence,
  attempts,
  queuedAt,
  updatedAt,
  ...(blockedQuestion !== undefined && { blockedQuestion }),
  ...(receiptId && { receiptId }),
  auditId,
  proposalId,
  scopeDigest,
  requester,
  ...(verdict && { lastVerdict: verdict.verdict }),
});
