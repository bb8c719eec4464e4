import { Injectable } from '@nestjs/common';
import type { Principal } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import { Feed } from '#libs/projections';
import { Cards, type Card } from '#libs/proposals';
import { lineOf, TasksQuery, taskStatuses, type TaskLine } from '#libs/work';

/** What is going on for this viewer: pending cards, and tasks that are not finished. */
export type Snapshot = Readonly<{ confirmations: readonly Card[]; tasks: readonly TaskLine[] }>;

const MOST = 500;
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
        const confirmations = await this.cards.listWithin(manager, viewer, { status: 'pending', workspaceIds, limit: MOST });
        const tasks = await this.tasks.listWithin(manager, viewer, { statuses: OPEN, limit: MOST });
        return { snapshot: { confirmations, tasks: tasks.map(({ task }) => lineOf(task)) }, head };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }
}
