import { join } from 'node:path';
import { derivedId, type Principal } from '#libs/kernel';
import { AT, fold, given, itDecidesAs, metaOf, principal, recorded, TENANT, WORKSPACE } from '#libs/kernel/testing';
import { credentialDecider, type IssueCredential, type RevokeCredential } from './credential.decider.js';
import { CAPABILITIES, faultOf, KINDS, QUEUES, sideOf, sidesOf } from '../sides.js';
import { evolve, firstCredentialOf, type CredentialEvent, type IssuedCredential } from './credential.js';

const otto = principal('otto', { roles: ['operator'] });
const known = (who: Principal): IssuedCredential => ({
  status: 'issued',
  principal: who,
  secretSha256: 'aa',
  expiresAt: '2027-01-01T00:00:00.000Z',
});
const ian = principal('ian', { roles: ['member'] });
const here = { id: WORKSPACE, tenantId: TENANT, archived: false };

const issue = (data: Partial<IssueCredential['data']> = {}, known_: Partial<IssueCredential['data']['known']> = {}): IssueCredential => ({
  type: 'IssueCredential',
  meta: metaOf(otto),
  data: {
    principalId: 'ida',
    existing: false,
    kind: 'agent',
    name: 'Ida',
    roles: ['implementer'],
    capabilities: ['code'],
    workspaceIds: [WORKSPACE],
    accountableHuman: 'ian',
    sessionId: 'own-session',
    secretSha256: 'ab',
    expiresAt: '2026-02-01T00:00:00.000Z',
    known: { accountable: known(ian), workspaces: [here], ...known_ },
    ...data,
  },
});
const human = (data: Partial<IssueCredential['data']> = {}) =>
  issue({ kind: 'human', principalId: 'ann', name: 'Ann', roles: ['approver'], capabilities: [], accountableHuman: undefined, ...data });
const revoke: RevokeCredential = { type: 'RevokeCredential', meta: metaOf(otto), data: { reason: 'lost' } };
const issued: CredentialEvent = {
  type: 'CredentialIssued',
  data: {
    principalId: 'ida',
    principalKind: 'agent',
    name: 'Ida',
    roles: ['implementer'],
    capabilities: ['code'],
    workspaceIds: [WORKSPACE],
    accountableHuman: 'ian',
    lineage: { accountableHuman: 'ian', sessions: ['own-session'] },
    secretSha256: 'ab',
    issuedBy: 'otto',
    at: AT,
    expiresAt: '2026-02-01T00:00:00.000Z',
  },
};
const revoked: CredentialEvent = { type: 'CredentialRevoked', data: { by: 'otto', reason: 'lost', at: AT } };
const of = given(credentialDecider);

