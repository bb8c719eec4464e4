import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Read models of who there is. */
export class Identity0000000000004 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.tenants (
        id text primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        subject_id uuid not null,
        name text not null,
        founded_at timestamptz not null
      );
      create index tenants_by_viewer on read_models.tenants (tenant_id, founded_at, id);
      select workbench.secure('read_models', 'tenants');

      create table read_models.workspaces (
        workspace_id uuid primary key,
        tenant_id uuid not null,
        name text not null,
        created_by uuid not null,
        created_at timestamptz not null,
        archived_at timestamptz
      );
      create index workspaces_by_tenant on read_models.workspaces (tenant_id, created_at, workspace_id);
      select workbench.secure('read_models', 'workspaces');

      create table read_models.principals (
        principal_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        kind text not null,
        name text not null,
        accountable_human uuid not null,
        since timestamptz not null
      );
      select workbench.secure('read_models', 'principals');

      create table read_models.credentials (
        credential_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        principal_id uuid not null,
        kind text not null,
        name text not null,
        roles jsonb not null,
        capabilities jsonb not null,
        workspace_ids jsonb not null,
        accountable_human uuid not null,
        issued_by uuid not null,
        issued_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz,
        revoked_by uuid,
        revoked_reason text,
        revision bigint not null
      );
      create index credentials_by_workspace on read_models.credentials (workspace_id, issued_at, credential_id);
      select workbench.secure('read_models', 'credentials');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
