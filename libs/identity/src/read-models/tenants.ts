import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idOf } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import type { TenantCreated } from '../tenants/tenant.js';

/** A tenant as one tenant may see it: itself, and those that were founded from it. `tenantId` is who sees it. */
@Entity('tenants')
export class TenantRow {
  /** `<tenant that sees it>/<tenant>`. */
  @PrimaryColumn('text') id!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'subject_id' }) subjectId!: string;
  @Column('text') name!: string;
  @Column('timestamptz', { name: 'founded_at' }) foundedAt!: string;
}

export const tenants: Projection<TenantRow, TenantCreated> = {
  name: 'tenants',
  version: 1,
  table: TenantRow,
  key: (event) => {
    const subject = idOf(event.stream);
    return [...new Set([subject, event.data.foundedIn])].map((viewer) => `${viewer}/${subject}`);
  },
  evolve: {
    TenantCreated: (_, { stream, data, meta }, id) => ({
      id,
      tenantId: id.slice(0, id.indexOf('/')),
      workspaceId: meta.workspaceId,
      subjectId: idOf(stream),
      name: data.name,
      foundedAt: data.at,
    }),
  },
};

@Injectable()
export class TenantsQuery {
  constructor(private readonly database: Database) {}

  /** The tenant itself and those that were founded from it, oldest first. */
  list(tenantId: string, limit: number, after?: Readonly<{ foundedAt: string; id: string }>): Promise<TenantRow[]> {
    return tenantScope(this.database, tenantId, (manager) => {
      const query = manager
        .createQueryBuilder(TenantRow, 'tenant')
        .orderBy('tenant.foundedAt', 'ASC')
        .addOrderBy('tenant.id', 'ASC')
        .limit(limit);
      if (after) query.where('(tenant.foundedAt, tenant.id) > (:foundedAt, :id)', after);
      return query.getMany();
    });
  }
}
