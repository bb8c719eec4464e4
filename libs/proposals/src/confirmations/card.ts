import type { Principal, Recorded } from '#libs/kernel';
import { idOf } from '#libs/kernel';
import type { Image, Moved, MutationReceipt, Party, ProposalEvent, ProposalStatus, ProposalSubmitted } from '../proposal.js';
import { mayNotDecide } from './decision.js';

type Submitted = Omit<ProposalSubmitted['data'], 'presentedDigest'>;
type ShownRecord = Pick<Image, 'kind' | 'id' | 'title' | 'revision'>;

/** All that a person is shown of a proposal and that does not change while it is pending; `presentedDigest` is the digest of this. */
export const shown = (data: Submitted, auditId: string) => ({
  operation: {
    name: data.operation,
    summary: data.summary,
    riskClass: data.risk.class,
    reversible: data.reversible,
    queuesWork: data.work !== undefined,
  },
  arguments: data.arguments,
  target: data.targets[0] ? shownRecord(data.targets[0]) : null,
  targets: data.targets.map(shownRecord),
  references: data.references.map(shownRecord),
  changes: data.changes,
  reason: data.reason,
  agent: data.agent,
  requester: data.requester,
  tenant: data.tenant,
  workspace: data.workspace,
  risk: data.risk,
  mode: data.mode,
  warnings: data.warnings,
  outcomes: data.outcomes,
  ...(data.work && { work: { queue: data.work.queue, ...data.work.scope, scopeDigest: data.work.scopeDigest } }),
  actionDigest: data.actionDigest,
  submittedAt: data.submittedAt,
  approvalExpiresAt: data.approvalExpiresAt,
  ...(data.supersedes && { supersedes: data.supersedes }),
  auditId,
});

/** A confirmation as a person sees it: a fold of its proposal, without what depends on who looks and when. */
export type CardFold = ReturnType<typeof shown> &
  Readonly<{
    confirmationId: string;
    presentedDigest: string;
    /** Who put it forward: the agent, or the person who proposed it again. Under four eyes neither they nor the requester decide. */
    submittedBy: string;
    /** The command that submitted it: the same `Idempotency-Key` gives the same one, and no second card. */
    idempotency: Readonly<{ commandId: string }>;
    status: ProposalStatus;
    decision?: Readonly<{ by?: Party; at: string; outcome: 'approved' | 'declined' | 'expired'; reason?: string; releaseBy?: string }>;
    failure?: Readonly<{ code: string; detail: string; applied: readonly MutationReceipt[] }>;
    receipts?: readonly MutationReceipt[];
    supersededBy?: string;
  }>;

export const evolveCard = (card: CardFold | undefined, event: Recorded<ProposalEvent>): CardFold | undefined => {
  if (event.type === 'ProposalSubmitted')
    return {
      ...shown(event.data, event.meta.auditId),
      confirmationId: idOf(event.stream),
      presentedDigest: event.data.presentedDigest,
      submittedBy: event.meta.actor.id,
      idempotency: { commandId: event.meta.commandId },
      status: 'pending',
    };
  if (!card) return undefined;
  switch (event.type) {
    case 'ConfirmationApproved':
      return {
        ...card,
        status: 'approved',
        decision: { by: event.data.by, at: event.data.at, outcome: 'approved', releaseBy: event.data.releaseBy },
      };
    case 'ConfirmationDeclined':
      return {
        ...card,
        status: 'declined',
        decision: { by: event.data.by, at: event.data.at, outcome: 'declined', reason: event.data.reason },
      };
    case 'ConfirmationExpired':
      return { ...card, status: 'expired', decision: { at: event.data.at, outcome: 'expired' } };
    case 'ConfirmationInvalidated':
      return { ...card, status: 'invalidated', failure: { code: event.data.code, detail: event.data.detail, applied: [] } };
    case 'ProposalWithdrawn':
      return { ...card, status: 'withdrawn' };
    case 'ProposalSuperseded':
      return { ...card, status: 'superseded', supersededBy: event.data.by };
    case 'MutationCommitted':
      return { ...card, status: 'committed', receipts: event.data.receipts };
    case 'MutationFailed':
      return { ...card, status: 'failed', failure: { code: event.data.code, detail: event.data.detail, applied: event.data.applied } };
    default:
      return card;
  }
};

export type CardAction = 'approve' | 'decline' | 'repropose' | 'withdraw';
export type Card = CardFold &
  Readonly<{ conflict: Readonly<{ stale: boolean; detail?: string; moved: readonly Moved[] }>; actions: readonly CardAction[] }>;

/** The card as this viewer sees it now: `presentRevisions` are those of its records, `at` the store's time. */
export const cardFor = (viewer: Principal, card: CardFold, presentRevisions: ReadonlyMap<string, string>, at: string): Card => {
  const moved = movedRecords([...card.targets, ...card.references], presentRevisions);
  const stale = card.status === 'pending' && moved.length > 0;
  const detail = stale
    ? `${moved.map(({ title }) => `"${title}"`).join(', ')} changed since this was proposed. Propose it again to decide on the present state.`
    : undefined;
  return {
    ...card,
    conflict: { stale, ...(detail && { detail }), moved: stale ? moved : [] },
    actions: actionsOf(viewer, card, stale, at),
  };
};

export const movedRecords = (images: readonly ShownRecord[], presentRevisions: ReadonlyMap<string, string>): Moved[] =>
  images.flatMap(({ id, title, revision }) => {
    const presentRevision = presentRevisions.get(id);
    return presentRevision === undefined || presentRevision === revision ? [] : [{ id, title, shownRevision: revision, presentRevision }];
  });

const actionsOf = (viewer: Principal, card: CardFold, stale: boolean, at: string): CardAction[] => {
  const approver = viewer.roles.includes('approver');
  const own = viewer.id === card.requester.id || viewer.id === card.agent.id;
  const pending = card.status === 'pending' && at < card.approvalExpiresAt;
  const mayDecide =
    approver && pending && !mayNotDecide(viewer, { mode: card.mode, requester: card.requester.id, submittedBy: card.submittedBy });
  const reproposable = stale || (card.status === 'pending' && !pending) || ['expired', 'invalidated', 'failed'].includes(card.status);
  return [
    ...(mayDecide && !stale ? (['approve'] as const) : []),
    ...(mayDecide ? (['decline'] as const) : []),
    ...(reproposable && viewer.kind === 'human' && (approver || own) ? (['repropose'] as const) : []),
    ...(own && card.status === 'pending' ? (['withdraw'] as const) : []),
  ];
};

const shownRecord = ({ kind, id, title, revision }: Image): ShownRecord => ({ kind, id, title, revision });
