import { readFileSync } from 'node:fs';
import type { Principal, Role } from '#libs/kernel';
import { PolicySet, readPolicies, type Policies, type Ruling } from './policy/cedar.js';
import { faultOf, ROLES } from './sides.js';

/** What somebody may be allowed to do: a command or a route. Policies say who may, see policy/commands.cedar. */
export const ACTIONS = [
  'feed.read',
  'record.read',
  'artifact.read',
  'artifact.write',
  'proposal.submit',
  'proposal.request',
  'proposal.read',
  'proposal.withdraw',
  'proposal.repropose',
  'brief.dispatch',
  'confirmation.read',
  'confirmation.approve',
  'confirmation.decline',
  'queue.read',
  'task.read',
  'task.unblock',
  'task.cancel',
  'task.requeue',
  'task.ship',
  'lease.claim',
  'lease.hold',
  'lease.revoke',
  'verification.read',
  'verification.claim',
  'verification.hold',
  'permission.ask',
  'permission.read',
  'permission.decide',
  'permission.enable',
  'grant.revoke',
  'session.start',
  'session.run',
  'session.read',
  'session.decide',
  'session.cancel',
  'receipt.read',
  'audit.read',
  'policy.read',
  'credential.issue',
  'credential.revoke',
  'credential.read',
  'tenant.create',
  'tenant.read',
  'workspace.create',
  'workspace.archive',
  'workspace.read',
  'delegation.mint',
] as const;
export type Action = (typeof ACTIONS)[number];

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
export const commandSchema: string = read('./policy/commands.cedarschema');
export const commandPolicies: Policies = readPolicies(read('./policy/commands.cedar'));

/** `because` is a sentence for people, also where it is allowed; `policies` are the ids of those that determined it: the proof. */
export type Judgement = Readonly<{ allowed: boolean; policyVersion: string; policies: readonly string[]; because: string }>;

/** The policies of commands and routes. */
export class CommandPolicy {
  private readonly set: PolicySet;
  private readonly holders = new Map<Action, readonly Role[]>();

  constructor(policies: Policies = commandPolicies) {
    this.set = new PolicySet(commandSchema, policies);
  }

  get version(): string {
    return this.set.version;
  }

  judge(principal: Principal, action: Action): Judgement {
    const fault = faultOf(principal);
    const { allowed, policies } = this.ask(principal.id, principal.roles, fault !== undefined, action);
    const holders = this.rolesFor(action);
    const because = allowed
      ? `${principal.roles.find((role) => holders.includes(role))} may ${action}.`
      : (fault?.detail ?? missing(action, holders, principal));
    return { allowed, policyVersion: this.version, policies, because };
  }

  /** The roles that may do this, each by itself. */
  rolesFor(action: Action): readonly Role[] {
    const known = this.holders.get(action);
    if (known) return known;
    const holders = ROLES.filter((role) => this.ask(role, [role], false, action).allowed);
    this.holders.set(action, holders);
    return holders;
  }

  private ask(id: string, roles: readonly Role[], atFault: boolean, action: Action): Ruling {
    const principal = { type: 'Workbench::Principal', id };
    return this.set.ask({
      principal,
      action: { type: 'Workbench::Action', id: action },
      resource: { type: 'Workbench::Product', id: 'workbench' },
      context: {},
      entities: [{ uid: principal, attrs: { roles: [...roles], atFault }, parents: [] }],
    });
  }
}

const inForce = new CommandPolicy();

/** Names all policies in force: 16 hex digits that change whenever one does. Stored with each decision that rests on them. */
export const POLICY_VERSION = inForce.version;

/**
 * May this principal do that? An action, or the roles themselves. Default deny: an unknown action, and a credential whose own
 * shape is at fault, are no. Pure, so that a reactor asks again at execution with the principal of that moment.
 */
export const judge = (principal: Principal, action: Action | readonly Role[]): Judgement => {
  if (typeof action === 'string') return inForce.judge(principal, action);
  const fault = faultOf(principal);
  const held = fault ? undefined : principal.roles.find((role) => action.includes(role));
  const because = held ? `${held} may do this.` : (fault?.detail ?? missing('do this', action, principal));
  return { allowed: held !== undefined, policyVersion: POLICY_VERSION, policies: [], because };
};

const missing = (what: string, roles: readonly Role[], principal: Principal): string =>
  `${what} needs the role ${roles.join(' or ') || '(nobody has it)'}; this credential holds ${principal.roles.join(', ')}.`;
