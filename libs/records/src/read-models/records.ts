import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { idOf } from '#libs/kernel';
import { Database, firstOfEach, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import { applyChanges, recordKinds, type Fields, type RecordKind } from '../fields.js';
import type { RecordEvent } from '../record.js';

@Entity('records')
export class RecordRow {
  @PrimaryColumn('uuid', { name: 'record_id' }) recordId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') kind!: RecordKind;
  @Column('text') title!: string;
  @Column('text') status!: 'active' | 'archived';
  @Column('jsonb') fields!: Fields;
  /** Decimal string. */
  @Column('bigint') revision!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: string;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: string;
}

export const records: Projection<RecordRow, RecordEvent> = {
  name: 'records',
  version: 1,
  table: RecordRow,
  key: (event) => (event.stream.startsWith('record-') ? idOf(event.stream) : undefined),
  evolve: {
    RecordCreated: (_, { data, meta, revision }, recordId) => ({
      recordId,
      tenantId: meta.tenantId,
      workspaceId: meta.workspaceId,
      kind: data.kind,
      title: data.fields['title'] as string,
      status: 'active',
      fields: data.fields,
      revision: revision.toString(),
      createdAt: data.at,
      updatedAt: data.at,
    }),
    RecordChanged: (row, { data, revision }) => {
      if (!row) return undefined;
      const fields = applyChanges(
        row.fields,
        Object.fromEntries(Object.entries(data.changes).map(([name, change]) => [name, change.after])),
      );
      return { ...row, fields, title: fields['title'] as string, revision: revision.toString(), updatedAt: data.at };
    },
    RecordArchived: (row, { data, revision }) => row && { ...row, status: 'archived', revision: revision.toString(), updatedAt: data.at },
  },
  feed: (_, row) =>
    row && {
      kind: 'record',
      subject: row.recordId,
      tenantId: row.tenantId,
      workspaceId: row.workspaceId,
      audience: { roles: ['approver', 'operator', 'member'] },
      data: { recordId: row.recordId, kind: row.kind, title: row.title, status: row.status, revision: row.revision },
    },
};

@Injectable()
export class RecordsQuery {
  constructor(private readonly database: Database) {}

  /** A page of records in the order of their ids, after the id `after`. */
  list(
    tenantId: string,
    filter: Readonly<{ workspaceIds: readonly string[]; kind?: RecordKind; after?: string; limit: number }>,
  ): Promise<RecordRow[]> {
    return tenantScope(this.database, tenantId, (manager) => {
      const query = manager.createQueryBuilder(RecordRow, 'record').orderBy('record.recordId', 'ASC').limit(filter.limit);
      if (filter.after) query.andWhere('record.recordId > :after', { after: filter.after });
      return firstOfEach(
        query,
        'recordId',
        { property: 'workspaceId', type: 'uuid', values: filter.workspaceIds },
        { property: 'kind', type: 'text', values: filter.kind ? [filter.kind] : recordKinds },
      ).getMany();
    });
  }

  /** The present revisions (decimal strings) of these records, as far as the projection knows. */
  revisions(tenantId: string, recordIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return tenantScope(this.database, tenantId, (manager) => this.revisionsWithin(manager, recordIds));
  }

  /** As `revisions`, within a transaction that the caller holds. */
  async revisionsWithin(manager: EntityManager, recordIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await manager
      .createQueryBuilder(RecordRow, 'record')
      .select(['record.recordId', 'record.revision'])
      .where('record.recordId = any(:recordIds)', { recordIds })
      .getMany();
    return new Map(rows.map((row) => [row.recordId, row.revision]));
  }
}
