import type { CommandMeta, Principal, Role } from '#libs/kernel';

/** The human in whose name Eve acts, from a token that this human's own credential minted. `roles` are those of that credential now. */
export type Delegation = Readonly<{ id: string; principalId: string; credentialId: string; name: string; roles: readonly Role[] }>;

/** Who sends a request, as established by the guard. */
export type RequestIdentity = Readonly<{ actor: Principal; workspaceId: string; delegation?: Delegation; meta: () => CommandMeta }>;

const identities = new WeakMap<object, RequestIdentity>();

export const identify = (request: object, identity: RequestIdentity): void => void identities.set(request, identity);

/** Throws on a public route: asking there who sent it is a fault of ours. */
export const identityOf = (request: object): RequestIdentity => {
  const identity = identities.get(request);
  if (!identity) throw new Error('This route is public: there is no actor.');
  return identity;
};
