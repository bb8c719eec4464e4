import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type CommandMeta } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { PermissionsQuery, type PermissionRow } from '../read-models/permissions.js';
import { CALL_JUDGEMENT, type CallJudgement } from '../requests/call-judgement.js';
import { whereOf } from '../requests/call.js';
import { isOwner } from '../requests/deciding.js';
import { entryOf } from '../requests/entry.js';
import { inputOf } from '../requests/permission.js';
import { offered } from '../requests/presented.js';
import { notFound } from '../requests/refusals.js';
import { Requests } from '../requests/requests.js';
import type { GrantScope } from './grant.js';

const DAYS = 30;
const MOST_CALLS = 2_000;
const MOST_SHOWN = 20;

/** What an approval that is remembered would cover: the very scopes that `approve_always` then makes, held against what happened. */
@Injectable()
export class GrantPreview {
  constructor(
    private readonly requests: Requests,
    private readonly query: PermissionsQuery,
    private readonly clock: Clock,
    @Inject(CALL_JUDGEMENT) private readonly judgement: CallJudgement,
  ) {}

  async of(meta: CommandMeta, requestId: string) {
    const { permission } = await this.requests.find(meta, requestId, 'preview');
    const owner = meta.actor;
    if (!isOwner(owner, permission)) throw new DomainError(notFound());
    const scopes = offered(permission.judged);
    const since = new Date(Date.parse(this.clock.now()) - DAYS * 86_400_000).toISOString();
    const { agent, call } = permission;
    const past = await this.query.history(owner, { principalId: agent.id, agentId: call.agentId }, since, MOST_CALLS);
    const others = past.filter((row) => row.permission.requestId !== requestId && whereOf(row.permission.call) === whereOf(call));
    const covered = scopes.length > 0 ? others.filter((row) => this.covers(scopes, row)) : [];
    const denied = covered.filter(({ status }) => status === 'rejected');
    return {
      requestId,
      grantable: scopes.length > 0,
      ...(permission.judged.ungrantable !== undefined && { ungrantable: permission.judged.ungrantable }),
      scopes,
      days: DAYS,
      calls: others.length,
      covered: covered.length,
      denied: denied.length,
      coveredCalls: covered.slice(0, MOST_SHOWN).map(entryOf),
      deniedCalls: denied.slice(0, MOST_SHOWN).map(entryOf),
    };
  }

  /** Judged by the present table, as the next call would be. What cannot be judged is not covered. */
  private covers(scopes: readonly GrantScope[], { permission }: PermissionRow): boolean {
    if (permission.judged.files) return false;
    const call = { ...permission.call, toolInput: inputOf(permission) };
    try {
      const verdict = this.judgement.judge(call);
      const candidates = scopes.map((scope, index) => ({ id: String(index), scope }));
      return verdict.grantable && this.judgement.cover(call, verdict, candidates) !== undefined;
    } catch {
      return false;
    }
  }
}
