import { Injectable } from '@nestjs/common';
import { DomainError, EventStore, refusal, type Principal, type Refusal } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { credentialDecider } from './credentials/credential.decider.js';
import type { IssuedCredential } from './credentials/credential.js';
import { load } from './load.js';
import { PrincipalsQuery } from './read-models/principals.js';
import { faultOf } from './sides.js';
import { tenantDecider } from './tenants/tenant.js';
import { workspaceDecider, type Workspace } from './tenants/workspace.js';

/** A principal by one of its credentials, at this moment; `why` says why it may not act. Archived workspaces are left out. */
export type Standing = Readonly<{ principal: Principal; active: boolean; why?: Refusal }>;

/** How long a server may go on in a workspace that was archived on another one. Revoking a credential acts at once. */
const WORKSPACE_TRUSTED_MS = 2000;

/** Who somebody is, from the streams: strong on every server, and right while projections stand still. */
@Injectable()
export class IdentityDirectory {
  private readonly workspaces = new Map<string, Readonly<{ workspace: Workspace; until: number }>>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly principals: PrincipalsQuery,
  ) {}

  /** The credential as it is now; a reactor asks again before it acts on somebody's authority. Unknown: 404 `credential/not-found`. */
  async principalOf(credentialId: string): Promise<Standing> {
    const credential = await this.credential(credentialId);
    if (!credential) throw new DomainError(refusal('not_found', 'credential/not-found', 'There is no such credential.'));
    return this.standingOf(credential);
  }

  /** Display names by principal id, from the read model of this tenant; an unknown id is left out. */
  namesOf(tenantId: string, principalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.principals.names(tenantId, principalIds);
  }

  /** Undefined where no such credential was ever issued. */
  async credential(credentialId: string): Promise<IssuedCredential | undefined> {
    const credential = await load(this.store, credentialDecider, credentialId);
    return credential.status === 'none' ? undefined : credential;
  }

  async standingOf(credential: IssuedCredential): Promise<Standing> {
    const { workspaceIds } = credential.principal;
    const states = await Promise.all(workspaceIds.map((id) => this.workspace(id)));
    const principal = { ...credential.principal, workspaceIds: workspaceIds.filter((_, index) => states[index]!.status === 'active') };
    const why = whyNot(credential, principal, this.clock.now());
    return why ? { principal, active: false, why } : { principal, active: true };
  }

  /** At most two seconds old. */
  async workspace(id: string): Promise<Workspace> {
    const known = this.workspaces.get(id);
    if (known && known.until > performance.now()) return known.workspace;
    const workspace = await load(this.store, workspaceDecider, id);
    if (workspace.status !== 'none') this.workspaces.set(id, { workspace, until: performance.now() + WORKSPACE_TRUSTED_MS });
    return workspace;
  }

  async tenantName(id: string): Promise<string> {
    const tenant = await load(this.store, tenantDecider, id);
    return tenant.status === 'none' ? id : tenant.name;
  }
}

const whyNot = (credential: IssuedCredential, principal: Principal, now: string): Refusal | undefined => {
  if (credential.revoked) return refusal('unauthenticated', 'auth/revoked', 'This credential was revoked. Ask an operator for another.');
  if (credential.expiresAt <= now)
    return refusal('unauthenticated', 'auth/expired', `This credential expired at ${credential.expiresAt}. Ask an operator for another.`);
  const fault = faultOf(principal);
  return fault && refusal('forbidden', fault.code, fault.detail);
};
