import { join } from 'node:path';
import { AT, fold, given, itDecidesAs, metaOf, principal } from '#libs/kernel/testing';
import { grantDecider, isFor } from './grant.decider.js';
import {
  grantStatuses,
  type GrantCreated,
  type GrantEvent,
  type GrantExpired,
  type GrantRevoked,
  type GrantUsed,
  type KnownGrant,
} from './grant.js';

const LATER = '2026-01-06T09:00:00.000Z';
const ENDS = '2026-02-04T09:00:00.000Z';
const mia = principal('mia', { roles: ['member'] });
const eve = principal('eve', { kind: 'agent', roles: ['eve'], accountableHuman: 'mia' });
const data = {
  owner: 'mia',
  ownerName: 'mia',
  holder: { principalId: 'eve', agentId: 'agent_123' },
  scope: { tool: 'bash', prefix: ['git', 'push'], tier: 'dangerous', effects: ['vcs.remote'], constraints: {} },
  from: 'hook_1_a',
  maxUses: 2,
} as const;
const created: GrantCreated = { type: 'GrantCreated', data: { ...data, at: AT, expiresAt: ENDS } };
const used: GrantUsed = { type: 'GrantUsed', data: { at: LATER, by: 'eve', requestId: 'hook_2_b', callDigest: 'd' } };
const revoked: GrantRevoked = { type: 'GrantRevoked', data: { by: 'mia', at: LATER, reason: 'x' } };
const create = (over: object = {}) => ({
  type: 'CreateGrant' as const,
  data: { ...data, ms: 30 * 86_400_000, ...over },
  meta: metaOf(mia),
});
const use = (over: object = {}, who = eve, at = LATER) => ({
  type: 'UseGrant' as const,
  data: { requestId: 'hook_2_b', callDigest: 'd', agentId: 'agent_123', ...over },
  meta: metaOf(who, { at }),
});
const revoke = (who = mia) => ({ type: 'RevokeGrant' as const, data: { reason: 'x' }, meta: metaOf(who, { at: LATER }) });
const on = (...history: readonly object[]) => given(grantDecider, ...(history as GrantEvent[]));

describe('A grant', () => {
  it('is created once, for a time and a number of uses', () => {
    on().when(create()).then(created);
    on(created).when(create()).thenRefused('grant/exists');
  });
  it('never covers a blank prefix, nor what cannot be undone', () => {
    on()
      .when(create({ scope: { ...data.scope, prefix: [] } }))
      .thenRefused('grant/ungrantable');
    on()
      .when(create({ scope: { ...data.scope, tier: 'destructive' } }))
      .thenRefused('grant/ungrantable');
  });
  it('notes each use, and ends with the last', () => {
    on(created).when(use()).then(used);
    on(created, used).when(use()).thenTypes('GrantUsed', 'GrantExpired');
    const over: GrantExpired = { type: 'GrantExpired', data: { at: LATER, why: 'uses' } };
    on(created, used, used, over).when(use()).thenRefused('grant/over');
  });
  it.each([
    ['another agent of the same owner', {}, principal('ida', { kind: 'agent', accountableHuman: 'mia' })],
    ['the same credential under another name', { agentId: 'agent_124' }, eve],
    ['another workspace', { workspace: '/srv/other' }, eve],
  ])('is not for %s', (_, over, who) => on(created).when(use(over, who)).thenRefused('grant/over'));
  it('of one session is not for another', () => {
    const ofSession = { ...created, data: { ...created.data, holder: { ...data.holder, sessionId: 's1' } } };
    on(ofSession)
      .when(use({ sessionId: 's1' }))
      .thenTypes('GrantUsed');
    on(ofSession)
      .when(use({ sessionId: 's2' }))
      .thenRefused('grant/over');
    on(ofSession).when(use()).thenRefused('grant/over');
  });
  it('covers nothing after its time, and that is recorded', () =>
    on(created)
      .when(use({}, eve, ENDS))
      .thenRefusedAndRecorded('grant/over', 'GrantExpired'));
  it('covers nothing once it is revoked', () => on(created, revoked).when(use()).thenRefused('grant/over'));
  it('is revoked by its owner or an operator, and by nobody else', () => {
    on(created).when(revoke()).then(revoked);
    on(created)
      .when(revoke(principal('otto', { roles: ['operator'] })))
      .thenTypes('GrantRevoked');
    on(created)
      .when(revoke(principal('ian', { roles: ['member'] })))
      .thenRefused('grant/not-found');
    on(created).when(revoke(eve)).thenRefused('grant/not-found');
    on().when(revoke()).thenRefused('grant/not-found');
    on(created, revoked).when(revoke()).thenRefused('grant/over');
  });
  it('expires by itself at its time, not before', () => {
    const expire = (at: string) => ({
      type: 'ExpireGrant' as const,
      data: {},
      meta: metaOf(principal('workbench', { kind: 'service' }), { at }),
    });
    on(created).when(expire(ENDS)).thenTypes('GrantExpired');
    on(created).when(expire(LATER)).thenRefused('grant/not-due');
    on(created, revoked).when(expire(ENDS)).thenRefused('grant/over');
  });
});

