import { Injectable } from '@nestjs/common';
import { DomainError, EventStore, refusal, streamName } from '#libs/kernel';
import { answerUnavailable, Database } from '#libs/postgres';
import { PermissionSettings } from '../permission-settings.js';
import { permissionDecider } from './permission.decider.js';
import type { AskedPermission, Permission, PermissionEvent } from './permission.js';

/** A call that is about to be asked for. `ms` is how long its request may last. */
export type Asking = Readonly<{
  permissionId: string;
  tenantId: string;
  ownerId: string;
  principalId: string;
  callDigest: string;
  at: string;
  ms: number;
}>;

/** What waits for one owner: each call once, and no more of them than a person can answer. Holds on all servers. */
@Injectable()
export class PendingCalls {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly settings: PermissionSettings,
  ) {}

  /**
   * Makes room for a call: undefined where its request may now be written, the request that waits for this very call already where there
   * is one, and 429 `permission/too-many-pending` where too much waits.
   */
  async place(asking: Asking): Promise<AskedPermission | undefined> {
    for (let attempt = 1; ; attempt++) {
      const holder = await this.take(asking);
      if (holder === undefined) return undefined;
      const permission = await this.read(holder.permissionId);
      if (permission.status === 'pending' && asking.at < permission.expiresAt) return permission;
      // Its first event is being written by another request, unless that one failed.
      if (permission.status === 'none' && holder.ageMs < WRITTEN_WITHIN_MS && attempt < MOST_LOOKS)
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      else await this.release(holder.permissionId);
    }
  }

  /** Whoever holds the place of this call; undefined where it is now this request’s. */
  private take(asking: Asking): Promise<Readonly<{ permissionId: string; ageMs: number }> | undefined> {
    const { permissionId, tenantId, ownerId, principalId, callDigest, ms } = asking;
    return answerUnavailable(async () => {
      const client = await this.database.projector.connect();
      try {
        await client.query('begin');
        // One at a time for each owner, so that what is counted is what is there.
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`pending calls of ${ownerId}`]);
        await client.query(
          `delete from workbench.pending_calls place where owner_id = $1 and (expires_at < clock_timestamp() or exists (
             select from read_models.permissions known where known.permission_id = place.permission_id and known.status <> 'pending'))`,
          [ownerId],
        );
        const { rows } = await client.query<{ permission_id: string; principal_id: string; call_digest: string; age_ms: string }>(
          `select permission_id, principal_id, call_digest, extract(epoch from clock_timestamp() - taken_at) * 1000 as age_ms
           from workbench.pending_calls where owner_id = $1`,
          [ownerId],
        );
        const holder = rows.find((row) => row.principal_id === principalId && row.call_digest === callDigest);
        if (holder) {
          await client.query('rollback');
          const own = holder.permission_id === permissionId;
          return own ? undefined : { permissionId: holder.permission_id, ageMs: Number(holder.age_ms) };
        }
        const ofAgent = rows.filter((row) => row.principal_id === principalId).length;
        if (ofAgent >= this.settings.pendingPerAgent) throw tooMany('you asked for', ofAgent);
        if (rows.length >= this.settings.pendingPerOwner) throw tooMany('the agents of this owner asked for', rows.length);
        await client.query(
          `insert into workbench.pending_calls (permission_id, tenant_id, owner_id, principal_id, call_digest, expires_at)
           values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)) on conflict (permission_id) do nothing`,
          [permissionId, tenantId, ownerId, principalId, callDigest, ms / 1000],
        );
        await client.query('commit');
        return undefined;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    });
  }

  private async release(permissionId: string): Promise<void> {
    await answerUnavailable(() =>
      this.database.projector.query('delete from workbench.pending_calls where permission_id = $1', [permissionId]),
    );
  }

  private async read(permissionId: string): Promise<Permission> {
    const { events } = await this.store.readStream<PermissionEvent>(streamName(permissionDecider.category, permissionId));
    return events.reduce<Permission>((state, event) => permissionDecider.evolve(state, event), permissionDecider.initialState);
  }
}

const tooMany = (what: string, pending: number): DomainError =>
  new DomainError(
    refusal(
      'too_many',
      'permission/too-many-pending',
      `${pending} calls that ${what} wait for their owner. Wait for one with GET /api/permissions/{id}?waitMs=55000, or take one back with DELETE /api/permissions/{id}, and ask again.`,
      { pending, retryAfter: 5 },
    ),
  );

/** By then a request that is being made is there, or its maker has given up. */
const WRITTEN_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 50;
const MOST_LOOKS = 40;
