import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checkpoints and deadlines beside the read models, the feed, what operators see of reactors, and the DDL of a rebuild. */
export class Projections0000000000003 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.checkpoints (
        name text primary key,
        store_id text not null,
        version integer not null,
        -- null: nothing read yet
        position text,
        state text not null default 'live' check (state in ('live', 'stale', 'faulted')),
        -- null in a faulted one: its rebuild failed
        failed_at text,
        reason text,
        moved_at timestamptz not null default clock_timestamp()
      );

      create table read_models.deadlines (
        key text primary key,
        stream text not null,
        kind text not null,
        due_at timestamptz not null,
        tenant_id uuid not null,
        workspace_id uuid not null
      );
      create index deadlines_due_at on read_models.deadlines (due_at);
      select workbench.secure('read_models', 'deadlines');

      create table workbench.reactors (
        name text primary key,
        store_id text not null,
        position text,
        moved_at timestamptz not null default clock_timestamp()
      );
      select workbench.secure('workbench', 'reactors');

      create table workbench.parked_events (
        reactor text not null,
        event_id uuid not null,
        position text not null,
        stream text not null,
        revision bigint not null,
        type text not null,
        tenant_id uuid not null,
        workspace_id uuid not null,
        reason text not null,
        attempts integer not null,
        parked_at timestamptz not null default clock_timestamp(),
        due boolean not null default false,
        primary key (reactor, event_id)
      );
      select workbench.secure('workbench', 'parked_events');

      create table workbench.skipped_events (
        projection text not null,
        position text not null,
        reason text,
        skipped_at timestamptz not null default clock_timestamp(),
        primary key (projection, position)
      );
      select workbench.secure('workbench', 'skipped_events');

      create table workbench.feed (
        id bigint generated always as identity primary key,
        kind text not null,
        subject text not null,
        tenant_id uuid not null,
        workspace_id uuid not null,
        audience jsonb not null,
        data jsonb not null,
        position text not null,
        event_id uuid not null,
        recorded_at timestamptz not null default clock_timestamp()
      );
      create index feed_tenant on workbench.feed (tenant_id, id);
      select workbench.secure('workbench', 'feed');

      -- One row. The newest entry is known even where all have been pruned, and to a tenant that has none.
      create table workbench.feed_head (
        one boolean primary key default true check (one),
        head bigint not null default 0,
        pruned_through bigint not null default 0
      );
      insert into workbench.feed_head default values;

      -- Numbers that belong to no tenant and that a snapshot needs: the app reads them once it speaks for some tenant.
      create function workbench.show_to_tenants(schema_name text, table_name text, columns text) returns void language plpgsql set search_path = pg_catalog as $$
      declare target text := format('%I.%I', schema_name, table_name);
      begin
        perform workbench.secure(schema_name, table_name);
        execute format($policy$create policy any_tenant on %s for select to workbench_app
          using ((select nullif(current_setting('workbench.tenant_id', true), '')) is not null)$policy$, target);
        execute format('revoke select on %s from workbench_app', target);
        execute format('grant select (%s) on %s to workbench_app', columns, target);
      end $$;
      select workbench.show_to_tenants('workbench', 'feed_head', 'head, pruned_through');
      select workbench.show_to_tenants('read_models', 'checkpoints', 'name, position, state');

      -- The projector may not create or rename schemas; these four do it for a rebuild, and nothing else.
      create function workbench.abandon_rebuild() returns void language plpgsql security definer
        set search_path = pg_catalog set client_min_messages = warning set lock_timeout = '200ms' as $$
      begin
        drop schema if exists read_models_next cascade;
        drop schema if exists read_models_old cascade;
      end $$;

      -- Empty tables like the served ones: columns, constraints and indexes by the same names, options, policies and grants.
      create function workbench.begin_rebuild(tables text[]) returns void language plpgsql security definer set search_path = pg_catalog as $$
      declare
        served record;
        part record;
        indexes text[];
        statement text;
      begin
        perform workbench.abandon_rebuild();
        create schema read_models_next;
        grant usage on schema read_models_next to workbench_projector, workbench_app;
        for served in select c.oid, given.name, c.reloptions from unnest(tables) as given (name)
            left join pg_class c on c.relname = given.name and c.relnamespace = 'read_models'::regnamespace and c.relkind = 'r' loop
          if served.oid is null then
            raise exception 'There is no table read_models.% to rebuild.', served.name;
          end if;
          execute format('create table read_models_next.%1$I (like read_models.%1$I including all excluding indexes)', served.name);
          if served.reloptions is not null then
            execute format('alter table read_models_next.%I set (%s)', served.name, array_to_string(served.reloptions, ', '));
          end if;
          for part in select conname, pg_get_constraintdef(oid) as definition from pg_constraint
              where conrelid = served.oid and contype in ('p', 'u', 'x') order by conname loop
            execute format('alter table read_models_next.%I add constraint %I %s', served.name, part.conname, part.definition);
          end loop;
          -- Written out for a reader who stands in the schema, a definition does not name it.
          perform set_config('search_path', 'pg_catalog, read_models', true);
          select array_agg(pg_get_indexdef(indexrelid, 0, true)) into indexes from pg_index i
            where indrelid = served.oid and not exists (select 1 from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'));
          perform set_config('search_path', 'pg_catalog, read_models_next', true);
          foreach statement in array coalesce(indexes, '{}') loop
            execute statement;
          end loop;
          perform set_config('search_path', 'pg_catalog', true);
          if served.name = 'checkpoints' then
            perform workbench.show_to_tenants('read_models_next', 'checkpoints', 'name, position, state');
          else
            perform workbench.secure('read_models_next', served.name);
          end if;
        end loop;
      end $$;

      -- One table a transaction: one that writes holds back how far events may be read.
      create function workbench.analyze_rebuild(table_name text) returns void language plpgsql security definer set search_path = pg_catalog as $$
      begin
        execute format('analyze read_models_next.%I', table_name);
      end $$;

      -- Renaming schemas locks no table, so no reader waits; tables that no projection owns move over as they are. The old schema
      -- goes in a transaction of its own, once its last readers have ended.
      create function workbench.finish_rebuild(tables text[]) returns void language plpgsql security definer
        set search_path = pg_catalog set lock_timeout = '200ms' as $$
      declare other record;
      begin
        for other in select relname from pg_class
            where relnamespace = 'read_models'::regnamespace and relkind = 'r' and relname <> all (tables) loop
          execute format('alter table read_models.%I set schema read_models_next', other.relname);
        end loop;
        alter schema read_models rename to read_models_old;
        alter schema read_models_next rename to read_models;
        perform pg_notify('positions', ''), pg_notify('projections', '');
      end $$;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
