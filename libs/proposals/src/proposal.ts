import type { Event, Recorded } from '#libs/kernel';
import type { WorkScope } from './work-scope.js';

/** What an assistant can propose; the table of operations has a row for each. */
export type OperationName =
  | 'record.create'
  | 'record.change'
  | 'thread.reply'
  | 'brief.dispatch'
  | 'work.dispatch'
  | 'studio.generate'
  | 'record.archive'
  | 'records.archiveMany';
/** Seed 000's classes; the table of operations gives each its level. */
export type RiskClass = 'read' | 'write' | 'unknown' | 'financial' | 'destructive' | 'bulk';
export type Mode = 'supervised' | 'four_eyes';
/** Someone by id, with the name that was shown. */
export type Party = Readonly<{ id: string; name: string }>;
/** A record as it stood at submission. `revision` is a decimal string, `digest` that of its fields. */
export type Image = Readonly<{
  kind: string;
  id: string;
  title: string;
  revision: string;
  digest: string;
  fields: Readonly<Record<string, unknown>>;
}>;
export type FieldChange = Readonly<{ record?: string; field: string; label: string; before: unknown; after: unknown }>;
/** What a committed mutation queues for executors: the queue's name, what a person reads, and the scope. */
export type QueuedWork = Readonly<{ queue: string; title: string; brief: string; scope: WorkScope; scopeDigest: string }>;

// Events: these shapes are stored forever. Times are RFC 3339 UTC.
/** An assistant's typed intent, with all that a person is shown of it: before-image and diff are taken from the records' streams now. */
export type ProposalSubmitted = Event<
  'ProposalSubmitted',
  Readonly<{
    operation: OperationName;
    arguments: Readonly<Record<string, unknown>>;
    summary: string;
    /** Records that the operation changes, the main one first; empty where it creates one. */
    targets: readonly Image[];
    /** Records that its arguments name without changing them; bound by digest like the targets. */
    references: readonly Image[];
    changes: readonly FieldChange[];
    reason: string;
    agent: Party;
    agentCredentialId: string;
    requester: Party;
    requesterCredentialId: string;
    tenant: Party;
    workspace: Party;
    risk: Readonly<{ class: RiskClass; level: number; why: string }>;
    mode: Mode;
    reversible: boolean;
    warnings: readonly string[];
    outcomes: Readonly<{ approve: string; decline: string }>;
    work?: QueuedWork;
    /** SHA-256 over RFC 8785 JSON of what would be done; the decision binds to it. */
    actionDigest: string;
    /** SHA-256 over what a person is shown of this, except text that changes with the clock. */
    presentedDigest: string;
    submittedAt: string;
    approvalExpiresAt: string;
    supersedes?: string;
  }>
>;
/** A person said yes to exactly this card. Until `releaseBy` it may be carried out. */
export type ConfirmationApproved = Event<
  'ConfirmationApproved',
  Readonly<{ by: Party; at: string; actionDigest: string; presentedDigest: string; tokenNonce: string; releaseBy: string }>
>;
/** A person said no, and why; the reason reaches the agent. */
export type ConfirmationDeclined = Event<'ConfirmationDeclined', Readonly<{ by: Party; at: string; reason: string }>>;
/** Nobody decided in time: an outcome of its own, never a decline. */
export type ConfirmationExpired = Event<'ConfirmationExpired', Readonly<{ at: string; approvalExpiresAt: string }>>;
/** What the card showed is no longer so; it can be proposed again. */
export type ConfirmationInvalidated = Event<
  'ConfirmationInvalidated',
  Readonly<{ at: string; code: string; detail: string; moved: readonly Moved[] }>
>;
/** The agent or its requester took it back while it was pending. */
export type ProposalWithdrawn = Event<'ProposalWithdrawn', Readonly<{ by: Party; at: string; reason: string }>>;
/** A newer proposal of the same intent stands in its place. */
export type ProposalSuperseded = Event<'ProposalSuperseded', Readonly<{ at: string; by: string }>>;
/** The approved change is in the records' streams: the receipt that makes it done. Carries all that queued work starts from. */
export type MutationCommitted = Event<
  'MutationCommitted',
  Readonly<{
    at: string;
    operation: OperationName;
    receipts: readonly MutationReceipt[];
    work?: QueuedWork;
    actionDigest: string;
    presentedDigest: string;
    decidedBy: Party;
    requester: Party;
    agent: Party;
  }>
