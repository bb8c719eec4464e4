import type { Role } from '#libs/kernel';
import { principal } from '#libs/kernel/testing';
import { ACTIONS, commandPolicies, CommandPolicy, commandSchema, judge, POLICY_VERSION, type Action } from './authority.js';
import { faultsOf } from './policy/cedar.js';
import { ROLES } from './sides.js';

const people: readonly Role[] = ['approver', 'operator', 'member'];
const agents: readonly Role[] = ['eve', 'implementer', 'verifier'];
const executors: readonly Role[] = ['implementer', 'verifier'];

/** Who may do what, written a second time: a policy that changes has to change here as well. */
const MAY: Readonly<Record<Action, readonly Role[]>> = {
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
  'queue.read': ['operator', ...agents],
  'task.read': ROLES,
  'task.unblock': ['operator', 'implementer'],
  'task.cancel': ['operator'],
  'task.requeue': ['operator'],
  'task.ship': ['operator'],
  'lease.claim': ['implementer'],
  'lease.hold': ['implementer'],
  'lease.revoke': ['operator'],
  'verification.read': ['verifier', 'operator'],
  'verification.claim': ['verifier'],
  'verification.hold': ['verifier'],
  'permission.ask': agents,
  'permission.read': ROLES,
  'permission.decide': people,
  'permission.enable': people,
  'grant.revoke': people,
  'session.start': ROLES,
  'session.run': agents,
  'session.read': ROLES,
  'session.decide': people,
  'session.cancel': ROLES,
  'receipt.read': people,
  'audit.read': ['operator'],
  'policy.read': ['operator'],
  'credential.issue': ['operator'],
  'credential.revoke': ['operator'],
  'credential.read': ['operator'],
  'tenant.create': ['operator'],
  'tenant.read': ['operator'],
  'workspace.create': ['operator'],
  'workspace.archive': ['operator'],
  'workspace.read': people,
  'delegation.mint': people,
};

const holder = (role: Role) => principal(role, { roles: [role], kind: people.includes(role) ? 'human' : 'agent' });
const mixed = principal('mixed', { kind: 'agent', roles: ['implementer', 'verifier'] });

/** Everything that a set of policies allows, as one text. */
const allowedBy = (policy: CommandPolicy): string =>
  [...ROLES.map(holder), mixed]
    .flatMap((who) => ACTIONS.filter((action) => policy.judge(who, action).allowed).map((action) => `${who.id} ${action}`))
    .join('\n');

describe('The policies of commands', () => {
  it('keep to their schema', () => expect(faultsOf(commandSchema, commandPolicies)).toEqual([]));
  it('know every action, and no other', () => {
    const quoted = [...commandSchema.matchAll(/"([a-z]+\.[a-z]+)"/g)].map(([, name]) => name!);
    expect(quoted.sort()).toEqual([...ACTIONS].sort());
  });
  it.each(ACTIONS)('say who may %s, and by which of them', (action) => {
    const allowed = ROLES.filter((role) => judge(holder(role), action).allowed);
    expect(allowed).toEqual(ROLES.filter((role) => MAY[action].includes(role)));
    expect(allowed.length).toBeGreaterThan(0);
    for (const role of allowed) expect(judge(holder(role), action).policies).toEqual([expect.any(String)]);
  });
  it.each(Object.keys(commandPolicies))('would be others without %s', (id) => {
    const { [id]: _, ...others } = commandPolicies;
    expect(allowedBy(new CommandPolicy(others))).not.toBe(allowedBy(new CommandPolicy()));
  });
  it.each([
    ['eve', ['confirmation.approve', 'confirmation.decline', 'lease.claim', 'verification.claim', 'task.ship', 'permission.decide']],
    [
      'implementer',
      ['confirmation.approve', 'verification.claim', 'verification.hold', 'task.ship', 'proposal.submit', 'permission.decide'],
    ],
    ['verifier', ['lease.claim', 'lease.hold', 'confirmation.approve', 'task.ship', 'permission.enable']],
    ['operator', ['confirmation.approve', 'proposal.submit', 'lease.claim', 'verification.claim', 'permission.ask']],
    ['member', ['confirmation.approve', 'task.ship', 'credential.issue', 'audit.read', 'lease.claim', 'verification.claim']],
    ['approver', ['credential.issue', 'task.ship', 'lease.claim', 'proposal.submit', 'permission.ask']],
  ] as const)('never let %s do %j', (role, actions) => {
    expect(actions.filter((action) => judge(holder(role), action).allowed)).toEqual([]);
  });
  it('deny what they do not know', () => {
    expect(judge(holder('operator'), 'toString' as Action)).toMatchObject({ allowed: false, policies: [] });
    expect(judge(holder('operator'), 'world.end' as Action).allowed).toBe(false);
  });
  it('leave roles that a route names to the route', () => {
    expect(judge(holder('eve'), ['eve', 'member'])).toEqual({
      allowed: true,
      policyVersion: POLICY_VERSION,
      policies: [],
      because: 'eve may do this.',
    });
    expect(judge(holder('verifier'), ['eve']).allowed).toBe(false);
  });
  it('allow nothing to a credential of two sides, whichever of them would be allowed', () => {
    expect(judge(mixed, 'lease.claim')).toMatchObject({
      allowed: false,
      policies: ['credential.without-fault'],
      because: expect.stringContaining('different sides') as string,
    });
    expect(judge(mixed, 'record.read').allowed).toBe(false);
    expect(judge(mixed, ['implementer']).allowed).toBe(false);
  });
  it('say why, and by which of them', () => {
    expect(judge(holder('member'), 'confirmation.approve')).toEqual({
      allowed: false,
      policyVersion: POLICY_VERSION,
      policies: [],
      because: 'confirmation.approve needs the role approver; this credential holds member.',
    });
    expect(judge(holder('approver'), 'confirmation.approve')).toEqual({
      allowed: true,
      policyVersion: POLICY_VERSION,
      policies: ['approver.decides-on-cards'],
      because: 'approver may confirmation.approve.',
    });
    expect(POLICY_VERSION).toMatch(/^[0-9a-f]{16}$/);
  });
});
