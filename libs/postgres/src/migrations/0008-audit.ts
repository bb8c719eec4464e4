import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The read models of receipts and of who did what. */
export class Audit0000000000008 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.receipts (
        receipt_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        task_id uuid not null,
        audit_id text not null,
        title text not null,
        requester_id text not null,
        repository text not null,
        revision text not null,
        shipped_at timestamptz not null,
        issued_at timestamptz not null,
        key_id text not null,
        statement_digest text not null,
        envelope jsonb not null
      );
      create index receipts_newest_first on read_models.receipts (workspace_id, issued_at desc, receipt_id desc);
      select workbench.secure('read_models', 'receipts');

      -- One row an event, without its data: who did what kind of thing where, and the hash by which the stored event is known.
      create table read_models.audit_entries (
        event_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        position bigint not null,
        stream text not null,
        revision bigint not null,
        type text not null,
        actor_id text not null,
        actor_kind text not null,
        credential_id text not null,
        on_behalf_of text,
        at timestamptz not null,
        audit_id text not null,
        content_hash text not null
      );
      create index audit_entries_of_one_intent on read_models.audit_entries (audit_id, position);
      select workbench.secure('read_models', 'audit_entries');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
