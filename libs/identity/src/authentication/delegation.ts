import { Injectable } from '@nestjs/common';
import { DomainError, newId, refusal, type Principal } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { IdentityDirectory } from '../identity-directory.js';
import { sideOf } from '../sides.js';
import type { Delegation } from './request-identity.js';
import { readToken, signToken } from './signed-token.js';
import { TokenKey } from './token-key.js';

type Minted = Readonly<{ id: string; tenantId: string; workspaceId: string; principalId: string; credentialId: string; expiresAt: string }>;

/** A short-lived token by which Eve acts for the human whose own credential minted it: `wbd_<payload>.<HMAC>`. */
@Injectable()
export class Delegations {
  constructor(
    private readonly directory: IdentityDirectory,
    private readonly clock: Clock,
    private readonly key: TokenKey,
  ) {}

  /** For `seconds` from now, in this workspace. Whether `human` may mint at all is the route's table to say. */
  mint(human: Principal, workspaceId: string, seconds: number): Readonly<{ delegation: string; expiresAt: string }> {
    const expiresAt = new Date(Date.parse(this.clock.now()) + seconds * 1000).toISOString();
    const { tenantId, id: principalId, credentialId } = human;
    const minted: Minted = { id: newId(), tenantId, workspaceId, principalId, credentialId, expiresAt };
    return { delegation: `wbd_${signToken(this.key.bytes, 'delegation', minted)}`, expiresAt };
  }

  /**
   * The human and the workspace that a token names. Refuses 403 `delegation/not-eve` (somebody else sends it),
   * `delegation/invalid`, `delegation/expired`, `delegation/foreign` (another tenant, or a workspace that is not Eve's), and
   * `delegation/revoked` (the human's credential is of no use by now).
   */
  async redeem(actor: Principal, token: string): Promise<Readonly<{ delegation: Delegation; workspaceId: string }>> {
    if (sideOf(actor.roles) !== 'eve') throw no('delegation/not-eve', 'Only Eve acts on behalf of others. Leave Workbench-Delegation out.');
    const minted = token.startsWith('wbd_') ? readToken<Minted>(this.key.bytes, 'delegation', token.slice(4)) : undefined;
    if (!minted) throw no('delegation/invalid', 'This delegation is not valid. Ask the human for a new one.');
    if (minted.expiresAt <= this.clock.now())
      throw no('delegation/expired', `This delegation expired at ${minted.expiresAt}. Ask the human for a new one.`);
    if (minted.tenantId !== actor.tenantId || !actor.workspaceIds.includes(minted.workspaceId))
      throw no('delegation/foreign', 'This delegation is for another workspace.');
    const { principal, active } = await this.directory.principalOf(minted.credentialId);
    if (!active || sideOf(principal.roles) !== 'people' || !principal.workspaceIds.includes(minted.workspaceId))
      throw no('delegation/revoked', 'The credential behind this delegation is of no use any more. Ask the human for a new one.');
    const { id: principalId, credentialId, name, roles } = principal;
    return { delegation: { id: minted.id, principalId, credentialId, name, roles }, workspaceId: minted.workspaceId };
  }
}

const no = (code: string, detail: string): DomainError => new DomainError(refusal('forbidden', code, detail));
