import type { Decider, Decision } from '#libs/kernel';
import {
  approve,
  decline,
  expire,
  type ApproveConfirmation,
  type DeclineConfirmation,
  type ExpireConfirmation,
} from './confirmations/decision.js';
import { evolve, type Proposal, type ProposalEvent } from './proposal.js';
import { commit, fail, type CommitMutation, type FailMutation } from './proposals/mutation.js';
import { submit, supersede, withdraw, type SubmitProposal, type SupersedeProposal, type WithdrawProposal } from './proposals/submission.js';
import { refusalOf } from './refusals.js';

export type ProposalCommand =
  | SubmitProposal
  | WithdrawProposal
  | SupersedeProposal
  | ApproveConfirmation
  | DeclineConfirmation
  | ExpireConfirmation
  | CommitMutation
  | FailMutation;

export const decide = (command: ProposalCommand, state: Proposal): Decision<ProposalEvent> => {
  switch (command.type) {
    case 'SubmitProposal':
      return submit(command, state);
    case 'WithdrawProposal':
      return withdraw(command, state);
    case 'SupersedeProposal':
      return supersede(command, state);
    case 'ApproveConfirmation':
      return approve(command, state);
    case 'DeclineConfirmation':
      return decline(command, state);
    case 'ExpireConfirmation':
      return expire(command, state);
    case 'CommitMutation':
      return commit(command, state);
    case 'FailMutation':
      return fail(command, state);
    default:
      return command satisfies never;
  }
};

export const proposalDecider: Decider<ProposalCommand, Proposal, ProposalEvent> = {
  category: 'proposal',
  initialState: { status: 'none' },
  decide,
  evolve,
  refusalOf,
};
