import { accept, digestOf, refuse, type Command, type Decision } from '#libs/kernel';
import { shown } from '../confirmations/card.js';
import type { Proposal, ProposalEvent, ProposalSubmitted } from '../proposal.js';
import { closed, notFound } from '../refusals.js';

/** Its meta names the audit id, which is shown as well. `plan` is what the operation would do, read and validated before; `decideMs` is how long a person has. */
export type SubmitProposal = Command<
  'SubmitProposal',
  Readonly<{ plan: Omit<ProposalSubmitted['data'], 'submittedAt' | 'approvalExpiresAt' | 'presentedDigest'>; decideMs: number }>
>;
export type WithdrawProposal = Command<'WithdrawProposal', Readonly<{ reason: string }>>;
/** `by` is the proposal that stands in its place. */
export type SupersedeProposal = Command<'SupersedeProposal', Readonly<{ by: string }>>;

export const submit = ({ data, meta }: SubmitProposal, state: Proposal): Decision<ProposalEvent> => {
  if (state.status !== 'none') return refuse('conflict', 'proposal/exists', 'This proposal was submitted already.');
  const approvalExpiresAt = new Date(Date.parse(meta.at) + data.decideMs).toISOString();
  const asked = { ...data.plan, submittedAt: meta.at, approvalExpiresAt };
  return accept({ type: 'ProposalSubmitted', data: { ...asked, presentedDigest: digestOf(shown(asked, meta.auditId!)) } });
};

export const withdraw = ({ data, meta }: WithdrawProposal, state: Proposal): Decision<ProposalEvent> => {
  if (state.status !== 'pending') return { events: [], refusal: closed(state) };
  if (![state.agent, state.requester].includes(meta.actor.id))
    return refuse('forbidden', 'proposal/not-yours', 'Only the agent that submitted it or the person who asked may withdraw it.');
  return accept({
    type: 'ProposalWithdrawn',
    data: { by: { id: meta.actor.id, name: meta.actor.name }, at: meta.at, reason: data.reason },
  });
};

export const supersede = ({ data, meta }: SupersedeProposal, state: Proposal): Decision<ProposalEvent> => {
  switch (state.status) {
    case 'none':
      return { events: [], refusal: notFound() };
    case 'pending':
    case 'expired':
    case 'invalidated':
    case 'failed':
      return accept({ type: 'ProposalSuperseded', data: { at: meta.at, by: data.by } });
    default:
      return { events: [], refusal: closed(state) };
  }
};
