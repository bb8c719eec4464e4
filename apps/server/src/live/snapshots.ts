import { Injectable } from '@nestjs/common';
import { pageOf } from '#libs/http';
import type { Principal } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import { Feed } from '#libs/projections';
import { Cards, type Card } from '#libs/proposals';
import { lineOf, TasksQuery, taskStatuses, type TaskLine } from '#libs/work';

/**
 * What is going on for this viewer: pending cards (riskiest and oldest first) and tasks that are not finished (oldest first), of
 * each the first `MOST`. `next` is not null where there are more: the `cursor` with which `GET /api/confirmations?status=pending`
 * and `GET /api/tasks` go on.
 */
export type Snapshot = Readonly<{
  confirmations: readonly Card[];
  tasks: readonly TaskLine[];
  next: Readonly<{ confirmations: string | null; tasks: string | null }>;
}>;

/** A snapshot is one event, built in memory for each stream that opens. */
export const MOST = 500;
const OPEN = taskStatuses.filter((status) => status !== 'shipped' && status !== 'cancelled');

/** Snapshot and feed position come from one repeatable read, so that what follows the position is exactly what the snapshot lacks. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly database: Database,
    private readonly feed: Feed,
    private readonly cards: Cards,
    private readonly tasks: TasksQuery,
  ) {}

  take(viewer: Principal): Promise<Readonly<{ snapshot: Snapshot; head: string }>> {
    const { tenantId, workspaceIds } = viewer;
    return tenantScope(
      this.database,
      tenantId,
      async (manager) => {
        const head = await this.feed.head(manager);
        const cards = await this.cards.listWithin(manager, viewer, { status: 'pending', workspaceIds, limit: MOST + 1 });
        const rows = await this.tasks.listWithin(manager, viewer, { statuses: OPEN, limit: MOST + 1 });
        const confirmations = pageOf(cards, MOST, (index) => {
          const { risk, submittedAt, confirmationId } = cards[index]!;
          return { level: risk.level, submittedAt, confirmationId };
        });
        const tasks = pageOf(rows, MOST, (index) => ({ queuedAt: rows[index]!.queuedAt, taskId: rows[index]!.taskId }));
        const snapshot = {
          confirmations: confirmations.items,
          tasks: tasks.items.map(({ task }) => lineOf(task)),
          next: { confirmations: confirmations.next, tasks: tasks.next },
        };
        return { snapshot, head };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }
}
