import { derivedId, type CommandMeta, type EventStore, type Handled, type Principal, type Role } from '#libs/kernel';
import { newSecret, secretDigest, toBearer } from '../authentication/bearer.js';
import { load } from '../load.js';
import { within } from '../tenants/reach.js';
import { workspaceDecider } from '../tenants/workspace.js';
import { credentialDecider, type IssueCredential } from './credential.decider.js';
import { firstCredentialOf, type Credential, type CredentialEvent, type IssuedCredential } from './credential.js';

/** What an operator may say of a credential; all else is the server's. Without `principalId` a new principal comes to be. */
export type CredentialWish = Readonly<{
  principalId?: string;
  kind?: Principal['kind'];
  name?: string;
  roles: readonly Role[];
  capabilities: readonly string[];
  workspaceIds: readonly string[];
  accountableHuman?: string;
  spawnedBy?: string;
  expiresAt: string;
}>;

/** A command with what the decider has to know from other streams; `secret` exists nowhere else. */
export type PreparedIssue = Readonly<{ id: string; command: IssueCredential; secret: Uint8Array }>;

export async function prepareIssue(
  store: EventStore,
  wish: CredentialWish,
  meta: CommandMeta,
  {
    secret = newSecret(),
    newPrincipal = derivedId(meta.commandId, 'principal'),
  }: Readonly<{ secret?: Uint8Array; newPrincipal?: string }> = {},
): Promise<PreparedIssue> {
  const principalId = wish.principalId ?? newPrincipal;
  const issued = async (id: string): Promise<IssuedCredential | undefined> => {
    const credential = await load(store, credentialDecider, id);
    return credential.status === 'none' ? undefined : credential;
  };
  const [principal, accountable, spawner, workspaces] = await Promise.all([
    wish.principalId === undefined ? undefined : issued(firstCredentialOf(wish.principalId)),
    wish.accountableHuman === undefined ? undefined : issued(firstCredentialOf(wish.accountableHuman)),
    wish.spawnedBy === undefined ? undefined : issued(wish.spawnedBy),
    Promise.all(wish.workspaceIds.map(async (id) => ({ id, workspace: await load(store, workspaceDecider, id) }))),
  ]);
  const known = workspaces.flatMap(({ id, workspace }) =>
    workspace.status === 'none' ? [] : [{ id, tenantId: workspace.tenantId, archived: workspace.status === 'archived' }],
  );
  return {
    id: wish.principalId === undefined ? firstCredentialOf(principalId) : derivedId(meta.commandId, 'credential'),
    secret,
    command: {
      type: 'IssueCredential',
      meta: within(meta, wish.workspaceIds[0] ?? meta.workspaceId, new Map(workspaces.map(({ id, workspace }) => [id, workspace]))),
      data: {
        ...wish,
        principalId,
        existing: wish.principalId !== undefined,
        sessionId: derivedId(meta.commandId, 'session'),
        secretSha256: secretDigest(secret),
        known: { ...(principal && { principal }), ...(accountable && { accountable }), ...(spawner && { spawner }), workspaces: known },
      },
    },
  };
}

/** What the client sends from now on. Shown once: null where the command is a repeat, whose secret nobody knows any more. */
export const bearerOf = ({ id, secret }: PreparedIssue, { state }: Handled<Credential, CredentialEvent>): string | null =>
  state.status === 'issued' && state.secretSha256 === secretDigest(secret) ? toBearer(id, secret) : null;