describe('A grant in each of its states', () => {
  const expire = (at: string) => ({
    type: 'ExpireGrant' as const,
    data: {},
    meta: metaOf(principal('product', { kind: 'service' }), { at }),
  });
  const narrow: GrantCreated = {
    ...created,
    data: { ...created.data, holder: { ...data.holder, workspace: '/srv/site', sessionId: 's1' }, maxUses: 3 },
  };
  itDecidesAs(
    join(__dirname, 'grant.decisions.jsonl'),
    grantDecider,
    {
      'not created': [],
      active: [created],
      'for one place and session': [narrow],
      'used once': [created, used],
      revoked: [created, revoked],
      'used up': [created, used, used, { type: 'GrantExpired', data: { at: LATER, why: 'uses' } }],
      'out of time': [created, { type: 'GrantExpired', data: { at: ENDS, why: 'time' } }],
    },
    {
      'it is created': create(),
      'it is created for all programs': create({ scope: { ...data.scope, prefix: [] } }),
      'it is created for what destroys': create({ scope: { ...data.scope, tier: 'destructive' } }),
      'its holder uses it': use(),
      'another agent uses it': use({}, principal('ida', { kind: 'agent' })),
      'its holder uses it as another': use({ agentId: 'other' }),
      'its holder uses it in a place': use({ workspace: '/srv/site' }),
      'its holder uses it in a place and session': use({ workspace: '/srv/site', sessionId: 's1' }),
      'its holder uses it in a place and another session': use({ workspace: '/srv/site', sessionId: 's2' }),
      'its holder uses it in a session': use({ sessionId: 's1' }),
      'its holder uses it at its end': use({}, eve, ENDS),
      'its holder uses it a moment before': use({}, eve, '2026-02-04T08:59:59.999Z'),
      'its owner revokes it': revoke(),
      'its holder revokes it': revoke(eve),
      'another person revokes it': revoke(principal('ian', { roles: ['member'] })),
      'an operator revokes it': revoke(principal('olga', { roles: ['operator'] })),
      'an agent with the id of its owner revokes it': revoke(principal('mia', { kind: 'agent' })),
      'time runs out': expire(ENDS),
      'time has not run out': expire(LATER),
    },
  );
});

describe('A grant that covers nothing', () => {
  const active = fold(grantDecider, [created]) as KnownGrant;
  const call = { principalId: 'eve', agentId: 'agent_123' };
  it('is one at its end, used up, or over', () => {
    expect(isFor(active, call, LATER)).toBe(true);
    expect(isFor(active, call, ENDS)).toBe(false);
    expect(isFor({ ...active, uses: 2 }, call, LATER)).toBe(false);
    expect(isFor({ ...active, status: 'revoked' }, call, LATER)).toBe(false);
  });
  it('says whether it is not for this call or for none any more', () => {
    expect(on(created).when(use({ agentId: 'other' })).decision.refusal?.detail).toMatch(/not for this call/);
    expect(on(created, revoked).when(use()).decision.refusal?.detail).toMatch(/it is revoked/);
  });
  it('is active, revoked or expired', () => expect(grantStatuses).toEqual(['active', 'revoked', 'expired']));
});
