import { given, principal } from '#libs/kernel/testing';
import { taskDecider } from '../task.decider.js';
import {
  ada,
  agent,
  at,
  bo,
  claim,
  expire,
  LEASE_MS,
  leased,
  olga,
  playOn,
  queued,
  rejected,
  release,
  renew,
  report,
  reported,
  reportDigest,
  revoke,
  shipped,
  stateOf,
  system,
  take,
  unverifiable,
  vera,
  verdict,
  verified,
  verifying,
} from '../testing/tasks.js';

const expired = playOn(leased, expire(system, { fence: '1' }, { at: at(LEASE_MS) }));
const retaken = playOn(expired, claim(bo, {}));
const expireAgain = (events: typeof queued, fence: string) =>
  playOn(events, claim(ada, {}), expire(system, { fence }, { at: at(LEASE_MS) }));

describe('A lease', () => {
  it('is granted to whom the queue is open, with lineage, fence and time', () => {
    const [granted] = given(taskDecider, ...queued).when(claim(ada, { model: 'm-1', conversationId: 'talk' })).decision.events;
    expect(granted).toEqual({
      type: 'LeaseGranted',
      data: {
        leaseId: 'test.1',
        fence: '1',
        at: at(0),
        expiresAt: at(LEASE_MS),
        scopeDigest: 'scope',
        holder: {
          principalId: 'ada',
          credentialId: 'credential-of-ada',
          kind: 'agent',
          name: 'ada',
          accountableHuman: 'human-of-ada',
          sessions: ['session-of-ada'],
          conversations: ['talk'],
          model: 'm-1',
        },
      },
    });
  });
  it('adds the conversation that the claim declares to the one that the server knows', () => {
    const known = agent('kay', { lineage: { accountableHuman: 'human-of-kay', sessions: [], conversationId: 'known' } });
    const [granted] = given(taskDecider, ...queued).when(claim(known, { conversationId: 'declared' })).decision.events;
    expect(granted?.data).toMatchObject({ holder: { conversations: ['known', 'declared'] } });
  });
  it('is refused to a credential that is not capable of the queue', () =>
    given(taskDecider, ...queued)
      .when(claim(agent('cy', { capabilities: ['studio'] }), {}))
      .thenRefused('lease/not-capable'));
  it('is refused to a claim that narrowed the queue away', () =>
    given(taskDecider, ...queued)
      .when(claim(ada, { capabilities: ['content'] }))
      .thenRefused('lease/not-capable'));
  it('is refused to a claim that widens what the credential is capable of', () =>
    given(taskDecider, ...queued)
      .when(claim(ada, { capabilities: ['code', 'studio'] }))
      .thenRefused('lease/not-capable'));
  it('tells who holds the task', () => {
    const { decision, thenRefused } = given(taskDecider, ...leased).when(claim(bo, {}));
    thenRefused('lease/taken');
    expect(decision.refusal?.facts).toEqual({ heldBy: { id: 'ada', name: 'ada' }, fence: '1', expiresAt: at(LEASE_MS), status: 'leased' });
  });
  it('is not granted twice to the same agent', () =>
    given(taskDecider, ...leased)
      .when(claim(ada, {}))
      .thenRefused('lease/taken'));

  // C04
  it('cannot be stolen by a server whose clock is ahead', () =>
    given(taskDecider, ...leased)
      .when(claim(bo, {}, { at: at(10 * LEASE_MS) }))
      .thenRefused('lease/taken'));
});

