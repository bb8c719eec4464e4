import { createHmac, randomBytes } from 'node:crypto';
import {
  derivedId,
  handleCommand,
  sha256,
  systemPrincipal,
  type CommandMeta,
  type EventStore,
  type Principal,
  type Role,
} from '#libs/kernel';
import { secret, type Clock, type Database } from '#libs/postgres';
import { credentialDecider } from './credentials/credential.decider.js';
import { bearerOf, prepareIssue } from './credentials/issue.js';
import { QUEUES, VERIFICATION_WORKER } from './sides.js';
import { ROOT_TENANT_ID, tenantDecider } from './tenants/tenant.js';
import { workspaceDecider } from './tenants/workspace.js';

export const ROOT_WORKSPACE_ID = derivedId('workspace', 'root');

/**
 * `demo`: the tenant "Demo" with one workspace and one credential a role (and a second approver, for four eyes).
 * `operator`: the same tenant and workspace with the operator alone, for production: sign in with it, issue your own
 * credentials, revoke it. `none`: nothing.
 */
export type BootstrapMode = 'demo' | 'operator' | 'none';

/** A ready-made bearer credential; `role` is the one that it is for. */
export type ReadyCredential = Readonly<{ role: Role; name: string; credential: string }>;

type Cast = Readonly<{ name: string; kind: Principal['kind']; role: Role; capabilities?: readonly string[]; accountable?: string }>;
const OTTO: Cast = { name: 'Otto Operator', kind: 'human', role: 'operator' };
const DEMO: readonly Cast[] = [
  { name: 'Mia Member', kind: 'human', role: 'member' },
  { name: 'Ann Approver', kind: 'human', role: 'approver' },
  { name: 'Ben Approver', kind: 'human', role: 'approver' },
  OTTO,
  { name: 'Ian Member', kind: 'human', role: 'member' },
  { name: 'Val Member', kind: 'human', role: 'member' },
  { name: 'Eve', kind: 'agent', role: 'eve', accountable: 'Mia Member' },
  { name: 'Ida Implementer', kind: 'agent', role: 'implementer', capabilities: QUEUES, accountable: 'Ian Member' },
  { name: 'Vera Verifier', kind: 'service', role: 'verifier', capabilities: [VERIFICATION_WORKER], accountable: 'Val Member' },
];
const YEARS = 10;

/**
 * What an installation starts with; doing it again changes nothing. All secrets derive from one random seed kept in
 * PostgreSQL, so that every start can show the same credentials; one that was revoked or has expired is left out. With a new seed
 * (a new database beside an old event store) new credentials are issued. The caller shows the result once and logs it nowhere.
 */
export async function bootstrap(
  store: EventStore,
  database: Database,
  clock: Clock,
  mode: BootstrapMode,
): Promise<readonly ReadyCredential[]> {
  if (mode === 'none') return [];
  const seed = await secret(database, 'bootstrap-seed', () => randomBytes(32));
  const seedId = sha256(seed);
  const at = clock.now();
  const expiresAt = new Date(Date.parse(at));
  expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + YEARS);

  const name = mode === 'demo' ? 'Demo' : 'Root';
  await handleCommand(store, tenantDecider, ROOT_TENANT_ID, {
    type: 'CreateTenant',
    data: { name, foundedIn: ROOT_TENANT_ID },
    meta: metaOf(at, 'tenant'),
  });
  await handleCommand(store, workspaceDecider, ROOT_WORKSPACE_ID, {
    type: 'CreateWorkspace',
    data: { name: 'Main' },
    meta: metaOf(at, 'workspace'),
  });

  const principalOf = (who: string): string => derivedId('bootstrap-principal', seedId, who);
  const ready: ReadyCredential[] = [];
  for (const { name, kind, role, capabilities = [], accountable } of mode === 'demo' ? DEMO : [OTTO]) {
    const wish = {
      kind,
      name,
      roles: [role],
      capabilities,
      workspaceIds: [ROOT_WORKSPACE_ID],
      expiresAt: expiresAt.toISOString(),
      ...(accountable !== undefined && { accountableHuman: principalOf(accountable) }),
    };
    const prepared = await prepareIssue(store, wish, metaOf(at, 'credential', seedId, name), {
      newPrincipal: principalOf(name),
      secret: createHmac('sha256', seed).update(`credential ${name}`).digest(),
    });
    const handled = await handleCommand(store, credentialDecider, prepared.id, prepared.command);
    const credential = bearerOf(prepared, handled);
    const usable = handled.state.status === 'issued' && !handled.state.revoked && handled.state.expiresAt > at;
    if (credential !== null && usable) ready.push({ role, name, credential });
  }
  return ready;
}

// The digest is constant: what a later version would say otherwise of the same thing is not a new wish.
const metaOf = (at: string, ...what: string[]): CommandMeta => {
  const commandId = derivedId('bootstrap', ...what);
  return {
    tenantId: ROOT_TENANT_ID,
    workspaceId: ROOT_WORKSPACE_ID,
    actor: systemPrincipal(ROOT_TENANT_ID, ROOT_WORKSPACE_ID),
    at,
    commandId,
    requestDigest: 'bootstrap',
    correlationId: commandId,
    causationId: commandId,
  };
};
