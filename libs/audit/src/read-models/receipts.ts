import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idOf, type Principal } from '#libs/kernel';
import { Database, firstOfEach, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import type { TaskEvent } from '#libs/work';
import { statementIn, type Envelope } from '../dsse.js';
import type { Statement } from '../statement.js';

@Entity('receipts')
export class ReceiptRow {
  @PrimaryColumn('uuid', { name: 'receipt_id' }) receiptId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'task_id' }) taskId!: string;
  @Column('text', { name: 'audit_id' }) auditId!: string;
  @Column('text') title!: string;
  @Column('text', { name: 'requester_id' }) requesterId!: string;
  @Column('text') repository!: string;
  /** Git commit that was shipped. */
  @Column('text') revision!: string;
  @Column('timestamptz', { name: 'shipped_at' }) shippedAt!: string;
  @Column('timestamptz', { name: 'issued_at' }) issuedAt!: string;
  @Column('text', { name: 'key_id' }) keyId!: string;
  @Column('text', { name: 'statement_digest' }) statementDigest!: string;
  @Column('jsonb') envelope!: Envelope;
}

export const receipts: Projection<ReceiptRow, TaskEvent> = {
  name: 'receipts',
  version: 1,
  table: ReceiptRow,
  key: (event) => (event.type === 'ReceiptIssued' ? event.data.receiptId : undefined),
  evolve: {
    ReceiptIssued: (_, { data, meta, stream }, receiptId) => {
      const envelope = data.envelope as Envelope;
      const { chain } = (statementIn(envelope) as Statement).predicate;
      return {
        receiptId,
        tenantId: meta.tenantId,
        workspaceId: meta.workspaceId,
        taskId: idOf(stream),
        auditId: meta.auditId,
        title: chain.work.title,
        requesterId: chain.proposal.requester.id,
        repository: chain.work.scope.repository,
        revision: chain.shipped.revision,
        shippedAt: chain.shipped.at,
        issuedAt: data.at,
        keyId: data.keyId,
        statementDigest: data.statementDigest,
        envelope,
      };
    },
  },
  feed: (_, row) =>
    row && {
      kind: 'receipt',
      subject: row.receiptId,
      tenantId: row.tenantId,
      workspaceId: row.workspaceId,
      audience: { roles: ['operator'], principals: [row.requesterId] },
      data: { receiptId: row.receiptId, taskId: row.taskId, auditId: row.auditId, title: row.title, revision: row.revision },
    },
};

/** `after` is the last item of the page before. */
export type ReceiptFilter = Readonly<{ limit: number; after?: Readonly<{ issuedAt: string; receiptId: string }> }>;

@Injectable()
export class ReceiptsQuery {
  constructor(private readonly database: Database) {}

  /** Newest first: all of the viewer's workspaces for operators, their own for whoever asked for the work. */
  list(viewer: Principal, { limit, after }: ReceiptFilter): Promise<ReceiptRow[]> {
    return this.visible(viewer, (query) => {
      query.orderBy('receipt.issuedAt', 'DESC').addOrderBy('receipt.receiptId', 'DESC').limit(limit);
      if (after) query.andWhere('(receipt.issuedAt, receipt.receiptId) < (:issuedAt, :receiptId)', after);
      return firstOfEach(query, 'receiptId', { property: 'workspaceId', type: 'uuid', values: viewer.workspaceIds }).getMany();
    });
  }

  /** Undefined where there is none that this viewer may see. */
  async find(viewer: Principal, receiptId: string): Promise<ReceiptRow | undefined> {
    return (await this.visible(viewer, (query) => query.andWhere('receipt.receiptId = :receiptId', { receiptId }).getOne())) ?? undefined;
  }

  private visible<T>(viewer: Principal, read: (query: ReturnType<typeof receiptsOf>) => Promise<T>): Promise<T> {
    return tenantScope(this.database, viewer.tenantId, (manager) => {
      const query = receiptsOf(manager, viewer);
      if (!viewer.roles.includes('operator')) query.andWhere('receipt.requesterId = :requesterId', { requesterId: viewer.id });
      return read(query);
    });
  }
}

const receiptsOf = (manager: Parameters<Parameters<typeof tenantScope>[2]>[0], { workspaceIds }: Principal) =>
  manager.createQueryBuilder(ReceiptRow, 'receipt').where('receipt.workspaceId = any(:workspaceIds)', { workspaceIds });
