import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Batched, EventStore, EventTypes, recordedFrom, remember, type EventRow, type Recorded } from '#libs/kernel';
import { Database } from '#libs/postgres';
import { taskDecider } from '../task.decider.js';
import type { TaskEvent } from '../task-events.js';

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
  /** Claims that look for the same travel together, by what they look for. */
  private readonly batches = new Map<string, Batched<Search, string | undefined>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly types: EventTypes,
  ) {}

  /** The task of an earlier try under this command id, else the oldest claimable one, which is then hinted at; undefined where there is none. */
  next(search: Search): Promise<string | undefined> {
    const { tenantId, workspaceIds, queues, tried } = search;
    const alike = JSON.stringify([tenantId, workspaceIds, queues, tried]);
    let together = this.batches.get(alike);
    if (!together) this.batches.set(alike, (together = new Batched((searches) => this.look(searches), CONNECTIONS)));
    return together.ask(search).finally(() => {
      if (together.idle && this.batches.get(alike) === together) this.batches.delete(alike);
    });
  }

  /** For claims that are eligible for the same. */
  private async look(searches: readonly Search[]): Promise<(string | undefined)[]> {
    const { tenantId, workspaceIds, queues, tried } = searches[0]!;
    const commands = [...new Set(searches.map(({ commandId }) => commandId))];
    const { sharesLog } = this.store;
    const { rows } = await this.database.projector.query<Found>({
      ...(sharesLog ? NEXT_WITH_EVENTS : NEXT),
      values: [commands, tenantId, workspaceIds, queues, tried, sharesLog],
    });
    if (sharesLog) this.remember(rows);
    const found = new Map(rows.map(({ command, task }) => [command, task]));
    return searches.map(({ commandId }) => found.get(commandId));
  }

  /** Each row is of one event, in the order of the stream. What came along is as good as read: the claim's append says whether it still holds. */
  private remember(rows: readonly Found[]): void {
    const streams = new Map<string, Recorded<TaskEvent>[]>();
    const commands = new Map<string, string>();
    for (const row of rows) {
      if (!row.stream) continue; // it was not there yet
      if ((commands.get(row.stream) ?? row.command) !== row.command) continue; // two commands of one task
      commands.set(row.stream, row.command);
      const events = streams.get(row.stream) ?? [];
      streams.set(row.stream, events);
      events.push(recordedFrom<TaskEvent>(this.types, row));
    }
    for (const [stream, events] of streams) remember(this.store, taskDecider, stream, events);
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
/** Of one kind of search. */
const CONNECTIONS = 2;

// No task is at fence -1, so that asking for a task by name hides it from nobody.
const KEEP = `
  insert into workbench.claims as mine (command_id, tenant_id, task_id, fence) values ($1, $2, $3, -1)
  on conflict (command_id) do update set task_id = mine.task_id
  returning task_id`;

/** The columns of an event are null where none came along. */
type Found = Readonly<{ command: string; task: string }> & EventRow;

// What it does, and why so, stands in the migration that made it.
const NEXT = { name: 'claim hints', text: 'select command, task from workbench.claim_hints($1, $2, $3, $4, $5, $6)' };

// The task's events come along, since the claim is decided on them next.
const NEXT_WITH_EVENTS = {
  name: 'claim hints with events',
  text: `
    with hinted as materialized (
      select command, task, 'task-' || task as stream from workbench.claim_hints($1, $2, $3, $4, $5, $6)
    )
    select h.command, h.task, e.*
      from hinted h
      left join es.read_streams(
        (select array_agg(stream) from (select distinct stream from hinted) s),
        (select array_agg(0::bigint) from (select distinct stream from hinted) s)
      ) e using (stream)
     order by e.nth, e.revision`,
};
