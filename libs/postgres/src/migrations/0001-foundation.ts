import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The schemas, `workbench.secure` that puts a table under row-level security, and the keys that all servers share. */
export class Foundation0000000000001 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create schema es;
      create schema read_models;
      grant usage on schema es, read_models, workbench to workbench_projector, workbench_app;

      alter default privileges revoke execute on functions from public;
      alter default privileges grant execute on functions to workbench_projector;
      alter default privileges grant usage, select on sequences to workbench_projector;

      -- Puts a table under row-level security: the projector reaches all rows, the app those of the tenant that its transaction
      -- has set, and none of a table that has no tenant_id. The owner gets no policy, so fill a table before you secure it.
      -- Runs as often as one likes; a table made "like" another needs it as well.
      create function workbench.secure(schema_name text, table_name text) returns void language plpgsql set search_path = pg_catalog as $$
      declare
        target text := format('%I.%I', schema_name, table_name);
        tenant text := (select format_type(atttypid, null) from pg_attribute
                         where attrelid = target::regclass and attname = 'tenant_id' and not attisdropped);
      begin
        if tenant <> 'uuid' then
          raise exception '%.tenant_id is %, and has to be uuid to be kept apart by tenant.', target, tenant;
        end if;
        execute format('alter table %s enable row level security', target);
        execute format('alter table %s force row level security', target);
        execute format('drop policy if exists projector on %s', target);
        execute format('create policy projector on %s to workbench_projector using (true) with check (true)', target);
        execute format('drop policy if exists tenant on %s', target);
        if tenant is not null then
          -- In a subselect, so that it is evaluated once a statement and not once a row.
          execute format($policy$create policy tenant on %s for select to workbench_app
            using (tenant_id = (select nullif(current_setting('workbench.tenant_id', true), '')::uuid))$policy$, target);
        end if;
        execute format('revoke all on %s from public', target);
        execute format('grant select, insert, update, delete on %s to workbench_projector', target);
        execute format('grant select on %s to workbench_app', target);
      end $$;

      create table workbench.secrets (
        name text primary key,
        value bytea not null,
        created_at timestamptz not null default clock_timestamp()
      );
      select workbench.secure('workbench', 'secrets');

      select workbench.secure('workbench', 'migrations');
      revoke insert, update, delete on workbench.migrations from workbench_projector;
      create policy owner on workbench.migrations to workbench_owner using (true) with check (true);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
