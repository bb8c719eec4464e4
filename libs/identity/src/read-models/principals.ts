import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Principal } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import type { CredentialIssued } from '../credentials/credential.js';

/** A principal as its first credential named it. */
@Entity('principals')
export class PrincipalRow {
  @PrimaryColumn('uuid', { name: 'principal_id' }) principalId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') kind!: Principal['kind'];
  @Column('text') name!: string;
  @Column('uuid', { name: 'accountable_human' }) accountableHuman!: string;
  @Column('timestamptz', { name: 'since' }) since!: string;
}

export const principals: Projection<PrincipalRow, CredentialIssued> = {
  name: 'principals',
  version: 1,
  table: PrincipalRow,
  key: (event) => event.data.principalId,
  evolve: {
    CredentialIssued: (row, { data, meta }, principalId) =>
      row
        ? undefined
        : {
            principalId,
            tenantId: meta.tenantId,
            workspaceId: meta.workspaceId,
            kind: data.principalKind,
            name: data.name,
            accountableHuman: data.accountableHuman,
            since: data.at,
          },
  },
};

@Injectable()
export class PrincipalsQuery {
  constructor(private readonly database: Database) {}

  async names(tenantId: string, principalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (principalIds.length === 0) return new Map();
    const rows = await tenantScope(this.database, tenantId, (manager) =>
      manager
        .createQueryBuilder(PrincipalRow, 'principal')
        .select(['principal.principalId', 'principal.name'])
        .where('principal.principalId = any(:principalIds)', { principalIds: [...new Set(principalIds)] })
        .getMany(),
    );
    return new Map(rows.map((row) => [row.principalId, row.name]));
  }
}
