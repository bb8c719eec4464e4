import { accept, record, refuse, type Command, type Decision, type Principal } from '#libs/kernel';
import type { Moved, Proposal, ProposalEvent } from '../proposal.js';
import { closed, expired, stale } from '../refusals.js';

/**
 * `token` is what the approver's card carried, its signature already checked; `moved` are the records that are no longer
 * as shown, read just before. `releaseMs` is how long an approval may be carried out.
 */
export type ApproveConfirmation = Command<
  'ApproveConfirmation',
  Readonly<{
    token: Readonly<{ actionDigest: string; presentedDigest: string; nonce: string; expiresAt: string }>;
    moved: readonly Moved[];
    releaseMs: number;
  }>
>;
export type DeclineConfirmation = Command<'DeclineConfirmation', Readonly<{ reason: string }>>;
export type ExpireConfirmation = Command<'ExpireConfirmation', Readonly<Record<string, never>>>;

export const approve = ({ data, meta }: ApproveConfirmation, state: Proposal): Decision<ProposalEvent> => {
  const { actor, at } = meta;
  if ('tokenNonce' in state && state.tokenNonce === data.token.nonce)
    return refuse('conflict', 'confirmation/token-used', `This token decided already, at ${state.at}.`, { by: state.by, at: state.at });
  if (state.status !== 'pending') return { events: [], refusal: closed(state) };
  const no = mayNotDecide(actor, state);
  if (no) return no;
  if (at >= state.approvalExpiresAt) return late(at, state);
  if (at >= data.token.expiresAt)
    return refuse(
      'conflict',
      'confirmation/token-expired',
      'This card was shown more than 5 minutes ago. Read it again for a fresh token.',
    );
  if (data.token.actionDigest !== state.actionDigest || data.token.presentedDigest !== state.presentedDigest)
    return refuse('conflict', 'confirmation/changed', 'The card is not the one that this token was shown with. Read it again.');
  if (data.moved.length > 0) return moved(at, data.moved);
  return accept({
    type: 'ConfirmationApproved',
    data: {
      by: { id: actor.id, name: actor.name },
      at,
      actionDigest: state.actionDigest,
      presentedDigest: state.presentedDigest,
      tokenNonce: data.token.nonce,
      releaseBy: new Date(Date.parse(at) + data.releaseMs).toISOString(),
    },
  });
};

export const decline = ({ data, meta }: DeclineConfirmation, state: Proposal): Decision<ProposalEvent> => {
  const { actor, at } = meta;
  if (state.status !== 'pending') return { events: [], refusal: closed(state) };
  const no = mayNotDecide(actor, state);
  if (no) return no;
  if (at >= state.approvalExpiresAt) return late(at, state);
  return accept({ type: 'ConfirmationDeclined', data: { by: { id: actor.id, name: actor.name }, at, reason: data.reason } });
};

export const expire = ({ meta }: ExpireConfirmation, state: Proposal): Decision<ProposalEvent> => {
  if (state.status !== 'pending') return { events: [], refusal: closed(state) };
  if (meta.at < state.approvalExpiresAt)
    return refuse('conflict', 'confirmation/not-due', `It may be decided until ${state.approvalExpiresAt}.`);
  return accept({ type: 'ConfirmationExpired', data: { at: meta.at, approvalExpiresAt: state.approvalExpiresAt } });
};

type Pending = Extract<Proposal, { status: 'pending' }>;

/** Only a person decides; under four eyes not the one who asked, nor the one who put it forward again. */
export const mayNotDecide = (actor: Principal, state: Pick<Pending, 'mode' | 'requester' | 'submittedBy'>): Decision<never> | undefined => {
  if (actor.kind !== 'human') return refuse('forbidden', 'confirmation/human-only', 'Only a person decides a confirmation.');
  if (state.mode === 'four_eyes' && [state.requester, state.submittedBy].includes(actor.id))
    return refuse('forbidden', 'confirmation/own', 'Another person than the one who asked, or who proposed it again, must decide this.');
  return undefined;
};

const late = (at: string, { approvalExpiresAt }: Pending): Decision<ProposalEvent> =>
  record([{ type: 'ConfirmationExpired', data: { at, approvalExpiresAt } }], expired(approvalExpiresAt));

const moved = (at: string, records: readonly Moved[]): Decision<ProposalEvent> => {
  const detail = `${records.map(({ title }) => `"${title}"`).join(', ')} changed since this was proposed.`;
  return record([{ type: 'ConfirmationInvalidated', data: { at, code: 'record/stale', detail, moved: records } }], stale(detail, records));
};
