import { Injectable } from '@nestjs/common';
import { DomainError, EventStore, readState, refusal, type Principal, type Recorded } from '#libs/kernel';
import { seesAllTasks } from './read-models/tasks.js';
import { taskDecider } from './task.decider.js';
import type { TaskEvent } from './task-events.js';
import type { KnownTask } from './task.js';
import { evolveView, type TaskView } from './task-view.js';

export type ShownTask = Readonly<{ task: TaskView; state: KnownTask; events: readonly Recorded<TaskEvent>[]; revision: bigint }>;

/** Single tasks from their streams: never behind what was just written. */
@Injectable()
export class Tasks {
  constructor(private readonly store: EventStore) {}

  /** 404 `task/not-found` also for a task of somebody else's request, unless the viewer executes or operates. */
  async show(viewer: Principal, taskId: string, onBehalfOf?: string): Promise<ShownTask> {
    const { events, state, revision } = await readState(this.store, taskDecider, taskId, viewer);
    const task = events.reduce<TaskView | undefined>(evolveView, undefined);
    if (!task || state.status === 'none' || !(seesAllTasks(viewer) || task.requester === (onBehalfOf ?? viewer.id)))
      throw new DomainError(refusal('not_found', 'task/not-found', 'There is no such task here. Check the id and the workspace.'));
    return { task, state, events, revision };
  }
}
