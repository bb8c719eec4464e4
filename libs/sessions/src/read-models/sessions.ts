import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idOf, type Principal, type Recorded } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';
import type { FeedEntry, Projection } from '#libs/projections';
import { evolve, pendingIn, type KnownSession, type SessionState } from '../session.js';
import type { SessionEvent } from '../session-events.js';

/** A session with what waits in it; what was resolved stays in the stream alone. */
@Entity('sessions')
export class SessionRow {
  @PrimaryColumn('uuid', { name: 'session_id' }) sessionId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'owner_id' }) ownerId!: string;
  @Column('uuid', { name: 'runner_id' }) runnerId!: string;
  @Column('text') status!: KnownSession['status'];
  @Column('int') pending!: number;
  @Column('timestamptz', { name: 'started_at' }) startedAt!: string;
  @Column('jsonb') session!: KnownSession;
}

const next = (row: SessionRow | undefined, event: Recorded<SessionEvent>): SessionRow | undefined =>
  row && rowOf(row, evolve(row.session, event));

const rowOf = (row: Pick<SessionRow, 'sessionId' | 'tenantId' | 'workspaceId'>, session: SessionState): SessionRow | undefined => {
  if (session.status === 'none') return undefined;
  const pending = pendingIn(session);
  return {
    sessionId: row.sessionId,
    tenantId: row.tenantId,
    workspaceId: row.workspaceId,
    ownerId: session.owner,
    runnerId: session.runner.id,
    status: session.status,
    pending: pending.length,
    startedAt: session.at,
    session: { ...session, approvals: Object.fromEntries(pending.map((approval) => [approval.approvalId, approval])) },
  };
};

export const sessions: Projection<SessionRow, SessionEvent> = {
  name: 'sessions',
  version: 1,
  table: SessionRow,
  key: (event) => idOf(event.stream),
  evolve: {
    SessionStarted: (_, event, sessionId) =>
      rowOf({ sessionId, tenantId: event.meta.tenantId, workspaceId: event.meta.workspaceId }, evolve({ status: 'none' }, event)),
    ChildSessionStarted: next,
    ApprovalRequested: next,
    ApprovalAmended: next,
    ApprovalResolved: next,
    SessionGrantStored: next,
    SessionGrantRevoked: next,
    SessionCancelled: next,
  },
  feed: (event, row) => row && announcement(event, row),
};

/** An announcement decides nothing; whoever waits looks into the stream. */
const announcement = ({ type, data }: Recorded<SessionEvent>, row: SessionRow): FeedEntry => ({
  kind: KINDS[type],
  subject: row.sessionId,
  tenantId: row.tenantId,
  workspaceId: row.workspaceId,
  audience: { principals: [row.ownerId, row.runnerId] },
  data: {
    sessionId: row.sessionId,
    status: row.status,
    pending: row.pending,
    ...('approvalId' in data && { approvalId: data.approvalId }),
    event: data,
  },
});

const KINDS: Readonly<Record<SessionEvent['type'], string>> = {
  SessionStarted: 'session',
  ChildSessionStarted: 'session',
  SessionCancelled: 'session',
  ApprovalRequested: 'session_approval',
  ApprovalAmended: 'session_approval',
  ApprovalResolved: 'session_approval_closed',
  SessionGrantStored: 'session_grant',
  SessionGrantRevoked: 'session_grant',
};

/** So many streams are read for one preview. */
const MOST_RECENT = 100;

/** `after` is the last item of the page before. */
export type SessionFilter = Readonly<{
  status?: KnownSession['status'];
  limit: number;
  after?: Readonly<{ startedAt: string; sessionId: string }>;
}>;

@Injectable()
export class SessionsQuery {
  constructor(private readonly database: Database) {}

  /** Of this owner and runner: those that began since then, and the newest before, in which a run may still go on. */
  async recent(owner: Principal, runnerId: string, since: string): Promise<string[]> {
    const rows = await tenantScope(this.database, owner.tenantId, (manager) =>
      manager
        .createQueryBuilder(SessionRow, 'row')
        .select(['row.sessionId'])
        .where('row.ownerId = :ownerId and row.runnerId = :runnerId and row.workspaceId = any(:workspaceIds)', {
          ownerId: owner.id,
          runnerId,
          workspaceIds: owner.workspaceIds,
        })
        .andWhere(`(row.startedAt >= :since or row.status = 'running')`, { since })
        .orderBy('row.startedAt', 'DESC')
        .limit(MOST_RECENT)
        .getMany(),
    );
    return rows.map(({ sessionId }) => sessionId);
  }

  /** Those that the reader runs or is accountable for, newest first. */
  list(reader: Principal, { status, limit, after }: SessionFilter): Promise<SessionRow[]> {
    return tenantScope(this.database, reader.tenantId, (manager) => {
      const query = manager
        .createQueryBuilder(SessionRow, 'row')
        .where('(row.ownerId = :id or row.runnerId = :id) and row.workspaceId = any(:workspaceIds)', {
          id: reader.id,
          workspaceIds: reader.workspaceIds,
        })
        .orderBy('row.startedAt', 'DESC')
        .addOrderBy('row.sessionId', 'DESC')
        .limit(limit);
      if (status) query.andWhere('row.status = :status', { status });
      if (after) query.andWhere('(row.startedAt, row.sessionId) < (:startedAt, :sessionId)', after);
      return query.getMany();
    });
  }
}
