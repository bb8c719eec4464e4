import { eventTypes } from '#libs/kernel';
import type { ProposalEvent } from './proposal.js';

export const proposalEvents = eventTypes<ProposalEvent>({
  ProposalSubmitted: 1,
  ConfirmationApproved: 1,
  ConfirmationDeclined: 1,
  ConfirmationExpired: 1,
  ConfirmationInvalidated: 1,
  ProposalWithdrawn: 1,
  ProposalSuperseded: 1,
  MutationCommitted: 1,
  MutationFailed: 1,
});
