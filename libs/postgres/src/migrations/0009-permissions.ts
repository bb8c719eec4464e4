import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Requests and grants as they are read, and one-time tickets for sockets. */
export class Permissions0000000000009 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create table read_models.permissions (
        permission_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        owner_id uuid not null,
        principal_id uuid not null,
        agent_id text not null,
        status text not null,
        requested_at timestamptz not null,
        expires_at timestamptz not null,
        permission jsonb not null,
        policies jsonb not null
      );
      create index permissions_pending on read_models.permissions (owner_id, requested_at, permission_id) where status = 'pending';
      create index permissions_of_one_agent on read_models.permissions (owner_id, principal_id, agent_id, requested_at desc);
      select workbench.secure('read_models', 'permissions');

      create table read_models.grants (
        grant_id uuid primary key,
        tenant_id uuid not null,
        workspace_id uuid not null,
        owner_id uuid not null,
        principal_id uuid not null,
        agent_id text not null,
        status text not null,
        created_at timestamptz not null,
        last_used_at timestamptz,
        state jsonb not null
      );
      create index grants_in_force on read_models.grants (principal_id, agent_id) where status = 'active';
      create index grants_of_one_owner on read_models.grants (owner_id, created_at desc, grant_id desc);
      select workbench.secure('read_models', 'grants');

      -- A ticket opens one socket. Only its digest is kept, and using it deletes it.
      create table workbench.ws_tickets (
        ticket_sha256 text primary key,
        tenant_id uuid not null,
        credential_id uuid not null,
        expires_at timestamptz not null
      );
      create index ws_tickets_oldest on workbench.ws_tickets (expires_at);
      select workbench.secure('workbench', 'ws_tickets');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
