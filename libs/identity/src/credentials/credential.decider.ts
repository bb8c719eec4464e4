import { accept, refuse, type Command, type Decider, type Decision, type Principal, type Role } from '#libs/kernel';
import { faultOf } from '../sides.js';
import { evolve, type Credential, type CredentialEvent, type IssuedCredential } from './credential.js';

/** A workspace as it is when a credential for it is asked for. */
export type KnownWorkspace = Readonly<{ id: string; tenantId: string; archived: boolean }>;

/**
 * `existing`: the wish named a principal, which `known` has to hold then. `known` is what other streams say at this moment, looked
 * up by the server; `sessionId` and `secretSha256` are the server's as well.
 */
export type IssueCredential = Command<
  'IssueCredential',
  Readonly<{
    principalId: string;
    existing: boolean;
    kind?: Principal['kind'];
    name?: string;
    roles: readonly Role[];
    capabilities: readonly string[];
    workspaceIds: readonly string[];
    accountableHuman?: string;
    spawnedBy?: string;
    sessionId: string;
    secretSha256: string;
    expiresAt: string;
    known: Readonly<{
      principal?: IssuedCredential;
      accountable?: IssuedCredential;
      spawner?: IssuedCredential;
      workspaces: readonly KnownWorkspace[];
    }>;
  }>
>;
export type RevokeCredential = Command<'RevokeCredential', Readonly<{ reason: string }>>;
export type CredentialCommand = IssueCredential | RevokeCredential;

export const decide = (command: CredentialCommand, state: Credential): Decision<CredentialEvent> => {
  const { actor, at } = command.meta;
  switch (command.type) {
    case 'IssueCredential':
      if (state.status !== 'none') return refuse('conflict', 'credential/exists', 'This credential exists already.');
      return issue(command);
    case 'RevokeCredential':
      if (state.status === 'none')
        return refuse('not_found', 'credential/not-found', 'There is no such credential here. Check the id and the workspace.');
      if (state.revoked)
        return refuse('conflict', 'credential/revoked', `It was revoked by ${state.revoked.by} at ${state.revoked.at}.`, state.revoked);
      return accept({ type: 'CredentialRevoked', data: { by: actor.id, reason: command.data.reason, at } });
    default:
      return command satisfies never;
  }
};

const issue = ({ data, meta }: IssueCredential): Decision<CredentialEvent> => {
  const { known } = data;
  const here = (credential?: IssuedCredential): Principal | undefined =>
    credential?.principal.tenantId === meta.tenantId ? credential.principal : undefined;

  const same = here(known.principal);
  if (data.existing && !same) return unknown('/principalId', 'principal/not-found', 'There is no such principal here.');
  const kind = same?.kind ?? data.kind;
  const name = same?.name ?? data.name;
  if (!kind || !name)
    return invalid(
      'credential/principal',
      !kind ? '/kind' : '/name',
      'State kind and name of a new principal, or the id of one that exists.',
    );
  if (same && ((data.kind ?? kind) !== kind || (data.name ?? name) !== name))
    return invalid('credential/principal', '/principalId', `This principal is the ${kind} ${name}; leave kind and name out.`);

  const { roles, capabilities, workspaceIds } = data;
  const fault = faultOf({ kind, roles, capabilities, workspaceIds });
  if (fault) return refuse('invalid', fault.code, fault.detail, undefined, fault.errors);

  for (const [index, id] of workspaceIds.entries()) {
    const workspace = known.workspaces.find((one) => one.id === id && one.tenantId === meta.tenantId);
    if (!workspace || !meta.actor.workspaceIds.includes(id))
      return unknown(`/workspaceIds/${index}`, 'workspace/not-found', 'There is no such workspace here.');
    if (workspace.archived)
      return refuse('conflict', 'workspace/archived', 'This workspace is archived.', undefined, [
        { pointer: `/workspaceIds/${index}`, detail: 'This workspace is archived.' },
      ]);
  }

  const accountableHuman = kind === 'human' ? data.principalId : here(known.accountable)?.id;
  if (kind === 'human' && data.accountableHuman !== undefined && data.accountableHuman !== data.principalId)
    return invalid('credential/accountable-human', '/accountableHuman', 'A human is accountable for itself. Leave this out.');
  if (accountableHuman === undefined || (kind !== 'human' && here(known.accountable)?.kind !== 'human'))
    return invalid(
      'credential/accountable-human',
      '/accountableHuman',
      'Name the principal id of a human of this tenant who answers for this principal.',
    );

  const spawner = here(known.spawner);
  if (data.spawnedBy !== undefined && !spawner) return unknown('/spawnedBy', 'credential/not-found', 'There is no such credential here.');
  if (data.expiresAt <= meta.at) return invalid('credential/expiry', '/expiresInDays', 'A credential ends after it begins.');

  return accept({
    type: 'CredentialIssued',
    data: {
      principalId: data.principalId,
      principalKind: kind,
      name,
      roles,
      capabilities,
      workspaceIds,
      accountableHuman,
      lineage: { accountableHuman, sessions: [...(spawner?.lineage.sessions ?? []), data.sessionId] },
      secretSha256: data.secretSha256,
      issuedBy: meta.actor.id,
      at: meta.at,
      expiresAt: data.expiresAt,
    },
  });
};

const invalid = (code: string, pointer: string, detail: string) => refuse('invalid', code, detail, undefined, [{ pointer, detail }]);
const unknown = (pointer: string, code: string, detail: string) => refuse('not_found', code, detail, undefined, [{ pointer, detail }]);

export const credentialDecider: Decider<CredentialCommand, Credential, CredentialEvent> = {
  category: 'credential',
  initialState: { status: 'none' },
  decide,
  evolve,
};
