import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Author, Event, Principal, Recorded } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { Projection } from '#libs/projections';
import { DUTIES } from '../separation.js';

@Entity('audit_entries')
export class AuditEntryRow {
  @PrimaryColumn('uuid', { name: 'event_id' }) eventId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  /** Decimal string, as are all positions and revisions. */
  @Column('bigint') position!: string;
  @Column('text') stream!: string;
  @Column('bigint') revision!: string;
  @Column('text') type!: string;
  @Column('text', { name: 'actor_id' }) actorId!: string;
  @Column('text', { name: 'actor_kind' }) actorKind!: Author['kind'];
  @Column('text', { name: 'credential_id' }) credentialId!: string;
  @Column('text', { name: 'on_behalf_of', nullable: true }) onBehalfOf!: string | null;
  @Column('timestamptz') at!: string;
  @Column('text', { name: 'audit_id' }) auditId!: string;
  @Column('text', { name: 'content_hash' }) contentHash!: string;
}

const entry = (_: unknown, { id, stream, revision, position, recordedAt, type, meta }: Recorded): AuditEntryRow => ({
  eventId: id,
  tenantId: meta.tenantId,
  workspaceId: meta.workspaceId,
  position,
  stream,
  revision: revision.toString(),
  type,
  actorId: meta.actor.id,
  actorKind: meta.actor.kind,
  credentialId: meta.credentialId,
  onBehalfOf: meta.onBehalfOf ?? null,
  at: recordedAt,
  auditId: meta.auditId,
  contentHash: meta.contentHash,
});

/** Every event of every context leaves one row here; the events that have a duty are all there are. */
export const auditEntries: Projection<AuditEntryRow, Event> = {
  name: 'audit_entries',
  version: 1,
  table: AuditEntryRow,
  key: (event) => event.id,
  insertOnly: true,
  evolve: Object.fromEntries(Object.keys(DUTIES).map((type) => [type, entry])),
};

@Injectable()
export class AuditQuery {
  constructor(private readonly database: Database) {}

  /** What happened under one audit id in the viewer's workspaces, in the order of the store, behind the position `after`. */
  lineage(viewer: Principal, auditId: string, { limit, after }: Readonly<{ limit: number; after?: string }>): Promise<AuditEntryRow[]> {
    return tenantScope(this.database, viewer.tenantId, (manager) => {
      const query = manager
        .createQueryBuilder(AuditEntryRow, 'entry')
        .where('entry.auditId = :auditId', { auditId })
        .andWhere('entry.workspaceId = any(:workspaceIds)', { workspaceIds: viewer.workspaceIds })
        .orderBy('entry.position', 'ASC')
        .limit(limit);
      if (after !== undefined) query.andWhere('entry.position > :after', { after });
      return query.getMany();
    });
  }
}
