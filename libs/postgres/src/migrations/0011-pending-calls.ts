import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Which calls wait for whom, so that asking twice makes one request and nobody is asked without end. */
export class PendingCalls0000000000011 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      -- A place for each call that waits. What waits is in the events; without these rows somebody may be asked twice, no more.
      create table workbench.pending_calls (
        permission_id uuid primary key,
        tenant_id uuid not null,
        owner_id uuid not null,
        principal_id uuid not null,
        call_digest text not null,
        taken_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz not null,
        unique (owner_id, principal_id, call_digest)
      );
      select workbench.secure('workbench', 'pending_calls');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
