import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { QUEUES } from '#libs/identity';
import { idOf, type Principal, type Recorded } from '#libs/kernel';
import { anyOfEach, Database, firstOfEach, tenantScope, type OneOf } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import type { TaskEvent } from '../task-events.js';
import { taskStatuses, type TaskStatus } from '../task.js';
import { evolveView, lineOf, type TaskView } from '../task-view.js';

/** A task, with the columns by which it is found. */
@Entity('tasks')
export class TaskRow {
  @PrimaryColumn('uuid', { name: 'task_id' }) taskId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') status!: TaskStatus;
  @Column('text') queue!: string;
  @Column('uuid', { name: 'requester_id' }) requesterId!: string;
  @Column('timestamptz', { name: 'queued_at' }) queuedAt!: string;
  /** Decimal string. */
  @Column('bigint') fence!: string;
  @Column('jsonb') task!: TaskView;
}

const evolve = (row: TaskRow | undefined, event: Recorded<TaskEvent>, taskId: string): TaskRow | undefined => {
  const task = evolveView(row?.task, event);
  if (!task) return undefined;
  const { tenantId, workspaceId } = row ?? event.meta;
  return {
    taskId,
    tenantId,
    workspaceId,
    status: task.status,
    queue: task.queue,
    requesterId: task.requester,
    queuedAt: task.queuedAt,
    fence: task.fence,
    task,
  };
};

export const tasks: Projection<TaskRow, TaskEvent> = {
  name: 'tasks',
  version: 1,
  table: TaskRow,
  key: (event) => idOf(event.stream),
  evolve: {
    TaskQueued: evolve,
    LeaseGranted: evolve,
    LeaseRenewed: evolve,
    LeaseReleased: evolve,
    LeaseExpired: evolve,
    LeaseRevoked: evolve,
    StaleLeaseRejected: evolve,
    TaskBlocked: evolve,
    TaskUnblocked: evolve,
    TaskExhausted: evolve,
    TaskRequeued: evolve,
    TaskCancelled: evolve,
    WorkReported: evolve,
    VerificationGranted: evolve,
    VerificationExpired: evolve,
    VerificationRefused: evolve,
    WorkVerified: evolve,
    WorkRejected: evolve,
    WorkUnverifiable: evolve,
    WorkShipped: evolve,
    ReceiptIssued: evolve,
  },
  feed: (_, row) =>
    row && {
      kind: 'task',
      subject: row.taskId,
      tenantId: row.tenantId,
      workspaceId: row.workspaceId,
      audience: { roles: ['implementer', 'verifier', 'operator'], principals: [row.requesterId] },
      data: { task: lineOf(row.task) },
    },
};

/** Executors and operators see the workspace's tasks, everybody else those that were asked for in their name. */
export const seesAllTasks = ({ roles }: Principal): boolean =>
  roles.some((role) => role === 'implementer' || role === 'verifier' || role === 'operator');

/** `after` is the last item of the page before. */
export type TaskFilter = Readonly<{
  statuses?: readonly TaskStatus[];
  queues?: readonly string[];
  limit: number;
  after?: Readonly<{ queuedAt: string; taskId: string }>;
}>;

@Injectable()
export class TasksQuery {
  constructor(private readonly database: Database) {}

  /** What this viewer may see, oldest first; `onBehalfOf` is whose requests an assistant asks about. */
  list(viewer: Principal, filter: TaskFilter, onBehalfOf?: string): Promise<TaskRow[]> {
    return tenantScope(this.database, viewer.tenantId, (manager) => this.listWithin(manager, viewer, filter, onBehalfOf));
  }

  /** The same within a transaction of the caller's, so that it fits what else is read there. */
  listWithin(manager: EntityManager, viewer: Principal, filter: TaskFilter, onBehalfOf?: string): Promise<TaskRow[]> {
    const query = manager
      .createQueryBuilder(TaskRow, 'task')
      .orderBy('task.queuedAt', 'ASC')
      .addOrderBy('task.taskId', 'ASC')
      .limit(filter.limit);
    if (filter.after) query.andWhere('(task.queuedAt, task.taskId) > (:queuedAt, :taskId)', filter.after);
    const among: OneOf[] = [
      { property: 'workspaceId', type: 'uuid', values: viewer.workspaceIds },
      { property: 'queue', type: 'text', values: filter.queues ?? QUEUES },
      { property: 'status', type: 'text', values: filter.statuses ?? taskStatuses },
    ];
    // What one person asked for lies together, in this order.
    if (!seesAllTasks(viewer))
      return anyOfEach(query.andWhere('task.requesterId = :requester', { requester: onBehalfOf ?? viewer.id }), ...among).getMany();
    return firstOfEach(query, 'taskId', ...among).getMany();
  }

  /** Whether a report on one of this viewer's own tasks names this artifact. */
  namesArtifact(viewer: Principal, sha256: string): Promise<boolean> {
    return tenantScope(this.database, viewer.tenantId, (manager) =>
      manager
        .createQueryBuilder(TaskRow, 'task')
        .where('task.workspaceId = any(:workspaceIds)', { workspaceIds: viewer.workspaceIds })
        .andWhere('task.requesterId = :requester', { requester: viewer.id })
        .andWhere(`task.task @> :report::jsonb`, { report: JSON.stringify({ report: { artifacts: [{ sha256 }] } }) })
        .getExists(),
    );
  }
}
