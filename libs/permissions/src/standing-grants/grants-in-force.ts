import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, DomainError, type CommandMeta } from '#libs/kernel';
import { CALL_JUDGEMENT, type CallJudgement } from '../requests/call-judgement.js';
import { digestOfCall, whereOf, type ToolCall } from '../requests/call.js';
import { GrantsQuery } from '../read-models/grants.js';
import type { Verdict } from '../verdict.js';
import { isFor } from './grant.decider.js';
import { HandleGrant } from './grant.handler.js';

/** Ids of the grants whose use was noted, and the owner that gave them. */
export type Coverage = Readonly<{ grants: readonly string[]; owner: Readonly<{ id: string; name: string }> }>;

/** Whether standing approvals let a call through. */
@Injectable()
export class GrantsInForce {
  constructor(
    private readonly commands: CommandBus,
    private readonly query: GrantsQuery,
    @Inject(CALL_JUDGEMENT) private readonly judgement: CallJudgement,
  ) {}

  /** Of the agent's grants those that cover all of the call, by what read models know. */
  async find({ actor, workspaceId, at }: CommandMeta, call: ToolCall, verdict: Verdict): Promise<Coverage | undefined> {
    const rows = await this.query.candidates(actor, workspaceId, call.agentId);
    const caller = { ...callerOf(call), principalId: actor.id };
    const live = rows.filter(({ grant }) => isFor(grant, caller, at) && grant.owner === actor.accountableHuman);
    if (live.length === 0) return undefined;
    const covering = this.judgement.cover(
      call,
      verdict,
      live.map(({ grantId: id, grant: { scope } }) => ({ id, scope })),
    );
    if (!covering || covering.length === 0) return undefined;
    const { grant } = live.find(({ grantId }) => grantId === covering[0])!;
    return { grants: covering, owner: { id: grant.owner, name: grant.ownerName } };
  }

  /**
   * Notes the use in each grant's own stream, where a revocation lies as well: from the moment that one is revoked, on whatever
   * server, none of these succeeds. False where one of them covers nothing any more.
   */
  async use(meta: CommandMeta, { grants }: Coverage, requestId: string, call: ToolCall): Promise<boolean> {
    const data = { requestId, callDigest: digestOfCall(call), ...callerOf(call) };
    for (const grantId of grants) {
      const commandId = derivedId(meta.commandId, 'use', grantId);
      const command = {
        type: 'UseGrant' as const,
        data,
        meta: { ...meta, commandId, requestDigest: digestOf({ grantId, callDigest: data.callDigest }) },
      };
      try {
        await this.commands.execute(new HandleGrant(grantId, command));
      } catch (error) {
        if (error instanceof DomainError && ['grant/over', 'grant/not-found'].includes(error.refusal.code)) return false;
        throw error;
      }
    }
    return true;
  }
}

/** Under which name, where, and in which session the call is made. */
const callerOf = (call: ToolCall) => {
  const { agentId, sessionId } = call;
  const where = whereOf(call);
  return { agentId, ...(where !== undefined && { workspace: where }), ...(sessionId !== undefined && { sessionId }) };
};
