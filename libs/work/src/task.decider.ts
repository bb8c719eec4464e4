import { refuse, type Decider, type Decision, type Recorded, type Refusal } from '#libs/kernel';
import { lostLease } from './leases/fence.js';
import { claimTask, expireLease, releaseLease, renewLease, revokeLease, type LeaseCommand } from './leases/lease.js';
import { blockTask, cancelTask, queueTask, requeueTask, unblockTask, type QueueCommand } from './queue/queue.js';
import { reportWork, type ReportWork } from './reports/report.js';
import { issueReceipt, shipWork, type ShippingCommand } from './shipping/shipping.js';
import type { TaskEvent } from './task-events.js';
import { evolve, type Task } from './task.js';
import { notIndependent } from './verifications/independence.js';
import { recordVerdict, type RecordVerdict } from './verifications/verdict.js';
import { claimVerification, type ClaimVerification } from './verifications/verification.js';

export type TaskCommand = QueueCommand | LeaseCommand | ReportWork | ClaimVerification | RecordVerdict | ShippingCommand;

const decide = (command: TaskCommand, state: Task): Decision<TaskEvent> => {
  if (command.type === 'QueueTask') return queueTask(command, state);
  if (state.status === 'none') return refuse('not_found', 'task/not-found', 'There is no such task here. Check the id and the workspace.');
  switch (command.type) {
    case 'ClaimTask':
      return claimTask(command, state);
    case 'RenewLease':
      return renewLease(command, state);
    case 'ReleaseLease':
      return releaseLease(command, state);
    case 'ExpireLease':
      return expireLease(command, state);
    case 'RevokeLease':
      return revokeLease(command, state);
    case 'BlockTask':
      return blockTask(command, state);
    case 'UnblockTask':
      return unblockTask(command, state);
    case 'CancelTask':
      return cancelTask(command, state);
    case 'RequeueTask':
      return requeueTask(command, state);
    case 'ReportWork':
      return reportWork(command, state);
    case 'ClaimVerification':
      return claimVerification(command, state);
    case 'RecordVerdict':
      return recordVerdict(command, state);
    case 'ShipWork':
      return shipWork(command, state);
    case 'IssueReceipt':
      return issueReceipt(command, state);
  }
};

const refusalOf = (event: Recorded<TaskEvent>): Refusal | undefined => {
  if (event.type === 'StaleLeaseRejected') return lostLease(event.data);
  if (event.type === 'VerificationRefused') return notIndependent(event.data);
  return undefined;
};

/** One task from its queue to its receipt: one holder at a time, and no verdict from the holder's lineage. */
export const taskDecider: Decider<TaskCommand, Task, TaskEvent> = {
  category: 'task',
  initialState: { status: 'none' },
  decide,
  evolve,
  refusalOf,
};
