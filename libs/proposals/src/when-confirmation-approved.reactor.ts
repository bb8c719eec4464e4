import type { Recorded } from '#libs/kernel';
import type { Reactor } from '#libs/projections';
import type { ConfirmationApproved } from './proposal.js';
import type { MutationExecution } from './proposals/mutation-execution.js';

/** An approval is carried out: the records change, then the proposal says where. */
export const whenConfirmationApproved = (execution: MutationExecution): Reactor => ({
  name: 'when-confirmation-approved',
  types: ['ConfirmationApproved'],
  react: (event) => execution.execute(event as Recorded<ConfirmationApproved>),
});
