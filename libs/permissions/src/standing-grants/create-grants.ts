import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, DomainError, idOf, type CommandMeta, type Recorded } from '#libs/kernel';
import type { PermissionSettings } from '../permission-settings.js';
import type { AskedPermission, PermissionApproved } from '../requests/permission.js';
import { whereOf } from '../requests/call.js';
import { HandleGrant } from './grant.handler.js';

export type CreatedGrant = Readonly<{ id: string; position: string }>;

/** What an approval is to be remembered as, a grant a scope. Done again it changes nothing: ids derive from the approval. */
export async function createGrants(
  commands: CommandBus,
  approval: Recorded<PermissionApproved>,
  { call, agent, requestId }: AskedPermission,
  meta: CommandMeta,
  settings: PermissionSettings,
): Promise<readonly CreatedGrant[]> {
  const created: CreatedGrant[] = [];
  const where = whereOf(call);
  for (const [index, scope] of approval.data.remember.entries()) {
    const id = derivedId(idOf(approval.stream), 'grant', String(index));
    const data = {
      owner: approval.data.by.id,
      ownerName: approval.data.by.name,
      holder: { principalId: agent.id, agentId: call.agentId, ...(where !== undefined && { workspace: where }) },
      scope,
      from: requestId,
      maxUses: settings.grantUses,
      ms: settings.grantMs,
    };
    const own = {
      ...meta,
      // Where the agent asked, wherever its owner decides.
      workspaceId: approval.meta.workspaceId,
      commandId: derivedId(approval.id, 'grant', String(index)),
      requestDigest: digestOf({ approval: approval.id, index }),
      causationId: approval.id,
      auditId: approval.meta.auditId,
    };
    try {
      const { position } = await commands.execute(new HandleGrant(id, { type: 'CreateGrant', data, meta: own }));
      created.push({ id, position });
    } catch (error) {
      if (!(error instanceof DomainError && error.refusal.code === 'grant/ungrantable')) throw error;
    }
  }
  return created;
}
