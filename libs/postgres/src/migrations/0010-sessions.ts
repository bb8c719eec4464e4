import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Sessions of agents as their owners and runners list them, with what waits in each. */
export class Sessions0000000000010 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.sessions (
        session_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        owner_id uuid not null,
        runner_id uuid not null,
        status text not null,
        pending int not null,
        started_at timestamptz not null,
        session jsonb not null
      );
      create index sessions_of_one_owner on read_models.sessions (owner_id, started_at desc, session_id desc);
      create index sessions_of_one_runner on read_models.sessions (runner_id, started_at desc, session_id desc);
      select workbench.secure('read_models', 'sessions');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
