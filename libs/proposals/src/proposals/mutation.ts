import { accept, refuse, type Command, type Decision } from '#libs/kernel';
import type { MutationCommitted, MutationReceipt, Proposal, ProposalEvent } from '../proposal.js';
import { closed } from '../refusals.js';

/** Sent by the product itself once the records' streams hold the change. */
export type CommitMutation = Command<
  'CommitMutation',
  Omit<MutationCommitted['data'], 'at' | 'actionDigest' | 'presentedDigest' | 'decidedBy'>
>;
/** Sent by the product itself where a check at execution refused, or a record did. */
export type FailMutation = Command<'FailMutation', Readonly<{ code: string; detail: string; applied: readonly MutationReceipt[] }>>;

export const commit = ({ data, meta }: CommitMutation, state: Proposal): Decision<ProposalEvent> =>
  state.status === 'approved'
    ? accept({
        type: 'MutationCommitted',
        data: { ...data, at: meta.at, actionDigest: state.actionDigest, presentedDigest: state.presentedDigest, decidedBy: state.by },
      })
    : notApproved(state);

export const fail = ({ data, meta }: FailMutation, state: Proposal): Decision<ProposalEvent> =>
  state.status === 'approved' ? accept({ type: 'MutationFailed', data: { ...data, at: meta.at } }) : notApproved(state);

const notApproved = (state: Exclude<Proposal, { status: 'approved' }>): Decision<ProposalEvent> =>
  state.status === 'pending'
    ? refuse('conflict', 'confirmation/pending', 'Nobody has approved this.')
    : { events: [], refusal: closed(state) };
