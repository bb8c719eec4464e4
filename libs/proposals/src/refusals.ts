import { refusal, type Recorded, type Refusal } from '#libs/kernel';
import type { Proposal, ProposalEvent } from './proposal.js';

/** How a proposal that is no longer pending answers one who would still decide it. */
export const closed = (state: Exclude<Proposal, { status: 'pending' }>): Refusal => {
  switch (state.status) {
    case 'none':
      return notFound();
    case 'approved':
    case 'committed':
    case 'failed':
      return refusal('conflict', 'confirmation/decided', `${state.by.name} approved this at ${state.at}.`, {
        by: state.by,
        at: state.at,
        decision: 'approved',
        status: state.status,
      });
    case 'declined':
      return refusal('conflict', 'confirmation/decided', `${state.by.name} declined this at ${state.at}.`, {
        by: state.by,
        at: state.at,
        decision: 'declined',
        reason: state.reason,
      });
    case 'expired':
      return expired(state.approvalExpiresAt);
    case 'invalidated':
      return refusal('conflict', 'confirmation/stale', `${state.detail} Propose it again with POST …/repropose.`, {
        at: state.at,
        code: state.code,
      });
    case 'withdrawn':
      return refusal('conflict', 'confirmation/closed', `${state.by.name} withdrew this at ${state.at}.`, { by: state.by, at: state.at });
    case 'superseded':
      return refusal('conflict', 'confirmation/closed', `A newer proposal stands in its place: ${state.supersededBy}.`, {
        supersededBy: state.supersededBy,
      });
    default:
      return state satisfies never;
  }
};

export const notFound = (): Refusal =>
  refusal('not_found', 'proposal/not-found', 'There is no such proposal here. Check the id and the workspace.');

export const expired = (approvalExpiresAt: string): Refusal =>
  refusal(
    'gone',
    'confirmation/expired',
    `Time to decide ended at ${approvalExpiresAt} and nothing was done. Propose it again with POST …/repropose.`,
    { approvalExpiresAt },
  );

export const stale = (detail: string, moved: readonly unknown[]): Refusal =>
  refusal('conflict', 'confirmation/stale', `${detail} Nothing was done. Propose it again with POST …/repropose.`, { moved });

/** A decision that came too late, or on a stale card, is a fact and a refusal; a retry of it is refused the same way. */
export const refusalOf = (event: Recorded<ProposalEvent>): Refusal | undefined => {
  if (event.meta.actor.kind === 'service') return undefined;
  if (event.type === 'ConfirmationExpired') return expired(event.data.approvalExpiresAt);
  if (event.type === 'ConfirmationInvalidated') return stale(event.data.detail, event.data.moved);
  return undefined;
};
