import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { idOf, type Principal } from '#libs/kernel';
import { anyOfEach, Database, firstOfEach, tenantScope, type OneOf } from '#libs/postgres';
import type { FeedEntry, Projection } from '#libs/projections';
import { evolveCard, type CardFold } from '../confirmations/card.js';
import { proposalStatuses, type ProposalEvent, type ProposalStatus, type RiskClass } from '../proposal.js';

@Entity('confirmations')
export class ConfirmationRow {
  @PrimaryColumn('uuid', { name: 'confirmation_id' }) confirmationId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') status!: ProposalStatus;
  @Column('text', { name: 'risk_class' }) riskClass!: RiskClass;
  @Column('int', { name: 'risk_level' }) riskLevel!: number;
  @Column('uuid', { name: 'requester_id' }) requesterId!: string;
  @Column('timestamptz', { name: 'submitted_at' }) submittedAt!: string;
  @Column('jsonb') card!: CardFold;
}

const next = (row: ConfirmationRow | undefined, event: Parameters<typeof evolveCard>[1]): ConfirmationRow | undefined => {
  const card = evolveCard(row?.card, event);
  return row && card && { ...row, status: card.status, card };
};

export const confirmations: Projection<ConfirmationRow, ProposalEvent> = {
  name: 'confirmations',
  version: 1,
  table: ConfirmationRow,
  key: (event) => idOf(event.stream),
  evolve: {
    ProposalSubmitted: (_, event, confirmationId) => ({
      confirmationId,
      tenantId: event.meta.tenantId,
      workspaceId: event.meta.workspaceId,
      status: 'pending',
      riskClass: event.data.risk.class,
      riskLevel: event.data.risk.level,
      requesterId: event.data.requester.id,
      submittedAt: event.data.submittedAt,
      card: evolveCard(undefined, event)!,
    }),
    ConfirmationApproved: next,
    ConfirmationDeclined: next,
    ConfirmationExpired: next,
    ConfirmationInvalidated: next,
    ProposalWithdrawn: next,
    ProposalSuperseded: next,
    MutationCommitted: next,
    MutationFailed: next,
  },
  feed: (event, row) => row && announcement(event.type, row),
};

const announcement = (type: string, row: ConfirmationRow): FeedEntry => ({
  kind: type === 'ProposalSubmitted' ? 'card' : 'card_closed',
  subject: row.confirmationId,
  tenantId: row.tenantId,
  workspaceId: row.workspaceId,
  audience: { roles: ['approver', 'operator'], principals: [row.requesterId, row.card.agent.id] },
  data: { confirmationId: row.confirmationId, status: row.status, card: row.card },
});

/** `after` is the last item of the page before. */
export type ConfirmationFilter = Readonly<{
  status?: ProposalStatus;
  risk?: RiskClass;
  workspaceIds: readonly string[];
  limit: number;
  after?: Readonly<{ level: number; submittedAt: string; confirmationId: string }>;
}>;

@Injectable()
export class ConfirmationsQuery {
  constructor(private readonly database: Database) {}

  /** Riskiest and oldest first: all of the workspace for those who decide or operate, their own for members. */
  list(viewer: Principal, filter: ConfirmationFilter): Promise<ConfirmationRow[]> {
    return tenantScope(this.database, viewer.tenantId, (manager) => this.listWithin(manager, viewer, filter));
  }

  /** As `list`, within a transaction that the caller holds (one snapshot for several reads). */
  listWithin(manager: EntityManager, viewer: Principal, filter: ConfirmationFilter): Promise<ConfirmationRow[]> {
    const query = manager
      .createQueryBuilder(ConfirmationRow, 'row')
      .orderBy('row.riskLevel', 'DESC')
      .addOrderBy('row.submittedAt', 'ASC')
      .addOrderBy('row.confirmationId', 'ASC')
      .limit(filter.limit);
    if (filter.risk) query.andWhere('row.riskClass = :risk', { risk: filter.risk });
    // TypeORM finds a property after a blank or a bracket, and not after a minus.
    if (filter.after)
      query.andWhere('(- row.riskLevel, row.submittedAt, row.confirmationId) > (:level, :submittedAt, :confirmationId)', {
        ...filter.after,
        level: -filter.after.level,
      });
    const among: OneOf[] = [
      { property: 'workspaceId', type: 'uuid', values: filter.workspaceIds },
      { property: 'status', type: 'text', values: filter.status ? [filter.status] : proposalStatuses },
    ];
    if (!viewer.roles.some((role) => role === 'approver' || role === 'operator'))
      return anyOfEach(query.andWhere('row.requesterId = :requesterId', { requesterId: viewer.id }), ...among).getMany();
    return firstOfEach(query, 'confirmationId', ...among).getMany();
  }
}
