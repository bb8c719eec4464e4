import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idOf } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import type { WorkspaceEvent } from '../tenants/workspace.js';

@Entity('workspaces')
export class WorkspaceRow {
  @PrimaryColumn('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('text') name!: string;
  @Column('uuid', { name: 'created_by' }) createdBy!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: string;
  @Column('timestamptz', { name: 'archived_at', nullable: true }) archivedAt!: string | null;
}

export const workspaces: Projection<WorkspaceRow, WorkspaceEvent> = {
  name: 'workspaces',
  version: 1,
  table: WorkspaceRow,
  key: (event) => idOf(event.stream),
  evolve: {
    WorkspaceCreated: (_, { data, meta }, workspaceId) => ({
      workspaceId,
      tenantId: meta.tenantId,
      name: data.name,
      createdBy: data.by,
      createdAt: data.at,
      archivedAt: null,
    }),
    WorkspaceArchived: (row, { data }) => row && { ...row, archivedAt: data.at },
  },
};

@Injectable()
export class WorkspacesQuery {
  constructor(private readonly database: Database) {}

  /** Workspaces of the tenant, oldest first: those of `workspaceIds`, and those that `principalId` opened. */
  list(
    tenantId: string,
    seen: Readonly<{ workspaceIds: readonly string[]; principalId: string }>,
    limit: number,
    after?: Readonly<{ createdAt: string; workspaceId: string }>,
  ): Promise<WorkspaceRow[]> {
    return tenantScope(this.database, tenantId, (manager) => {
      const query = manager
        .createQueryBuilder(WorkspaceRow, 'workspace')
        .where('(workspace.workspaceId = any(:workspaceIds) or workspace.createdBy = :principalId)', seen)
        .orderBy('workspace.createdAt', 'ASC')
        .addOrderBy('workspace.workspaceId', 'ASC')
        .limit(limit);
      if (after) query.andWhere('(workspace.createdAt, workspace.workspaceId) > (:createdAt, :workspaceId)', after);
      return query.getMany();
    });
  }
}
