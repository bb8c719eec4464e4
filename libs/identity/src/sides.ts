import type { FieldError, Principal, Role } from '#libs/kernel';

/** A credential acts on one side only, so that nobody implements and verifies, or proposes and decides, with one secret. */
export type Side = 'eve' | 'people' | 'implementer' | 'verifier';

const SIDE: Readonly<Record<Role, Side>> = {
  eve: 'eve',
  approver: 'people',
  operator: 'people',
  member: 'people',
  implementer: 'implementer',
  verifier: 'verifier',
};
export const ROLES = Object.keys(SIDE) as readonly Role[];
export const KINDS = ['human', 'agent', 'service'] as const;

/** Queues that an executor's credential may be eligible for. */
export const QUEUES = ['code', 'content', 'studio'] as const;
/** The capability of the product's own verifier: its findings count as `server_rerun`. */
export const VERIFICATION_WORKER = 'verification-worker';
export const CAPABILITIES = [...QUEUES, VERIFICATION_WORKER] as const;

/** The sides that these roles touch; a role of a newer server counts as a side of its own, so that it never passes silently. */
export const sidesOf = (roles: readonly string[]): string[] => [...new Set(roles.map((role) => SIDE[role as Role] ?? `unknown:${role}`))];

/** The one side of these roles; undefined where there is none or more than one. */
export const sideOf = (roles: readonly string[]): Side | undefined => {
  const [side, ...others] = sidesOf(roles);
  return others.length === 0 && Object.values(SIDE).includes(side as Side) ? (side as Side) : undefined;
};

export type Fault = Readonly<{ code: string; detail: string; errors: readonly FieldError[] }>;

/**
 * What is wrong with a credential of this shape; undefined where nothing is. Asked when it is issued (422) and whenever it is
 * used (403), because its event may have come in by another way.
 */
export const faultOf = (shape: Pick<Principal, 'kind' | 'roles' | 'capabilities' | 'workspaceIds'>): Fault | undefined => {
  const { kind, roles, capabilities, workspaceIds } = shape;
  if (roles.length === 0) return fault('credential/no-role', '/roles', 'A credential needs at least one role.');
  const side = sideOf(roles);
  if (side === undefined)
    return fault(
      'credential/mixed-sides',
      '/roles',
      `${roles.join(' and ')} are roles of different sides (${sidesOf(roles).join(', ')}). Issue one credential a side.`,
    );
  if (side === 'eve' && kind !== 'agent') return fault('credential/kind', '/kind', 'Only an agent is eve.');
  if (side === 'people' && kind !== 'human')
    return fault('credential/kind', '/kind', `Only a human is ${roles.join(' and ')}: decisions are never left to agents.`);
  if (workspaceIds.length === 0) return fault('credential/no-workspace', '/workspaceIds', 'A credential needs at least one workspace.');
  const foreign = capabilities.find((capability) => !mayHold(side, kind, capability));
  if (foreign !== undefined)
    return fault(
      'credential/capability',
      '/capabilities',
      `${foreign} is for ${foreign === VERIFICATION_WORKER ? 'a service with the role verifier' : 'implementers and verifiers'} only.`,
    );
  return undefined;
};

const mayHold = (side: Side, kind: Principal['kind'], capability: string): boolean =>
  capability === VERIFICATION_WORKER ? side === 'verifier' && kind === 'service' : side === 'implementer' || side === 'verifier';

const fault = (code: string, pointer: string, detail: string): Fault => ({ code, detail, errors: [{ pointer, detail }] });
