import { faultsOf, PolicySet, readPolicies } from '#libs/identity';
import { principal } from '#libs/kernel/testing';

import { toolPolicies, ToolPolicy, toolSchema, type CallFacts, type Disposal } from './tool-policy.js';

const agent = principal('ida', { kind: 'agent', roles: ['implementer'] });
const facts = (over: Partial<CallFacts> = {}): CallFacts => ({
  toolName: 'bash',
  tier: 'dangerous',
  ladder: 2,
  effects: ['exec.script'],
  enabled: [],
  ...over,
});
const safe = facts({ tier: 'safe', ladder: 0, effects: ['read'] });
const destructive = facts({ tier: 'destructive', ladder: 4, effects: ['read', 'destroy.fs'] });
const enabled = { enabled: ['destroy.fs'] } as const;

/** For each policy a call whose answer it determines, with the answer and what it would be without that policy. */
const cases: readonly (readonly [policy: string, call: CallFacts, answer: Disposal['outcome'], without: Disposal['outcome']])[] = [
  ['tool.safe-runs', safe, 'run', 'block'],
  ['tool.granted-runs', facts({ granted: true }), 'run', 'ask'],
  ['tool.approved-runs', facts({ approved: true }), 'run', 'ask'],
  ['tool.needs-its-owner', facts(), 'ask', 'block'],
  ['tool.destructive-only-when-enabled', destructive, 'block', 'ask'],
  ['tool.shown-whole-or-not-at-all', facts({ unshowable: true }), 'block', 'ask'],
];

describe('The policies of tool calls', () => {
  const policy = new ToolPolicy();

  it('keep to their schema', () => expect(faultsOf(toolSchema, toolPolicies)).toEqual([]));
  it('are found at fault where they do not', () => {
    expect(
      faultsOf(toolSchema, readPolicies('@id("x") permit (principal, action, resource) when { context.tire == "safe" };')),
    ).not.toEqual([]);
    expect(() => readPolicies('permit (principal, action, resource);')).toThrow('@id');
    expect(() => readPolicies('permit (principal')).toThrow('do not parse');
  });
  it('have a case each', () => expect(cases.map(([id]) => id).sort()).toEqual(Object.keys(toolPolicies).sort()));

  it.each(cases)('%s decides, and is the proof', (id, call, outcome) =>
    expect(policy.dispose(agent, call)).toEqual({ outcome, policies: [id], policyVersion: policy.version }),
  );
  it.each(cases)('without %s it would be otherwise', (id, call, _, without) => {
    const { [id]: __, ...others } = toolPolicies;
    expect(new ToolPolicy(others).dispose(agent, call).outcome).toBe(without);
  });

  it.each([
    ['a safe call of no agent', principal('ann', { roles: ['approver'] }), safe, 'block'],
    ['a granted call that is destructive', agent, { ...destructive, granted: true }, 'block'],
    ['a granted call that is destructive, though enabled', agent, { ...destructive, ...enabled, granted: true }, 'ask'],
    ['an enabled destructive call', agent, { ...destructive, ...enabled }, 'ask'],
    [
      'a destructive call of which only a part is enabled',
      agent,
      { ...destructive, ...enabled, effects: ['destroy.fs', 'destroy.db'] },
      'block',
    ],
    ['an approved call that is not enabled any more', agent, { ...destructive, approved: true }, 'block'],
    ['a granted call that spends', agent, facts({ granted: true, ladder: 3, effects: ['spend'] }), 'ask'],
  ] as const)('%s: %s', (_, actor, call, outcome) => expect(policy.dispose(actor, call as CallFacts).outcome).toBe(outcome));

  it('deny where one of them fails, whatever the others say', () => {
    const broken = { ...toolPolicies, broken: 'permit (principal, action, resource) when { 9223372036854775807 + context.ladder > 0 };' };
    expect(new ToolPolicy(broken).dispose(agent, facts({ tier: 'safe', ladder: 1, effects: ['read'] })).outcome).toBe('block');
  });
  it('block a tier that they do not know', () =>
    expect(policy.dispose(agent, { ...safe, tier: 7 as never })).toMatchObject({ outcome: 'block', policies: [] }));
  it('are not put in force where they do not parse, or do not keep to their schema', () => {
    expect(() => new PolicySet(toolSchema, { x: 'permit' })).toThrow('cannot be used');
    expect(() => new PolicySet(toolSchema, { x: 'permit (principal, action, resource) when { context.tire == "safe" };' })).toThrow(
      'cannot be used',
    );
  });
});
