import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idOf, type Principal, type Role } from '#libs/kernel';
import { Database, firstOfEach, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import type { CredentialEvent } from '../credentials/credential.js';

/** A credential as operators see it; nothing of its secret, not even the digest. */
@Entity('credentials')
export class CredentialRow {
  @PrimaryColumn('uuid', { name: 'credential_id' }) credentialId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'principal_id' }) principalId!: string;
  @Column('text') kind!: Principal['kind'];
  @Column('text') name!: string;
  @Column('jsonb') roles!: readonly Role[];
  @Column('jsonb') capabilities!: readonly string[];
  @Column('jsonb', { name: 'workspace_ids' }) workspaceIds!: readonly string[];
  @Column('uuid', { name: 'accountable_human' }) accountableHuman!: string;
  @Column('uuid', { name: 'issued_by' }) issuedBy!: string;
  @Column('timestamptz', { name: 'issued_at' }) issuedAt!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: string;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: string | null;
  @Column('uuid', { name: 'revoked_by', nullable: true }) revokedBy!: string | null;
  @Column('text', { name: 'revoked_reason', nullable: true }) revokedReason!: string | null;
  /** Decimal string. */
  @Column('bigint') revision!: string;
}

export const credentials: Projection<CredentialRow, CredentialEvent> = {
  name: 'credentials',
  version: 1,
  table: CredentialRow,
  key: (event) => idOf(event.stream),
  evolve: {
    CredentialIssued: (_, { data, meta, revision }, credentialId) => ({
      credentialId,
      tenantId: meta.tenantId,
      workspaceId: meta.workspaceId,
      principalId: data.principalId,
      kind: data.principalKind,
      name: data.name,
      roles: data.roles,
      capabilities: data.capabilities,
      workspaceIds: data.workspaceIds,
      accountableHuman: data.accountableHuman,
      issuedBy: data.issuedBy,
      issuedAt: data.at,
      expiresAt: data.expiresAt,
      revokedAt: null,
      revokedBy: null,
      revokedReason: null,
      revision: revision.toString(),
    }),
    CredentialRevoked: (row, { data, revision }) =>
      row && { ...row, revokedAt: data.at, revokedBy: data.by, revokedReason: data.reason, revision: revision.toString() },
  },
  feed: (event, row) =>
    row && {
      kind: event.type === 'CredentialRevoked' ? 'credential_revoked' : 'credential_issued',
      subject: row.credentialId,
      tenantId: row.tenantId,
      workspaceId: row.workspaceId,
      audience: { roles: ['operator'] },
      data: { credentialId: row.credentialId, principalId: row.principalId, name: row.name, roles: row.roles },
    },
};

/** Where a page begins: after this row, in the order of issue. */
export type CredentialCursor = Readonly<{ issuedAt: string; credentialId: string }>;

@Injectable()
export class CredentialsQuery {
  constructor(private readonly database: Database) {}

  /** Credentials of these workspaces in the order in which they were issued, revoked and expired ones too. */
  list(tenantId: string, workspaceIds: readonly string[], limit: number, after?: CredentialCursor): Promise<CredentialRow[]> {
    return tenantScope(this.database, tenantId, (manager) => {
      const query = manager
        .createQueryBuilder(CredentialRow, 'credential')
        .orderBy('credential.issuedAt', 'ASC')
        .addOrderBy('credential.credentialId', 'ASC')
        .limit(limit);
      if (after) query.andWhere('(credential.issuedAt, credential.credentialId) > (:issuedAt, :credentialId)', after);
      return firstOfEach(query, 'credentialId', { property: 'workspaceId', type: 'uuid', values: workspaceIds }).getMany();
    });
  }
}
