import { accept, refuse, type Command, type Decision } from '#libs/kernel';
import { underFence } from '../leases/fence.js';
import { isHeld, type KnownTask, type Task } from '../task.js';
import type { TaskEvent, TaskQueued } from '../task-events.js';

/** The product's own, when an approved proposal with work was committed. */
export type QueueTask = Command<'QueueTask', Omit<TaskQueued['data'], 'at'>>;
export type BlockTask = Command<'BlockTask', Readonly<{ fence: string; question: string }>>;
/** `fence`: the lease whose question is answered; another one's question stays open. */
export type UnblockTask = Command<'UnblockTask', Readonly<{ answer: string; fence?: string }>>;
export type CancelTask = Command<'CancelTask', Readonly<{ reason: string }>>;
export type RequeueTask = Command<'RequeueTask', Readonly<{ reason: string }>>;
export type QueueCommand = QueueTask | BlockTask | UnblockTask | CancelTask | RequeueTask;

export const queueTask = ({ data, meta }: QueueTask, state: Task): Decision<TaskEvent> =>
  state.status === 'none'
    ? accept({ type: 'TaskQueued', data: { ...data, at: meta.at } })
    : refuse('conflict', 'task/queued', 'This work is queued already.', { status: state.status });

export const blockTask = (command: BlockTask, state: KnownTask): Decision<TaskEvent> =>
  underFence(command, state, 'implementation', (held) =>
    held.status === 'blocked'
      ? refuse('conflict', 'task/blocked', 'This task waits for an answer already.', { question: held.question })
      : accept({ type: 'TaskBlocked', data: { fence: held.lease.fence, question: command.data.question, at: command.meta.at } }),
  );

/** By an operator, or by the holder that asked. */
export const unblockTask = ({ data, meta }: UnblockTask, state: KnownTask): Decision<TaskEvent> => {
  if (state.status !== 'blocked' || (data.fence !== undefined && data.fence !== state.lease.fence))
    return refuse('conflict', 'task/not-blocked', `No question of this task is open (any more); it is ${state.status}.`, {
      status: state.status,
    });
  const { fence, holder } = state.lease;
  if (!meta.actor.roles.includes('operator') && holder.principalId !== meta.actor.id)
    return refuse('forbidden', 'lease/not-holder', `Only an operator, or ${holder.name} who asked, may answer.`);
  return accept({ type: 'TaskUnblocked', data: { fence, answer: data.answer, by: meta.actor.id, at: meta.at } });
};

export const cancelTask = ({ data, meta }: CancelTask, state: KnownTask): Decision<TaskEvent> => {
  if (state.status === 'shipped' || state.status === 'cancelled')
    return refuse('conflict', 'task/closed', `This task is ${state.status}.`, { status: state.status });
  const live = isHeld(state) ? { leaseId: state.lease.leaseId, fence: state.lease.fence } : {};
  return accept({ type: 'TaskCancelled', data: { by: meta.actor.id, reason: data.reason, at: meta.at, ...live } });
};

export const requeueTask = ({ data, meta }: RequeueTask, state: KnownTask): Decision<TaskEvent> =>
  state.status === 'exhausted' || state.status === 'unverifiable'
    ? accept({ type: 'TaskRequeued', data: { by: meta.actor.id, reason: data.reason, at: meta.at } })
    : refuse('conflict', 'task/not-requeueable', `Only an exhausted or unverifiable task can be requeued; this one is ${state.status}.`, {
        status: state.status,
      });
