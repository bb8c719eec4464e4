import { digestOf, type Principal, type Role } from '#libs/kernel';
import { faultOf, ROLES } from './sides.js';

const people = ['approver', 'operator', 'member'] as const;
const executors = ['implementer', 'verifier'] as const;

/**
 * Who may send which command or open which route, by role, as data: the one place that says so. Which of *their own* things a
 * role then reaches (its cards, its lease, its tenant) is the rule of the decider or query behind it.
 */
export const AUTHORITY = {
  'feed.read': ROLES,
  'record.read': ROLES,
  'artifact.read': ROLES,
  'artifact.write': executors,

  'proposal.submit': ['eve'],
  'proposal.request': people,
  'proposal.read': ['eve', ...people],
  'proposal.withdraw': ['eve', ...people],
  'proposal.repropose': people,
  'brief.dispatch': ['eve'],
  'confirmation.read': people,
  'confirmation.approve': ['approver'],
  'confirmation.decline': ['approver'],

  'queue.read': ['eve', 'operator', ...executors],
  'task.read': ROLES,
  'lease.claim': ['implementer'],
  'lease.hold': ['implementer'],
  'lease.revoke': ['operator'],
  'task.unblock': ['operator', 'implementer'],
  'task.cancel': ['operator'],
  'task.requeue': ['operator'],
  'task.ship': ['operator'],
  'verification.read': ['verifier', 'operator'],
  'verification.claim': ['verifier'],
  'verification.hold': ['verifier'],

  'permission.ask': ['eve', ...executors],
  'permission.read': ROLES,
  'permission.decide': people,
  'permission.enable': people,
  'grant.revoke': people,

  'session.start': ['eve', ...executors, ...people],
  'session.run': ['eve', ...executors],
  'session.read': ROLES,
  'session.decide': people,
  'session.cancel': ROLES,

  'receipt.read': people,
  'audit.read': ['operator'],

  'credential.issue': ['operator'],
  'credential.revoke': ['operator'],
  'credential.read': ['operator'],
  'tenant.create': ['operator'],
  'tenant.read': ['operator'],
  'workspace.create': ['operator'],
  'workspace.archive': ['operator'],
  'workspace.read': people,
  'delegation.mint': people,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Action = keyof typeof AUTHORITY;

/** Names the table in force: 16 hex digits that change whenever a row does. Stored with each decision that rests on it. */
export const POLICY_VERSION = digestOf(AUTHORITY).slice(0, 16);

/** `because` is a sentence for people, also where it is allowed. */
export type Judgement = Readonly<{ allowed: boolean; policyVersion: string; because: string }>;

/**
 * May this principal do that? A name in AUTHORITY, or the roles themselves. Default deny: an unknown action, and a credential
 * whose own shape is at fault, are no. Pure, so that a reactor asks again at execution with the principal of that moment.
 */
export const judge = (principal: Principal, action: Action | readonly Role[]): Judgement => {
  const verdict = (allowed: boolean, because: string): Judgement => ({ allowed, policyVersion: POLICY_VERSION, because });
  const fault = faultOf(principal);
  if (fault) return verdict(false, fault.detail);
  const what = typeof action === 'string' ? action : 'do this';
  const roles: readonly Role[] = typeof action === 'string' ? (Object.hasOwn(AUTHORITY, action) ? AUTHORITY[action] : []) : action;
  const held = principal.roles.find((role) => roles.includes(role));
  return held
    ? verdict(true, `${held} may ${what}.`)
    : verdict(
        false,
        `${what} needs the role ${roles.join(' or ') || '(nobody has it)'}; this credential holds ${principal.roles.join(', ')}.`,
      );
};
