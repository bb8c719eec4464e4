import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idOf, type Principal, type Recorded } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import { evolve, type GrantEvent, type KnownGrant } from '../standing-grants/grant.js';

@Entity('grants')
export class GrantRow {
  @PrimaryColumn('uuid', { name: 'grant_id' }) grantId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'owner_id' }) ownerId!: string;
  @Column('uuid', { name: 'principal_id' }) principalId!: string;
  @Column('text', { name: 'agent_id' }) agentId!: string;
  @Column('text') status!: KnownGrant['status'];
  @Column('timestamptz', { name: 'created_at' }) createdAt!: string;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: string | null;
  @Column('jsonb', { name: 'state' }) grant!: KnownGrant;
}

const next = (row: GrantRow | undefined, event: Recorded<GrantEvent>): GrantRow | undefined => {
  if (!row) return undefined;
  const grant = evolve(row.grant, event);
  return grant.status === 'none' ? undefined : { ...row, status: grant.status, grant };
};

export const grants: Projection<GrantRow, GrantEvent> = {
  name: 'grants',
  version: 1,
  table: GrantRow,
  key: (event) => idOf(event.stream),
  evolve: {
    GrantCreated: (_, event, grantId) => ({
      grantId,
      tenantId: event.meta.tenantId,
      workspaceId: event.meta.workspaceId,
      ownerId: event.data.owner,
      principalId: event.data.holder.principalId,
      agentId: event.data.holder.agentId,
      status: 'active',
      createdAt: event.data.at,
      lastUsedAt: null,
      grant: evolve({ status: 'none' }, event) as KnownGrant,
    }),
    GrantUsed: (row, event) => {
      const used = next(row, event);
      return used && { ...used, lastUsedAt: event.data.at };
    },
    GrantRevoked: next,
    GrantExpired: next,
  },
  feed: (_, row) =>
    row && {
      kind: 'grant',
      subject: row.grantId,
      tenantId: row.tenantId,
      workspaceId: row.workspaceId,
      audience: { principals: [row.ownerId] },
      data: { grantId: row.grantId, status: row.status, uses: row.grant.uses },
    },
};

/** Where a page begins: after this row. */
export type GrantCursor = Readonly<{ createdAt: string; grantId: string }>;
const MOST = 500;

@Injectable()
export class GrantsQuery {
  constructor(private readonly database: Database) {}

  /** Of this owner, newest first. */
  list(owner: Principal, status: KnownGrant['status'] | undefined, limit: number, after?: GrantCursor): Promise<GrantRow[]> {
    return tenantScope(this.database, owner.tenantId, (manager) => {
      const query = manager
        .createQueryBuilder(GrantRow, 'row')
        .where('row.ownerId = :ownerId and row.workspaceId = any(:workspaceIds)', { ownerId: owner.id, workspaceIds: owner.workspaceIds })
        .orderBy('row.createdAt', 'DESC')
        .addOrderBy('row.grantId', 'DESC')
        .limit(limit);
      if (status) query.andWhere('row.status = :status', { status });
      if (after) query.andWhere('(row.createdAt, row.grantId) < (:createdAt, :grantId)', after);
      return query.getMany();
    });
  }

  /** What might cover a call of this agent. Whether one still does, its stream says: this only says where to look. */
  candidates(agent: Principal, workspaceId: string, agentId: string): Promise<GrantRow[]> {
    return tenantScope(this.database, agent.tenantId, (manager) =>
      manager
        .createQueryBuilder(GrantRow, 'row')
        .where(`row.status = 'active' and row.principalId = :principalId and row.agentId = :agentId and row.workspaceId = :workspaceId`, {
          principalId: agent.id,
          agentId,
          workspaceId,
        })
        .orderBy('row.createdAt', 'DESC')
        .limit(MOST)
        .getMany(),
    );
  }
}
