import { derivedId, idOf, type Event, type Lineage, type Principal, type Recorded, type Role } from '#libs/kernel';

// Events: these shapes are stored forever.
/**
 * A principal got a secret, of which only the SHA-256 (hex) is kept. `lineage.sessions` is the ancestry that the server set,
 * own session last; `issuedBy` is a principal id; times are RFC 3339 UTC. The principal comes to be with its first one.
 */
export type CredentialIssued = Event<
  'CredentialIssued',
  Readonly<{
    principalId: string;
    principalKind: Principal['kind'];
    name: string;
    roles: readonly Role[];
    capabilities: readonly string[];
    workspaceIds: readonly string[];
    accountableHuman: string;
    lineage: Lineage;
    secretSha256: string;
    issuedBy: string;
    at: string;
    expiresAt: string;
  }>
>;
/** The secret is worth nothing from now on, on every server. `by` is a principal id. */
export type CredentialRevoked = Event<'CredentialRevoked', Readonly<{ by: string; reason: string; at: string }>>;
export type CredentialEvent = CredentialIssued | CredentialRevoked;

export type Credential =
  | Readonly<{ status: 'none' }>
  | Readonly<{
      status: 'issued';
      principal: Principal;
      secretSha256: string;
      expiresAt: string;
      revoked?: Readonly<{ by: string; reason: string; at: string }>;
    }>;
export type IssuedCredential = Exclude<Credential, { status: 'none' }>;

export const evolve = (state: Credential, event: Recorded<CredentialEvent>): Credential => {
  switch (event.type) {
    case 'CredentialIssued':
      return {
        status: 'issued',
        principal: principalFrom(event),
        secretSha256: event.data.secretSha256,
        expiresAt: event.data.expiresAt,
      };
    case 'CredentialRevoked':
      return state.status === 'none' ? state : { ...state, revoked: event.data };
    default:
      return state;
  }
};

/** Where the first credential of a principal lies: so a principal is found in its stream, whatever projections know. */
export const firstCredentialOf = (principalId: string): string => derivedId('first-credential', principalId);

const principalFrom = ({ stream, data, meta }: Recorded<CredentialIssued>): Principal => ({
  id: data.principalId,
  kind: data.principalKind,
  name: data.name,
  tenantId: meta.tenantId,
  workspaceIds: data.workspaceIds,
  roles: data.roles,
  credentialId: idOf(stream),
  accountableHuman: data.accountableHuman,
  capabilities: data.capabilities,
  lineage: data.lineage,
});
