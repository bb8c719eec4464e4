import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The read model of the inbox. */
export class Proposals0000000000006 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.confirmations (
        confirmation_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        status text not null,
        risk_class text not null,
        risk_level int not null,
        requester_id uuid not null,
        submitted_at timestamptz not null,
        card jsonb not null
      );
      create index confirmations_inbox on read_models.confirmations (workspace_id, status, risk_level desc, submitted_at, confirmation_id);
      create index confirmations_by_requester on read_models.confirmations (requester_id, submitted_at);
      select workbench.secure('read_models', 'confirmations');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
