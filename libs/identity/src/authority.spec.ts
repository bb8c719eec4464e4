import { principal } from '#libs/kernel/testing';
import type { Role } from '#libs/kernel';
import { AUTHORITY, judge, POLICY_VERSION, type Action } from './authority.js';
import { ROLES } from './sides.js';

const holder = (role: Role) =>
  principal(role, { roles: [role], kind: ['approver', 'operator', 'member'].includes(role) ? 'human' : 'agent' });

describe('The table of authority', () => {
  it.each(Object.keys(AUTHORITY) as Action[])('says who may %s', (action) => {
    const allowed = ROLES.filter((role) => judge(holder(role), action).allowed);
    expect(allowed).toEqual(ROLES.filter((role) => (AUTHORITY[action] as readonly Role[]).includes(role)));
    expect(allowed.length).toBeGreaterThan(0);
  });
  it.each([
    ['eve', ['confirmation.approve', 'confirmation.decline', 'lease.claim', 'verification.claim', 'task.ship']],
    ['implementer', ['confirmation.approve', 'verification.claim', 'verification.hold', 'task.ship', 'proposal.submit']],
    ['verifier', ['lease.claim', 'lease.hold', 'confirmation.approve', 'task.ship']],
    ['operator', ['confirmation.approve', 'proposal.submit', 'lease.claim', 'verification.claim']],
    ['member', ['confirmation.approve', 'task.ship', 'credential.issue', 'audit.read', 'lease.claim', 'verification.claim']],
    ['approver', ['credential.issue', 'task.ship', 'lease.claim', 'proposal.submit']],
  ] as const)('never lets %s do %j', (role, actions) => {
    expect(actions.filter((action) => judge(holder(role), action).allowed)).toEqual([]);
  });
  it('denies what it does not know', () => {
    expect(judge(holder('operator'), 'toString' as Action).allowed).toBe(false);
    expect(judge(holder('operator'), 'world.end' as Action).allowed).toBe(false);
  });
  it('judges by roles where a route names them', () => {
    expect(judge(holder('eve'), ['eve', 'member'])).toEqual({ allowed: true, policyVersion: POLICY_VERSION, because: 'eve may do this.' });
    expect(judge(holder('verifier'), ['eve']).allowed).toBe(false);
  });
  it('allows nothing to a credential of two sides, whichever of them would be allowed', () => {
    const mixed = principal('mixed', { kind: 'agent', roles: ['implementer', 'verifier'] });
    expect(judge(mixed, 'lease.claim')).toMatchObject({ allowed: false, because: expect.stringContaining('different sides') as string });
    expect(judge(mixed, 'record.read').allowed).toBe(false);
  });
  it('says why, and by which table', () => {
    expect(judge(holder('member'), 'confirmation.approve')).toEqual({
      allowed: false,
      policyVersion: POLICY_VERSION,
      because: 'confirmation.approve needs the role approver; this credential holds member.',
    });
    expect(POLICY_VERSION).toMatch(/^[0-9a-f]{16}$/);
  });
});
