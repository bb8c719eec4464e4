import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The read model of governed records. */
export class Records0000000000005 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.records (
        record_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        kind text not null,
        title text not null,
        status text not null,
        fields jsonb not null,
        revision bigint not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index records_by_workspace on read_models.records (workspace_id, kind, record_id);
      select workbench.secure('read_models', 'records');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
