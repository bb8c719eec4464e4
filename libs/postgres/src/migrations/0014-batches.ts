import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What agents do at the same time costs one statement: their claims find tasks together, and their streams are read together. */
export class Batches0000000000014 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(CLAIM_HINTS);
    await sql.query(READ_STREAMS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}

const CLAIM_HINTS = `
  -- A task for each of these claims, which are eligible for the same and come in the order in which they are served: that of an earlier
  -- try under the command id, else the oldest claimable one, which is then hinted at. No row for a claim for which there is none.
  --
  -- Each queue of each workspace is walked from its oldest end by an index of its own order. A row that another claim looks at right
  -- now is passed over. A hint at an earlier fence than the task's present one has come true, or come to nothing, already. (now(), not
  -- clock_timestamp(): only the former can bound a walk of an index.)
  --
  -- "unflushed": whether a LeaseGranted will be committed in the same database. Then this need not wait for the disk: its commit lies
  -- before the lease's in the same log, so that whatever flushes the lease has flushed the hint, and a hint without a lease is worth nothing.
  --
  -- Planned once, for walks of indexes: a plan for each call takes longer than the call, and one that was made while a table was
  -- empty must still do when it is full. No search_path of its own: "tasks" is the caller's, and a rebuild swaps its schema.
  create function workbench.claim_hints(
    commands uuid[], tenant uuid, workspaces uuid[], queues text[], tried uuid[], unflushed boolean, out command uuid, out task uuid
  ) returns setof record language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  declare
    open uuid[] := commands;
    found_tasks uuid[];
    found_fences bigint[];
  begin
    for command, task in
      select c.command_id, c.task_id from workbench.claims c
       where c.command_id = any (commands) and c.tenant_id = tenant and c.task_id <> all (tried)
    loop
      open := array_remove(open, command);
      return next;
    end loop;
    if cardinality(open) = 0 then
      return;
    end if;

    if cardinality(workspaces) = 1 and cardinality(queues) = 1 then
      select array_agg(o.task_id), array_agg(o.fence) into found_tasks, found_fences from (
        select t.task_id, t.fence from tasks t
         where t.tenant_id = tenant and t.workspace_id = workspaces[1] and t.queue = queues[1] and t.status = 'queued' and t.task_id <> all (tried)
           and not exists (
             select from workbench.claims c
              where c.task_id = t.task_id and c.fence = t.fence and c.command_id <> all (open) and c.at > now() - interval '3 seconds')
         order by t.queued_at, t.task_id limit cardinality(open) for update skip locked
      ) o;
    else
      select array_agg(o.task_id), array_agg(o.fence) into found_tasks, found_fences from (
        select t.task_id, t.fence from (
          select head.* from unnest(workspaces) as w (id) cross join unnest(queues) as q (name) cross join lateral (
            select t.task_id, t.queued_at from tasks t
             where t.tenant_id = tenant and t.workspace_id = w.id and t.queue = q.name and t.status = 'queued' and t.task_id <> all (tried)
               and not exists (
                 select from workbench.claims c
                  where c.task_id = t.task_id and c.fence = t.fence and c.command_id <> all (open) and c.at > now() - interval '3 seconds')
             order by t.queued_at, t.task_id limit 31 + cardinality(open)
          ) head order by head.queued_at, head.task_id
        ) heads
        cross join lateral (select k.task_id, k.fence from tasks k where k.task_id = heads.task_id and k.status = 'queued' for update skip locked) t
        limit cardinality(open)
      ) o;
    end if;
    if found_tasks is null then
      return;
    end if;

    if unflushed then
      perform set_config('synchronous_commit', 'off', true);
    end if;
    -- By command: two calls with some of the same then wait for each other's in one order, and never in a circle.
    return query
      insert into workbench.claims as mine (command_id, tenant_id, task_id, fence)
      select o.command, tenant, o.task, o.fence
        from unnest(open[1:cardinality(found_tasks)], found_tasks, found_fences) as o (command, task, fence) order by o.command
      on conflict (command_id) do update
        set task_id = case when mine.task_id = any (tried) then excluded.task_id else mine.task_id end,
            fence = case when mine.task_id = any (tried) then excluded.fence else mine.fence end,
            at = clock_timestamp()
      returning mine.command_id, mine.task_id;
  end $$`;

const READ_STREAMS = `
  -- Of each of these streams what lies from its revision on; "nth" says which one, from 1. Planned once, as above.
  create function es.read_streams(
    streams text[], since bigint[],
    out nth bigint, out "position" bigint, out stream text, out revision bigint, out event_id uuid, out type text, out data text, out meta text,
    out recorded_at timestamptz
  ) returns setof record language plpgsql stable
  set search_path = pg_catalog set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  #variable_conflict use_column
  begin
    return query
      select a.nth, e.position, e.stream, e.revision, e.event_id, e.type, e.data::text, e.meta::text, e.recorded_at
        from unnest(streams, since) with ordinality as a (stream, since, nth)
        join es.events e on e.stream = a.stream and e.revision >= a.since
       order by a.nth, e.revision;
  end $$`;