describe('A renewal', () => {
  it('prolongs the lease from now', () =>
    given(taskDecider, ...leased)
      .when(renew(ada, { fence: '1' }, { at: at(300_000) }))
      .then({
        type: 'LeaseRenewed',
        data: { leaseId: 'test.1', fence: '1', at: at(300_000), kind: 'implementation', expiresAt: at(300_000 + LEASE_MS) },
      }));
  it('never shortens it', () => {
    const renewed = playOn(leased, renew(ada, { fence: '1' }, { at: at(5) }), renew(ada, { fence: '1' }, { at: at(3) }));
    expect(stateOf(renewed)).toMatchObject({ lease: { expiresAt: at(5 + LEASE_MS) } });
  });
  it('wins until the expiry is recorded', () =>
    given(taskDecider, ...leased)
      .when(renew(ada, { fence: '1' }, { at: at(2 * LEASE_MS) }))
      .thenTypes('LeaseRenewed'));
  it('comes from the holder', () =>
    given(taskDecider, ...leased)
      .when(renew(bo, { fence: '1' }))
      .thenRefused('lease/not-holder'));
  it('comes with the credential that holds it', () =>
    given(taskDecider, ...leased)
      .when(renew(agent('ada', { credentialId: 'another' }), { fence: '1' }))
      .thenRefused('lease/not-holder'));
  it('comes from the principal that holds it, with that credential', () =>
    given(taskDecider, ...leased)
      .when(renew(agent('thief', { credentialId: 'credential-of-ada' }), { fence: '1' }))
      .thenRefused('lease/not-holder'));
  it('is for the kind of lease that it is', () =>
    given(taskDecider, ...leased)
      .when(renew(ada, { fence: '1', kind: 'verification' }))
      .thenRefused('lease/other-kind'));
});

describe('A lease that ends', () => {
  // C08
  it('goes back to the queue when it is released, and no attempt is counted', () => {
    given(taskDecider, ...leased)
      .when(release(ada, { fence: '1' }))
      .thenTypes('LeaseReleased');
    expect(stateOf(playOn(leased, release(ada, { fence: '1' })))).toMatchObject({ status: 'queued', facts: { expiries: 0 } });
  });
  it('expires at its time', () =>
    given(taskDecider, ...leased)
      .when(expire(system, { fence: '1' }, { at: at(LEASE_MS) }))
      .then({ type: 'LeaseExpired', data: { leaseId: 'test.1', fence: '1', at: at(LEASE_MS), expiresAt: at(LEASE_MS), expiries: 1 } }));
  it('does not expire a millisecond before', () =>
    given(taskDecider, ...leased)
      .when(expire(system, { fence: '1' }, { at: at(LEASE_MS - 1) }))
      .thenRefused('lease/renewed'));
  it('does not expire where it was renewed meanwhile', () =>
    given(taskDecider, ...playOn(leased, renew(ada, { fence: '1' }, { at: at(LEASE_MS - 1) })))
      .when(expire(system, { fence: '1' }, { at: at(LEASE_MS) }))
      .thenRefused('lease/renewed'));
  it('expires once', () =>
    given(taskDecider, ...expired)
      .when(expire(system, { fence: '1' }, { at: at(LEASE_MS) }))
      .thenRefused('lease/ended'));
  it('does not take a younger lease with it', () =>
    given(taskDecider, ...retaken)
      .when(expire(system, { fence: '1' }, { at: at(9 * LEASE_MS) }))
      .thenRefused('lease/ended'));

  // C08: owner and status change in one event
  it('leaves a queued task without a holder, in the one event', () => {
    const state = stateOf(expired);
    expect(state.status).toBe('queued');
    expect('lease' in state).toBe(false);
  });

  // C06
  it('exhausts the task with the third expiry, in one append', () => {
    const twice = expireAgain(expireAgain(queued, '1'), '2');
    given(taskDecider, ...playOn(twice, claim(ada, {})))
      .when(expire(system, { fence: '3' }, { at: at(LEASE_MS) }))
      .thenTypes('LeaseExpired', 'TaskExhausted');
    expect(stateOf(expireAgain(twice, '3')).status).toBe('exhausted');
  });
  it('counts expiries, not releases', () => {
    const twice = expireAgain(expireAgain(queued, '1'), '2');
    const releasedThen = playOn(twice, claim(ada, {}), release(ada, { fence: '3' }), claim(ada, {}));
    given(taskDecider, ...releasedThen)
      .when(expire(system, { fence: '4' }, { at: at(LEASE_MS) }))
      .thenTypes('LeaseExpired', 'TaskExhausted');
  });
  it('is revoked by an operator', () => {
    given(taskDecider, ...leased)
      .when(revoke(olga, { fence: '1' }))
      .thenTypes('LeaseRevoked');
    expect(stateOf(playOn(leased, revoke(olga, { fence: '1' })))).toMatchObject({ status: 'queued', facts: { expiries: 0 } });
  });
  it('is revoked while it is live only', () => {
    given(taskDecider, ...retaken)
      .when(revoke(olga, { fence: '1' }))
      .thenRefused('lease/ended');
    given(taskDecider, ...expired)
      .when(revoke(olga, { fence: '1' }))
      .thenRefused('lease/ended');
  });
});

