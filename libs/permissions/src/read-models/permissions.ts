import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { idOf, type Principal, type Recorded } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { FeedEntry, Projection } from '#libs/projections';
import { evolve, type AskedPermission, type PermissionEvent, type PermissionStatus } from '../requests/permission.js';
import { entryOf } from '../requests/entry.js';

/** A request, or a call that ran by grants. */
@Entity('permissions')
export class PermissionRow {
  @PrimaryColumn('uuid', { name: 'permission_id' }) permissionId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'owner_id' }) ownerId!: string;
  @Column('uuid', { name: 'principal_id' }) principalId!: string;
  @Column('text', { name: 'agent_id' }) agentId!: string;
  @Column('text') status!: PermissionStatus;
  @Column('timestamptz', { name: 'requested_at' }) requestedAt!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: string;
  @Column('jsonb') permission!: AskedPermission;
  @Column('jsonb') policies!: readonly string[];
}

const first = (_: PermissionRow | undefined, event: Recorded<PermissionEvent>, permissionId: string): PermissionRow | undefined => {
  const permission = evolve({ status: 'none' }, event);
  if (permission.status === 'none' || !('proof' in event.data)) return undefined;
  return {
    permissionId,
    tenantId: event.meta.tenantId,
    workspaceId: event.meta.workspaceId,
    ownerId: permission.owner,
    principalId: permission.agent.id,
    agentId: permission.call.agentId,
    status: permission.status,
    requestedAt: 'requestedAt' in event.data ? event.data.requestedAt : event.data.at,
    expiresAt: permission.expiresAt,
    permission,
    policies: event.data.proof.policies,
  };
};

const next = (row: PermissionRow | undefined, event: Recorded<PermissionEvent>): PermissionRow | undefined => {
  if (!row) return undefined;
  const permission = evolve(row.permission, event);
  if (permission.status === 'none') return undefined;
  return { ...row, status: permission.status, permission, policies: 'proof' in event.data ? event.data.proof.policies : row.policies };
};

export const permissions: Projection<PermissionRow, PermissionEvent> = {
  name: 'permissions',
  version: 1,
  table: PermissionRow,
  key: (event) => idOf(event.stream),
  evolve: {
    PermissionRequested: first,
    PermissionApproved: (row, event, key) => (row ? next(row, event) : first(row, event, key)),
    PermissionAmended: next,
    PermissionRejected: next,
    PermissionExpired: next,
    PermissionConsumed: next,
    PermissionCancelled: next,
  },
  feed: (event, row) => row && announcement(event, row),
};

/** A call that ran by grants is announced like any other that is over: nobody has to do anything. */
const announcement = ({ type }: Recorded<PermissionEvent>, row: PermissionRow): FeedEntry => ({
  kind: type === 'PermissionRequested' || type === 'PermissionAmended' ? 'permission' : 'permission_closed',
  subject: row.permissionId,
  tenantId: row.tenantId,
  workspaceId: row.workspaceId,
  audience: { principals: [row.ownerId] },
  data: { requestId: row.permission.requestId, status: row.status, permission: entryOf(row) },
});

export type PermissionFilter = Readonly<{ agentId?: string; limit: number }>;

@Injectable()
export class PermissionsQuery {
  constructor(private readonly database: Database) {}

  /** The pending ones of this owner, oldest first. */
  pending(owner: Principal, filter: PermissionFilter): Promise<PermissionRow[]> {
    return tenantScope(this.database, owner.tenantId, (manager) => this.pendingWithin(manager, owner, filter));
  }

  /** As `pending`, within a transaction that the caller holds. */
  pendingWithin(manager: EntityManager, owner: Principal, { agentId, limit }: PermissionFilter): Promise<PermissionRow[]> {
    const query = manager
      .createQueryBuilder(PermissionRow, 'row')
      .where(`row.status = 'pending' and row.ownerId = :ownerId and row.workspaceId = any(:workspaceIds)`, {
        ownerId: owner.id,
        workspaceIds: owner.workspaceIds,
      })
      .andWhere('row.expiresAt > clock_timestamp()')
      .orderBy('row.requestedAt', 'ASC')
      .addOrderBy('row.permissionId', 'ASC')
      .limit(limit);
    if (agentId !== undefined) query.andWhere('row.agentId = :agentId', { agentId });
    return query.getMany();
  }

  /** What this agent asked of this owner, or ran by grants, since `since`: newest first. */
  history(owner: Principal, { principalId, agentId }: Readonly<{ principalId: string; agentId: string }>, since: string, limit: number) {
    return tenantScope(this.database, owner.tenantId, (manager) =>
      manager
        .createQueryBuilder(PermissionRow, 'row')
        .where('row.ownerId = :ownerId and row.principalId = :principalId and row.agentId = :agentId', {
          ownerId: owner.id,
          principalId,
          agentId,
        })
        .andWhere('row.requestedAt >= :since', { since })
        .orderBy('row.requestedAt', 'DESC')
        .limit(limit)
        .getMany(),
    );
  }
}
