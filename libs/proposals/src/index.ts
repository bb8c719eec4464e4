export { ConfirmationTimes } from './confirmation-times.js';
export { Cards } from './confirmations/cards.js';
export { cardFor, evolveCard, shown, type Card, type CardFold } from './confirmations/card.js';
export { MutationExecution } from './proposals/mutation-execution.js';
export { operations } from './operations/operations.js';
export { riskLevels } from './operations/operation.js';
export { actionDigestOf } from './operations/planning.js';
export { HandleProposal } from './proposal.handler.js';
export { proposalDecider, type ProposalCommand } from './proposal.decider.js';
export {
  evolve as evolveProposal,
  type ConfirmationApproved,
  type MutationCommitted,
  type MutationReceipt,
  type OperationName,
  type RiskClass,
  type Party,
  type Proposal,
  type ProposalEvent,
  type ProposalStatus,
  type ProposalSubmitted,
  type QueuedWork,
} from './proposal.js';
export { proposalEvents } from './proposal-events.js';
export { proposalDeadlines, proposalProjections, proposalReactors, ProposalsModule } from './proposals.module.js';
export { ConfirmationRow, ConfirmationsQuery } from './read-models/confirmations.js';
export { isInScope, MAX_SCOPE_BYTES, scopeDigest, scopeFaults, type WorkScope } from './work-scope.js';
