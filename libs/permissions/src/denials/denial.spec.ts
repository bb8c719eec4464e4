import { AT, fold, given, metaOf, principal } from '#libs/kernel/testing';
import { denialDecider, denialId, MOST, type CallBlocked, type DenialEvent, type ForeignPermissionReached } from './denial.js';

const eve = principal('eve', { kind: 'agent', roles: ['eve'], accountableHuman: 'mia' });
const blocked = (callDigest: string): CallBlocked => ({
  type: 'CallBlocked',
  data: {
    owner: 'mia',
    agent: { id: 'eve', name: 'eve' },
    agentId: 'agent_123',
    toolName: 'bash',
    command: 'rm -rf /',
    callDigest,
    tier: 'destructive',
    ladder: 5,
    reason: 'rm destroys.',
    effects: ['destroy.fs'],
    proof: { policies: ['tool.destructive-only-when-enabled'], policyVersion: '0123456789abcdef' },
    at: AT,
  },
});
const reached = (attempt: 'read' | 'decide'): ForeignPermissionReached => ({
  type: 'ForeignPermissionReached',
  data: { by: { id: 'eve', name: 'eve' }, requestId: 'hook_1767603600000_a1b2c3d4e', attempt, at: AT },
});
const record = (denial: CallBlocked | ForeignPermissionReached) => ({
  type: 'RecordDenial' as const,
  data: { denial },
  meta: metaOf(eve),
});
const on = (...history: readonly DenialEvent[]) => given(denialDecider, ...history);

describe('What is denied', () => {
  it('is put on record once, however often it is tried', () => {
    on()
      .when(record(blocked('a')))
      .then(blocked('a'));
    on(blocked('a'))
      .when(record(blocked('a')))
      .thenRefused('denial/recorded');
    on(blocked('a'))
      .when(record(blocked('b')))
      .then(blocked('b'));
    on(reached('read'))
      .when(record(reached('decide')))
      .then(reached('decide'));
    on(reached('read'))
      .when(record(reached('read')))
      .thenRefused('denial/recorded');
  });
  it('is not written down without end, and that there was more is', () => {
    const many = Array.from({ length: MOST }, (_, index) => blocked(String(index)));
    on(...many)
      .when(record(blocked('more')))
      .then({ type: 'DenialsOmitted', data: { by: 'eve', at: AT, recorded: MOST } });
    const omitted: DenialEvent = { type: 'DenialsOmitted', data: { by: 'eve', at: AT, recorded: MOST } };
    on(...many, omitted)
      .when(record(blocked('still more')))
      .thenRefused('denial/recorded');
    expect(fold(denialDecider, [...many, omitted]).known).toHaveLength(MOST);
  });
  it('lies by principal, day and workspace', () => {
    const ids = [
      denialId('w', 'eve', AT),
      denialId('w', 'eve', '2026-01-06T09:00:00.000Z'),
      denialId('w', 'ida', AT),
      denialId('x', 'eve', AT),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(denialId('w', 'eve', '2026-01-05T23:59:59.999Z')).toBe(denialId('w', 'eve', AT));
  });
});
