import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EventStore } from '#libs/kernel';
import { Database } from '#libs/postgres';

/** A claim looks for a task: not one of `tried`, which it was refused. */
export type Search = Readonly<{
  commandId: string;
  tenantId: string;
  workspaceIds: readonly string[];
  queues: readonly string[];
  tried: readonly string[];
}>;

/**
 * Which task a claim goes for, written before its lease is. A hint decides nothing: the task's stream does. It makes a retry,
 * on any server and while read models stand still, look where the first try went; and for 3 seconds it makes other
 * claims look elsewhere, so that agents that race spread over the queue.
 */
@Injectable()
export class ClaimHints implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  /** The task of an earlier try under this command id, else the oldest claimable one, which is then hinted at; undefined where there is none. */
  async next({ commandId, tenantId, workspaceIds, queues, tried }: Search): Promise<string | undefined> {
    const { rows } = await this.database.projector.query<{ task_id: string }>({
      name: 'claim hint',
      text: NEXT,
      values: [commandId, tenantId, workspaceIds, queues, tried, this.store.sharesLog],
    });
    return rows[0]?.task_id;
  }

  /** The task that this command went for first, which is now `taskId` if it is new: one key is for one wish. Keeps nobody else away. */
  async keep({ commandId, tenantId }: Pick<Search, 'commandId' | 'tenantId'>, taskId: string): Promise<string> {
    const { rows } = await this.database.projector.query<{ task_id: string }>({
      name: 'claim by name',
      text: KEEP,
      values: [commandId, tenantId, taskId],
    });
    return rows[0]!.task_id;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.prune(), PRUNE_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Forgets hints of more than 7 days ago; until then a retry finds its lease. */
  async prune(): Promise<void> {
    try {
      await this.database.projector.query(`delete from workbench.claims where at < clock_timestamp() - interval '7 days'`);
    } catch (error) {
      new Logger('ClaimHints').warn(`Old hints stay for another hour: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

const PRUNE_MS = 3_600_000;

// No task is at fence -1, so that asking for a task by name hides it from nobody.
const KEEP = `
  insert into workbench.claims as mine (command_id, tenant_id, task_id, fence) values ($1, $2, $3, -1)
  on conflict (command_id) do update set task_id = mine.task_id
  returning task_id`;

// Each queue of each workspace is walked from its oldest end by an index of its own order. A row that another claim looks at right
// now is passed over, and no row is looked at behind the first that can be had. A hint at an earlier fence than the task's present
// one has come true, or come to nothing, already. (now(), not clock_timestamp(): only the former can bound a walk of an index.)
//
// $6: whether a LeaseGranted will be committed in the same database. Then this need not wait for the disk: its commit lies before
// the lease's in the same log, so that whatever flushes the lease has flushed the hint, and a hint without a lease is worth nothing.
const NEXT = `
  with known as (
    select task_id from workbench.claims where command_id = $1 and tenant_id = $2 and task_id <> all($5::uuid[])
  ), heads as (
    select head.*
      from unnest($3::uuid[]) as w (id)
     cross join unnest($4::text[]) as q (name)
     cross join lateral (
       select task_id, queued_at from tasks t
        where t.tenant_id = $2 and t.workspace_id = w.id and t.queue = q.name and t.status = 'queued' and t.task_id <> all($5::uuid[])
          and not exists (
            select from workbench.claims c
             where c.task_id = t.task_id and c.fence = t.fence and c.command_id <> $1 and c.at > now() - interval '3 seconds')
        order by t.queued_at, t.task_id limit 32
     ) head
     where not exists (select from known)
     order by head.queued_at, head.task_id
  ), oldest as (
    select t.task_id, t.fence from heads
     cross join lateral (select task_id, fence from tasks where tasks.task_id = heads.task_id and status = 'queued' for update skip locked) t
     limit 1
  ), hinted as (
    insert into workbench.claims as mine (command_id, tenant_id, task_id, fence)
    select $1, $2, task_id, fence from oldest
    on conflict (command_id) do update
      set task_id = case when mine.task_id = any($5::uuid[]) then excluded.task_id else mine.task_id end,
          fence = case when mine.task_id = any($5::uuid[]) then excluded.fence else mine.fence end,
          at = clock_timestamp()
    returning task_id, case when $6 then set_config('synchronous_commit', 'off', true) end
  )
  select task_id from known union all select task_id from hinted`;