describe('A credential', () => {
  it('is issued to an agent for whom a human of the tenant answers', () => of.when(issue()).then(issued));
  it('is issued to a human, who is accountable for itself', () =>
    expect(of.when(human()).state()).toMatchObject({ principal: { accountableHuman: 'ann', lineage: { sessions: ['own-session'] } } }));
  it('is issued once', () => given(credentialDecider, issued).when(issue()).thenRefused('credential/exists'));
  it('keeps no secret, only its digest', () => expect(JSON.stringify(of.when(issue()).decision)).not.toContain('wbk_'));

  it.each([
    ['implementer', 'verifier'],
    ['eve', 'implementer'],
    ['approver', 'verifier'],
    ['operator', 'implementer'],
  ] as const)('does not hold roles of two sides: %s and %s', (...roles) =>
    of.when(issue({ roles, capabilities: [] })).thenRefused('credential/mixed-sides'),
  );
  it('may hold several roles of the people side', () =>
    of.when(human({ roles: ['approver', 'operator', 'member'] })).thenTypes('CredentialIssued'));
  it('holds at least one role', () => of.when(human({ roles: [] })).thenRefused('credential/no-role'));
  it.each(['human', 'service'] as const)('of eve is not for a %s', (kind) =>
    of
      .when(issue({ kind, roles: ['eve'], capabilities: [], accountableHuman: kind === 'human' ? undefined : 'ian' }))
      .thenRefused('credential/kind'),
  );
  it.each(['approver', 'operator', 'member'] as const)('of the role %s is for humans only', (role) =>
    of.when(issue({ roles: [role], capabilities: [] })).thenRefused('credential/kind'),
  );
  it.each(['agent', 'human', 'service'] as const)('of an implementer may be for a(n) %s', (kind) =>
    of.when(issue({ kind, accountableHuman: kind === 'human' ? undefined : 'ian' })).thenTypes('CredentialIssued'),
  );
  it('makes eligible for a queue only who executes', () => of.when(human({ capabilities: ['code'] })).thenRefused('credential/capability'));
  it.each([
    ['agent', 'verifier', 'credential/capability'],
    ['service', 'implementer', 'credential/capability'],
  ] as const)('of a(n) %s %s is not the verification worker', (kind, role, code) =>
    of.when(issue({ kind, roles: [role], capabilities: ['verification-worker'] })).thenRefused(code),
  );
  it('of a service that verifies may be the verification worker', () =>
    of.when(issue({ kind: 'service', roles: ['verifier'], capabilities: ['verification-worker'] })).thenTypes('CredentialIssued'));

  it('of an agent needs an accountable human', () =>
    of.when(issue({ accountableHuman: undefined }, { accountable: undefined })).thenRefused('credential/accountable-human'));
  it('needs an accountable human that somebody knows', () =>
    of.when(issue({}, { accountable: undefined })).thenRefused('credential/accountable-human'));
  it('needs an accountable human of the same tenant', () =>
    of.when(issue({}, { accountable: known(principal('ian', { tenantId: 'other' })) })).thenRefused('credential/accountable-human'));
  it('needs an accountable human that is human', () =>
    of.when(issue({}, { accountable: known(principal('ian', { kind: 'agent' })) })).thenRefused('credential/accountable-human'));
  it('of a human names nobody else as accountable', () =>
    of.when(human({ accountableHuman: 'ian' })).thenRefused('credential/accountable-human'));

  it('continues the ancestry of the credential that spawned it', () => {
    const parent = known(principal('parent', { lineage: { accountableHuman: 'ian', sessions: ['grand', 'parent'] } }));
    expect(of.when(issue({ spawnedBy: 'parent' }, { accountable: known(ian), workspaces: [here], spawner: parent })).state()).toMatchObject(
      {
        principal: { lineage: { sessions: ['grand', 'parent', 'own-session'] } },
      },
    );
  });
  it('is not spawned by a credential that nobody knows', () => of.when(issue({ spawnedBy: 'ghost' })).thenRefused('credential/not-found'));
  it('is not spawned by a credential of another tenant', () =>
    of.when(issue({ spawnedBy: 'x' }, { spawner: known(principal('x', { tenantId: 'other' })) })).thenRefused('credential/not-found'));

  it('is for workspaces that its issuer reaches', () =>
    of.when({ ...issue(), meta: metaOf({ ...otto, workspaceIds: ['elsewhere'] }) }).thenRefused('workspace/not-found'));
  it('is for workspaces that exist', () => of.when(issue({}, { workspaces: [] })).thenRefused('workspace/not-found'));
  it('is for workspaces of the same tenant', () =>
    of.when(issue({}, { workspaces: [{ ...here, tenantId: 'other' }] })).thenRefused('workspace/not-found'));
  it('is not for an archived workspace', () =>
    of.when(issue({}, { workspaces: [{ ...here, archived: true }] })).thenRefused('workspace/archived'));
  it('is for at least one workspace', () => of.when(issue({ workspaceIds: [] })).thenRefused('credential/no-workspace'));
  it('ends after it begins', () => of.when(issue({ expiresAt: AT })).thenRefused('credential/expiry'));

  it('may be a further one of a principal, under its own name', () => {
    const wish = issue(
      { existing: true, kind: undefined, name: undefined },
      { principal: known(principal('ida', { kind: 'agent', name: 'Ida' })) },
    );
    of.when(wish).then(issued);
  });
  it('is not a further one of a principal that nobody knows', () => of.when(issue({ existing: true })).thenRefused('principal/not-found'));
  it('is not a further one of a principal of another tenant', () =>
    of
      .when(issue({ existing: true }, { principal: known(principal('ida', { kind: 'agent', tenantId: 'other' })) }))
      .thenRefused('principal/not-found'));
  it.each([{ kind: 'human' as const }, { name: 'Ada' }])('does not change what its principal is: %j', (change) =>
    of
      .when(issue({ existing: true, ...change }, { principal: known(principal('ida', { kind: 'agent', name: 'Ida' })) }))
      .thenRefused('credential/principal'),
  );
  it.each(['kind', 'name'])('of a new principal states its %s', (field) =>
    of.when(issue({ [field]: undefined })).thenRefused('credential/principal'),
  );

  it('is revoked', () => given(credentialDecider, issued).when(revoke).then(revoked));
  it('is revoked once, and says by whom', () => {
    given(credentialDecider, issued, revoked).when(revoke).thenRefused('credential/revoked');
    expect(given(credentialDecider, issued, revoked).when(revoke).decision.refusal?.facts).toEqual({ by: 'otto', reason: 'lost', at: AT });
  });
  it('has to exist to be revoked', () => of.when(revoke).thenRefused('credential/not-found'));
  it('is the principal that its event says, in the tenant of the event', () =>
    expect(fold(credentialDecider, [issued])).toMatchObject({
      principal: { id: 'ida', kind: 'agent', tenantId: TENANT, credentialId: 'test', roles: ['implementer'] },
    }));
  it('ignores events of a newer server', () => {
    const state = fold(credentialDecider, [issued]);
    expect(evolve(state, recorded({ type: 'CredentialPainted', data: {} } as unknown as CredentialEvent))).toBe(state);
  });
});

