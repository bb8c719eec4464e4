import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Tasks as they are read, hints from claims to tasks, and the bytes of artifacts. */
export class Work0000000000007 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.tasks (
        task_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        status text not null,
        queue text not null,
        requester_id uuid not null,
        queued_at timestamptz not null,
        fence bigint not null,
        task jsonb not null
      );
      -- A claim walks this from its oldest end, however many tasks there are.
      create index tasks_claimable on read_models.tasks (workspace_id, queue, queued_at, task_id) where status = 'queued';
      create index tasks_oldest_first on read_models.tasks (workspace_id, queued_at, task_id);
      create index tasks_by_requester on read_models.tasks (requester_id, queued_at, task_id);
      select workbench.secure('read_models', 'tasks');

      -- Which task a claim went for, written before its lease: a retry finds it while read models stand still, and others go elsewhere.
      create table workbench.claims (
        command_id uuid primary key,
        tenant_id uuid not null,
        task_id uuid not null,
        -- of the task as it was then
        fence bigint not null,
        at timestamptz not null default clock_timestamp()
      );
      create index claims_fresh on workbench.claims (task_id, at);
      create index claims_oldest on workbench.claims (at);
      select workbench.secure('workbench', 'claims');

      create table workbench.artifacts (
        tenant_id uuid not null,
        sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
        size integer not null check (size <= 5242880),
        bytes bytea not null,
        stored_by uuid not null,
        stored_at timestamptz not null default clock_timestamp(),
        primary key (tenant_id, sha256)
      );
      select workbench.secure('workbench', 'artifacts');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