describe('A stale write', () => {
  // C02
  it('is refused and recorded, and the task stays with its new holder', () => {
    const { decision, thenRefusedAndRecorded, state } = given(taskDecider, ...retaken).when(report(ada, { fence: '1' }));
    thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected');
    expect(decision.refusal?.facts).toEqual({
      fence: '1',
      ended: 'expired',
      status: 'leased',
      artifactsCount: false,
      liveFence: '2',
      heldBy: { id: 'bo', name: 'bo' },
    });
    expect(decision.refusal?.detail).toMatch(/bo holds the task now.*Nothing done under it counts/);
    expect(state()).toMatchObject({ status: 'leased', lease: { fence: '2', holder: { principalId: 'bo' } } });
  });
  it('is refused also while nobody else holds the task', () =>
    given(taskDecider, ...expired)
      .when(report(ada, { fence: '1' }))
      .thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected'));
  it('is refused also from the agent that holds a newer lease', () =>
    given(taskDecider, ...playOn(expired, claim(ada, {})))
      .when(report(ada, { fence: '1' }))
      .thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected'));
  it('is recorded once for a fence and a kind of command', () => {
    const tried = playOn(retaken, renew(ada, { fence: '1' }));
    given(taskDecider, ...tried)
      .when(renew(ada, { fence: '1' }))
      .thenRefused('lease/lost');
    given(taskDecider, ...tried)
      .when(report(ada, { fence: '1' }))
      .thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected');
  });
  it('grows a stream by a constant, however often it is tried', () => {
    const tries = Array.from({ length: 1000 }, () => [
      renew(ada, { fence: '1' }),
      report(ada, { fence: '1' }),
      release(ada, { fence: '1' }),
    ]).flat();
    expect(playOn(retaken, ...tries)).toHaveLength(retaken.length + 3);
  });
  it('leaves no record from someone who never held that fence', () =>
    given(taskDecider, ...retaken)
      .when(renew(bo, { fence: '1' }))
      .thenRefused('lease/lost'));
  it('says that the artifacts count where they were reported under that fence', () => {
    const { decision } = given(taskDecider, ...reported).when(renew(ada, { fence: '1' }));
    expect(decision.refusal?.facts).toMatchObject({ ended: 'reported', artifactsCount: true, status: 'reported' });
    expect(decision.refusal?.detail).toMatch(/Nobody holds the task now; it is reported. What you reported under it counts/);
  });
  it('says that nothing of it counts where another’s report stands', () => {
    const { decision } = given(taskDecider, ...playOn(retaken, report(bo, { fence: '2' }))).when(report(ada, { fence: '1' }));
    expect(decision.refusal?.facts).toMatchObject({ ended: 'expired', artifactsCount: false, status: 'reported' });
  });
  it('answers a retry as it answered first', () => {
    const { decision } = given(taskDecider, ...retaken).when(report(ada, { fence: '1' }));
    const [event] = decision.events;
    expect(
      taskDecider.refusalOf?.({
        ...event!,
        id: '',
        stream: 'task-test',
        revision: 0n,
        position: '0',
        recordedAt: at(0),
        meta: {} as never,
      }),
    ).toEqual(decision.refusal);
  });
  it.each(['0', '2', '99', '01', '-1', 'toString'])('under fence %s, which was never granted, is refused without a trace', (fence) =>
    given(taskDecider, ...leased)
      .when(renew(ada, { fence }))
      .thenRefused('lease/unknown-fence'),
  );
  it('of a report a millisecond before the expiry is none', () =>
    given(taskDecider, ...leased)
      .when(report(ada, { fence: '1' }, { at: at(LEASE_MS - 1) }))
      .thenTypes('WorkReported'));
  it('by a verifier is one as well', () =>
    given(taskDecider, ...verified)
      .when(verdict(vera, { fence: '2', reportDigest }))
      .thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected'));
});

describe('Reported work', () => {
  it.each([
    ['reported', reported],
    ['verified', verified],
    ['unverifiable', unverifiable],
  ])('that is %s may be taken up again by its reporter, by name', (status, history) => {
    const amending = playOn(history, claim(ada, {}));
    expect(amending.at(-1)).toMatchObject({ type: 'LeaseGranted', data: { amends: reportDigest } });
    const fence = stateOf(amending).facts.fence;
    // It rests where it was, however that lease ends without a report.
    for (const end of [release(ada, { fence }), revoke(olga, { fence }), expire(system, { fence }, { at: at(LEASE_MS) })])
      expect(stateOf(playOn(amending, end))).toMatchObject({ status, report: { reportDigest } });
  });
  it('is not handed to its reporter by a claim that names only a queue', () =>
    given(taskDecider, ...reported)
      .when(claim(ada, { amend: false }))
      .thenRefused('lease/not-claimable'));
  it('is not handed to anybody else', () =>
    given(taskDecider, ...reported)
      .when(claim(bo, {}))
      .thenRefused('lease/not-claimable'));
  it('is not exhausted by leases that would amend it', () => {
    const thrice = ['2', '3', '4'].reduce((events, fence) => expireAgain(events, fence), reported);
    expect(stateOf(thrice)).toMatchObject({ status: 'reported', facts: { expiries: 0 } });
  });
  it('cannot be amended while it is verified', () =>
    given(taskDecider, ...verifying)
      .when(claim(ada, {}))
      .thenRefused('lease/taken'));
  it('that was rejected is claimed by anybody capable', () =>
    given(taskDecider, ...rejected)
      .when(claim(bo, {}))
      .thenTypes('LeaseGranted'));
  it('that was shipped is claimed by nobody', () =>
    given(taskDecider, ...shipped)
      .when(claim(ada, {}))
      .thenRefused('lease/not-claimable'));
});

describe('A verification lease', () => {
  it('draws from the same counter of fences', () => expect(stateOf(verifying)).toMatchObject({ lease: { fence: '2' } }));
  it('expires without exhausting the task, however often', () => {
    const dead = ['2', '3', '4', '5'].reduce(
      (events, fence) => playOn(events, take(vera, {}), expire(system, { fence }, { at: at(LEASE_MS) })),
      reported,
    );
    expect(dead.filter(({ type }) => type === 'VerificationExpired')).toHaveLength(4);
    expect(stateOf(dead)).toMatchObject({ status: 'reported', facts: { expiries: 0 } });
  });
  it('is renewed and released like any other', () => {
    given(taskDecider, ...verifying)
      .when(renew(vera, { fence: '2', kind: 'verification' }))
      .thenTypes('LeaseRenewed');
    expect(stateOf(playOn(verifying, release(vera, { fence: '2', kind: 'verification' }))).status).toBe('reported');
  });
  it('gives no right to report', () =>
    given(taskDecider, ...verifying)
      .when(report(principal('vera', { roles: ['verifier'] }), { fence: '2' }))
      .thenRefused('lease/other-kind'));
});
