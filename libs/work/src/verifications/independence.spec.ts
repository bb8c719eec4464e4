import { derivedId, type Principal } from '#libs/kernel';
import { given, principal } from '#libs/kernel/testing';
import { taskDecider } from '../task.decider.js';
import {
  ada,
  agent,
  bo,
  claim,
  playOn,
  queued,
  release,
  report,
  reported,
  stateOf,
  take,
  vera,
  verdict,
  verifierAgent,
  verifying,
  worker,
} from '../testing/tasks.js';
import { reportDigest } from '../testing/tasks.js';

const withSessions = (...sessions: string[]) => ({ lineage: { accountableHuman: 'somebody', sessions }, accountableHuman: 'somebody' });

describe('A verifier', () => {
  it.each([
    ['an unrelated human', vera],
    ['an unrelated agent', verifierAgent('victor')],
    ['the product’s own worker', worker],
  ])('is independent as %s', (_, verifier) =>
    given(taskDecider, ...reported)
      .when(take(verifier, {}))
      .thenTypes('VerificationGranted'),
  );

  // C09
  it.each([
    ['principal', principal('ada', { roles: ['verifier'], kind: 'agent' })],
    ['principal', principal('ada', { roles: ['verifier'], kind: 'agent', credentialId: 'another token', ...withSessions('other') })],
    ['credential', verifierAgent('victor', { credentialId: 'credential-of-ada' })],
    ['accountable_human', verifierAgent('victor', { accountableHuman: 'human-of-ada' })],
    ['accountable_human', principal('human-of-ada', { roles: ['verifier'] })],
    ['session', verifierAgent('victor', withSessions('session-of-ada', 'own'))],
    ['missing_lineage', verifierAgent('victor', { lineage: { accountableHuman: '', sessions: [] } })],
    ['missing_lineage', verifierAgent('victor', { lineage: undefined as never })],
  ])('that shares the %s is refused with the proof, and that is recorded', (relation, verifier) => {
    const { decision, thenRefusedAndRecorded, state } = given(taskDecider, ...reported).when(take(verifier, {}));
    thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
    expect(decision.refusal).toMatchObject({
      kind: 'forbidden',
      facts: { relation, proof: { eventId: derivedId('test-event', 'LeaseGranted', '1'), type: 'LeaseGranted' } },
    });
    expect(state()).toMatchObject({ status: 'reported' });
  });

  it('that is human answers for itself, whatever its credential says of that', () => {
    given(taskDecider, ...reported)
      .when(take(principal('hugo', { roles: ['verifier'], lineage: { accountableHuman: '', sessions: [] } }), {}))
      .thenTypes('VerificationGranted');
    given(taskDecider, ...reported)
      .when(take(principal('human-of-ada', { roles: ['verifier'], accountableHuman: 'somebody' }), {}))
      .thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
  });
  it('is told what it shares', () => {
    const told = (verifier: Principal) => given(taskDecider, ...reported).when(take(verifier, {})).decision.refusal?.detail;
    expect(told(principal('ada', { roles: ['verifier'] }))).toMatch(/You share the identity/);
    expect(told(verifierAgent('victor', { lineage: { accountableHuman: '', sessions: [] } }))).toMatch(/no recorded lineage/);
  });
  it('is refused for a conversation that both declared', () => {
    const history = playOn(queued, claim(ada, { conversationId: 'talk' }), report(ada, { fence: '1' }));
    given(taskDecider, ...history)
      .when(take(vera, { conversationId: 'talk' }))
      .thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
    given(taskDecider, ...history)
      .when(take(vera, { conversationId: 'other' }))
      .thenTypes('VerificationGranted');
  });
  it('gains nothing by declaring another conversation than the one the server knows', () => {
    const lineage = { accountableHuman: 'human-of-kay', sessions: [], conversationId: 'talk' };
    const history = playOn(
      queued,
      claim(agent('kay', { lineage }), { conversationId: 'cover' }),
      report(agent('kay', { lineage }), { fence: '1' }),
    );
    given(taskDecider, ...history)
      .when(take(vera, { conversationId: 'talk' }))
      .thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
  });
  it('is judged against everyone who leased, not only who reported', () => {
    const history = playOn(queued, claim(bo, {}), release(bo, { fence: '1' }), claim(ada, {}), report(ada, { fence: '2' }));
    given(taskDecider, ...history)
      .when(take(verifierAgent('victor', { accountableHuman: 'human-of-bo' }), {}))
      .thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
  });
  it('cannot be independent of an agent without lineage', () => {
    const stray = agent('stray', { lineage: { accountableHuman: '', sessions: [] } });
    given(taskDecider, ...playOn(queued, claim(stray, {}), report(stray, { fence: '1' })))
      .when(take(vera, {}))
      .thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
  });
  it('is put on record once for a credential and a report', () => {
    const self = principal('ada', { roles: ['verifier'], kind: 'agent' });
    const tried = playOn(reported, take(self, {}));
    given(taskDecider, ...tried)
      .when(take(self, {}))
      .thenRefused('verification/not-independent');
    given(taskDecider, ...playOn(tried, claim(ada, {}), report(ada, { fence: '2' })))
      .when(take(self, {}))
      .thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused');
  });
  it('is told the same by a retry', () => {
    const { decision } = given(taskDecider, ...reported).when(take(principal('ada', { roles: ['verifier'] }), {}));
    const [event] = decision.events;
    expect(
      taskDecider.refusalOf?.({ ...event!, id: '', stream: 'task-test', revision: 0n, position: '0', recordedAt: '', meta: {} as never }),
    ).toEqual(decision.refusal);
  });
  it('stays refused for what it once declared, under another credential and without saying it again', () => {
    const history = playOn(
      queued,
      claim(ada, { conversationId: 'talk' }),
      report(ada, { fence: '1' }),
      take(vera, { conversationId: 'talk' }),
    );
    const { decision } = given(taskDecider, ...history).when(take({ ...vera, credentialId: 'another' }, {}));
    expect(decision.refusal).toMatchObject({ code: 'verification/not-independent', facts: { relation: 'conversation' } });
  });
  it('is free once its missing lineage is known, and loses the verification when it is missing again', () => {
    const stray = verifierAgent('victor', { lineage: { accountableHuman: '', sessions: [] } });
    const { thenRefusedAndRecorded, state } = given(
      taskDecider,
      ...playOn(reported, take(stray, {}), take(verifierAgent('victor'), {})),
    ).when(verdict(stray, { fence: '2', reportDigest }));
    thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused', 'LeaseRevoked');
    expect(state()).toMatchObject({ status: 'reported' });
  });
  it('is judged again at its verdict, and loses the verification', () => {
    const tied = principal('vera', { roles: ['verifier'], lineage: { accountableHuman: 'vera', sessions: ['session-of-ada'] } });
    const { thenRefusedAndRecorded, state } = given(taskDecider, ...verifying).when(verdict(tied, { fence: '2', reportDigest }));
    thenRefusedAndRecorded('verification/not-independent', 'VerificationRefused', 'LeaseRevoked');
    expect(state()).toMatchObject({ status: 'reported' });
    expect(stateOf(verifying).status).toBe('verifying');
  });
});