>;
/** It was approved and did not happen: `code` says why, `applied` what of it happened before (bulk only). */
export type MutationFailed = Event<
  'MutationFailed',
  Readonly<{ at: string; code: string; detail: string; applied: readonly MutationReceipt[] }>
>;

/** Where a change was written: decimal strings. */
export type MutationReceipt = Readonly<{ stream: string; revision: string; position: string }>;
export type Moved = Readonly<{ id: string; title: string; shownRevision: string; presentRevision: string }>;

export type ProposalEvent =
  | ProposalSubmitted
  | ConfirmationApproved
  | ConfirmationDeclined
  | ConfirmationExpired
  | ConfirmationInvalidated
  | ProposalWithdrawn
  | ProposalSuperseded
  | MutationCommitted
  | MutationFailed;

/** Of a submission only what decisions need. */
type Asked = Readonly<{
  requester: string;
  submittedBy: string;
  agent: string;
  mode: Mode;
  actionDigest: string;
  presentedDigest: string;
  approvalExpiresAt: string;
}>;
type Decided = Readonly<{ by: Party; at: string; tokenNonce: string; releaseBy: string }>;

export type Proposal =
  | Readonly<{ status: 'none' }>
  | (Asked & Readonly<{ status: 'pending' }>)
  | (Asked & Decided & Readonly<{ status: 'approved' | 'committed' }>)
  | (Asked & Decided & Readonly<{ status: 'failed'; code: string; detail: string }>)
  | (Asked & Readonly<{ status: 'declined' | 'withdrawn'; by: Party; at: string; reason: string }>)
  | (Asked & Readonly<{ status: 'expired'; at: string }>)
  | (Asked & Readonly<{ status: 'invalidated'; at: string; code: string; detail: string }>)
  | (Asked & Readonly<{ status: 'superseded'; at: string; supersededBy: string }>);

export type ProposalStatus = Exclude<Proposal['status'], 'none'>;
export const proposalStatuses = [
  'pending',
  'approved',
  'declined',
  'expired',
  'invalidated',
  'withdrawn',
  'superseded',
  'committed',
  'failed',
] as const satisfies readonly ProposalStatus[];

export const evolve = (state: Proposal, event: Recorded<ProposalEvent>): Proposal => {
  switch (event.type) {
    case 'ProposalSubmitted': {
      const { requester, agent, mode, actionDigest, presentedDigest, approvalExpiresAt } = event.data;
      return {
        status: 'pending',
        requester: requester.id,
        submittedBy: event.meta.actor.id,
        agent: agent.id,
        mode,
        actionDigest,
        presentedDigest,
        approvalExpiresAt,
      };
    }
    case 'ConfirmationApproved': {
      const { by, at, tokenNonce, releaseBy } = event.data;
      return state.status === 'pending' ? { ...state, status: 'approved', by, at, tokenNonce, releaseBy } : state;
    }
    case 'ConfirmationDeclined':
      return state.status === 'pending' ? { ...state, ...event.data, status: 'declined' } : state;
    case 'ProposalWithdrawn':
      return state.status === 'pending' ? { ...state, ...event.data, status: 'withdrawn' } : state;
    case 'ConfirmationExpired':
      return state.status === 'pending' ? { ...state, status: 'expired', at: event.data.at } : state;
    case 'ConfirmationInvalidated':
      return state.status === 'pending'
        ? { ...state, status: 'invalidated', at: event.data.at, code: event.data.code, detail: event.data.detail }
        : state;
    case 'ProposalSuperseded':
      return state.status === 'none' ? state : { ...asked(state), status: 'superseded', at: event.data.at, supersededBy: event.data.by };
    case 'MutationCommitted':
      return state.status === 'approved' ? { ...state, status: 'committed' } : state;
    case 'MutationFailed':
      return state.status === 'approved' ? { ...state, status: 'failed', code: event.data.code, detail: event.data.detail } : state;
    default:
      return state;
  }
};

const asked = ({
  requester,
  submittedBy,
  agent,
  mode,
  actionDigest,
  presentedDigest,
  approvalExpiresAt,
}: Exclude<Proposal, { status: 'none' }>): Asked => ({
  requester,
  submittedBy,
  agent,
  mode,
  actionDigest,
  presentedDigest,
  approvalExpiresAt,
});
