import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { parseJson } from '#libs/http';
import { IdentityDirectory } from '#libs/identity';
import { DomainError, isTransient, refusal, type CommandMeta, type Handled, type Recorded } from '#libs/kernel';
import { Positions } from '#libs/projections';
import { ToolPolicy } from '../policy/tool-policy.js';
import { createGrants } from '../standing-grants/create-grants.js';
import { PermissionSettings } from '../permission-settings.js';
import { isOwner, type Modified } from './deciding.js';
import { withInput } from './call.js';
import type { DecisionName } from './entry.js';
import { HandlePermission } from './permission.handler.js';
import type { Permission, PermissionApproved, PermissionEvent } from './permission.js';
import { notFound } from './refusals.js';
import { Requests, type Found } from './requests.js';
import { ToolGate } from './tool-gate.js';

/** `presentedDigest` is that of what the owner was shown; a decision on anything else is refused. */
export type OwnerDecision = Readonly<{
  requestId: string;
  decision: DecisionName;
  feedback?: string;
  modifiedInput?: string;
  presentedDigest?: string;
}>;
/**
 * `success` is false where the modified input is judged worse than what was shown: the owner is asked again, for that one.
 * `remembered` says whether a standing approval was made, `grants` which.
 */
export type DecisionAnswer = Readonly<{
  success: boolean;
  requestId: string;
  decision: DecisionName;
  tier: string;
  reason: string;
  remembered: boolean;
  grants: readonly string[];
  position: string;
}>;

/** An owner's yes or no, by whatever way it comes in. */
@Injectable()
export class OwnerDecisions {
  constructor(
    private readonly commands: CommandBus,
    private readonly requests: Requests,
    private readonly gate: ToolGate,
    private readonly policy: ToolPolicy,
    private readonly directory: IdentityDirectory,
    private readonly settings: PermissionSettings,
    private readonly positions: Positions,
  ) {}

  async decide(meta: CommandMeta, wish: OwnerDecision): Promise<DecisionAnswer> {
    const { requestId, decision, feedback, modifiedInput, presentedDigest } = wish;
    const found = await this.requests.find(meta, requestId, 'decide');
    if (!isOwner(meta.actor, found.permission)) throw new DomainError(notFound());
    const said = { ...(feedback !== undefined && { feedback }), ...(presentedDigest !== undefined && { presentedDigest }) };
    if (decision === 'reject') {
      const handled = await this.send(found, { type: 'RejectPermission', data: said, meta });
      return answerFor(handled, requestId, decision, []);
    }
    const modified = modifiedInput === undefined ? undefined : await this.weighModified(meta, found, modifiedInput);
    const data = { ...said, remember: decision === 'approve_always', ...(modified && { modified }), proof: found.proof };
    const handled = await this.send(found, { type: 'ApprovePermission', data, meta });
    const approval = handled.events.find((event): event is Recorded<PermissionApproved> => event.type === 'PermissionApproved');
    const grants = approval ? await this.remember(meta, found, approval) : [];
    return answerFor(handled, requestId, decision, grants);
  }

  private send({ permissionId }: Found, command: HandlePermission['command']): Promise<Handled<Permission, PermissionEvent>> {
    return this.commands.execute(new HandlePermission(permissionId, command));
  }

  /** Should we not get to the end of this, a reactor does. The answer waits until the next call can find the grants. */
  private async remember(meta: CommandMeta, { permission }: Found, approval: Recorded<PermissionApproved>): Promise<readonly string[]> {
    try {
      const created = await createGrants(this.commands, approval, permission, meta, this.settings);
      const last = created.at(-1);
      if (last) await this.positions.waitFor(last.position, SHOWN_MS).catch(() => undefined);
      return created.map(({ id }) => id);
    } catch (error) {
      if (!isTransient(error)) throw error;
      return [];
    }
  }

  private async weighModified(
    meta: CommandMeta,
    { permission, credentialId, workspaceId }: Found,
    modifiedInput: string,
  ): Promise<Modified> {
    const call = withInput(permission.call, modifiedInput, parseInput);
    if (!call) throw notAnInput();
    const { principal } = await this.directory.principalOf(credentialId);
    const { judged, facts } = await this.gate.weigh({ ...meta, workspaceId, actor: principal }, call);
    const blocked = this.policy.dispose(principal, { ...facts, approved: true }).outcome !== 'run';
    return { toolInput: call.toolInput, judged, blocked };
  }
}

const SHOWN_MS = 2_000;

const answerFor = (
  { state, position }: Handled<Permission, PermissionEvent>,
  requestId: string,
  decision: DecisionName,
  grants: readonly string[],
): DecisionAnswer => {
  if (state.status === 'none') throw new Error('A decision left nothing.');
  const { tier, reason } = state.judged;
  return { success: state.status !== 'pending', requestId, decision, tier, reason, remembered: grants.length > 0, grants, position };
};

const parseInput = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const notAnInput = (): DomainError =>
  new DomainError(
    refusal('invalid', 'permission/modified-input', 'modifiedInput has to be the whole input of this tool, a JSON object as text.'),
  );