describe('A credential in each of its states', () => {
  const foreign = (id: string) => known(principal(id, { tenantId: 'other', kind: 'agent' }));
  const ida = known(principal('ida', { kind: 'agent', name: 'Ida' }));
  itDecidesAs(
    join(__dirname, 'credential.decisions.jsonl'),
    credentialDecider,
    { 'not issued': [], issued: [issued], revoked: [issued, revoked] },
    {
      'it is issued to an agent': issue(),
      'it is issued to a human': human(),
      'it is issued to a human who names itself': human({ accountableHuman: 'ann' }),
      'it is issued to a human who names another': human({ accountableHuman: 'ian' }),
      'it is issued to a principal that exists': issue({ existing: true, kind: undefined, name: undefined }, { principal: ida }),
      'it is issued to a principal that exists, by its kind and name': issue({ existing: true }, { principal: ida }),
      'it is issued to a principal that exists, by another name': issue({ existing: true, name: 'Eva' }, { principal: ida }),
      'it is issued to a principal that exists, by another kind': issue({ existing: true, kind: 'service' }, { principal: ida }),
      'it is issued to a principal that nobody knows': issue({ existing: true }),
      'it is issued to a principal of another tenant': issue({ existing: true }, { principal: foreign('ida') }),
      'it is issued without a kind': issue({ kind: undefined }),
      'it is issued without a name': issue({ name: undefined }),
      'it is issued without a role': issue({ roles: [] }),
      'it is issued for two sides': issue({ roles: ['implementer', 'verifier'] }),
      'it is issued for a role that nobody knows': issue({ roles: ['king' as never] }),
      'it is issued to an agent that would decide': issue({ roles: ['approver'], capabilities: [] }),
      'it is issued to a service that would be eve': issue({ kind: 'service', roles: ['eve'], capabilities: [] }),
      'it is issued to eve': issue({ roles: ['eve'], capabilities: [] }),
      'it is issued to eve with a capability': issue({ roles: ['eve'] }),
      'it is issued to a verifier': issue({ roles: ['verifier'] }),
      'it is issued to an agent as the verification worker': issue({ roles: ['verifier'], capabilities: ['verification-worker'] }),
      'it is issued to a service as the verification worker': issue({
        kind: 'service',
        roles: ['verifier'],
        capabilities: ['verification-worker'],
      }),
      'it is issued to an implementer as the verification worker': issue({
        kind: 'service',
        capabilities: ['code', 'verification-worker'],
      }),
      'it is issued for no workspace': issue({ workspaceIds: [] }),
      'it is issued for a second workspace that nobody knows': issue({ workspaceIds: [WORKSPACE, 'w2'] }),
      'it is issued for a workspace of another tenant': issue({}, { workspaces: [{ ...here, tenantId: 'other' }] }),
      'it is issued for an archived workspace': issue({}, { workspaces: [{ ...here, archived: true }] }),
      'it is issued for a workspace beyond its issuer': { ...issue(), meta: metaOf({ ...otto, workspaceIds: ['elsewhere'] }) },
      'it is issued without an accountable human': issue({ accountableHuman: undefined }, { accountable: undefined }),
      'it is issued with an accountable agent': issue({}, { accountable: known(principal('ian', { kind: 'agent' })) }),
      'it is issued with an accountable human of another tenant': issue({}, { accountable: foreign('ian') }),
      'it is spawned': issue({ spawnedBy: 'parent' }, { spawner: known(principal('parent')) }),
      'it is spawned by nobody known': issue({ spawnedBy: 'ghost' }),
      'it is spawned from another tenant': issue({ spawnedBy: 'x' }, { spawner: foreign('x') }),
      'it is issued for the second of the workspaces that are known': issue(
        { workspaceIds: [WORKSPACE] },
        { workspaces: [{ ...here, id: 'w2', archived: true }, here] },
      ),
      'it is issued for a workspace that is known twice': issue({}, { workspaces: [here, { ...here, archived: true }] }),
      'it is issued for two foreign capabilities': issue({ roles: ['eve'], capabilities: ['code', 'studio'] }),
      'it ends as it begins': issue({ expiresAt: AT }),
      'it ends a moment later': issue({ expiresAt: '2026-01-05T09:00:00.001Z' }),
      'it is revoked': revoke,
    },
  );
});

describe('What a credential can be of', () => {
  it('lies, where it is the first of its principal, in a stream that follows from the principal for ever', () =>
    expect(firstCredentialOf('ida')).toBe(derivedId('first-credential', 'ida')));
  it('is a human of whom nobody else is known', () => {
    const alone = human();
    of.when({ ...alone, data: { ...alone.data, known: { workspaces: [here] } } }).thenTypes('CredentialIssued');
  });
  it('names the first capability that it may not hold', () =>
    expect(faultOf({ kind: 'agent', roles: ['eve'], capabilities: ['code', 'studio'], workspaceIds: [WORKSPACE] })?.detail).toMatch(
      /^code /,
    ));
  it('are these kinds of principals, queues and capabilities', () => {
    expect(KINDS).toEqual(['human', 'agent', 'service']);
    expect(QUEUES).toEqual(['code', 'content', 'studio']);
    expect(CAPABILITIES).toEqual(['code', 'content', 'studio', 'verification-worker']);
  });
  it('is one side; roles that nobody knows are sides of their own', () => {
    expect(sidesOf(['implementer', 'king', 'queen'])).toEqual(['implementer', 'unknown:king', 'unknown:queen']);
    expect(sideOf(['king'])).toBeUndefined();
  });
});
