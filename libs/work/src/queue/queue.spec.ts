import { given } from '#libs/kernel/testing';
import { taskDecider } from '../task.decider.js';
import {
  ada,
  at,
  block,
  bo,
  cancel,
  claim,
  expire,
  LEASE_MS,
  leased,
  olga,
  playOn,
  queue,
  queued,
  renew,
  report,
  reported,
  requeue,
  shipped,
  stateOf,
  system,
  unblock,
  unverifiable,
  verified,
  verifying,
} from '../testing/tasks.js';

const blocked = playOn(leased, block(ada, { fence: '1' }));
const expiredThrice = [1, 2, 3].reduce(
  (events, n) => playOn(events, claim(ada, {}), expire(system, { fence: String(n) }, { at: at(LEASE_MS) })),
  queued,
);

describe('A task', () => {
  it('is queued once', () =>
    given(taskDecider, ...queued)
      .when(queue(system, {}))
      .thenRefused('task/queued'));
  it('does not exist before it is queued', () => given(taskDecider).when(claim(ada, {})).thenRefused('task/not-found'));
  it('keeps what it was queued with', () =>
    expect(stateOf(queued)).toMatchObject({ status: 'queued', facts: { queue: 'code', fence: '0' } }));
});

describe('A blocked task', () => {
  it('keeps its lease', () => expect(stateOf(blocked)).toMatchObject({ status: 'blocked', lease: { fence: '1' } }));
  it('is offered to nobody else', () =>
    given(taskDecider, ...blocked)
      .when(claim(bo, {}))
      .thenRefused('lease/taken'));
  it('stays blocked while its holder renews', () =>
    expect(stateOf(playOn(blocked, renew(ada, { fence: '1' }, { at: at(60_000) })))).toMatchObject({
      status: 'blocked',
      lease: { expiresAt: at(60_000 + LEASE_MS) },
    }));
  it('asks one question at a time', () =>
    given(taskDecider, ...blocked)
      .when(block(ada, { fence: '1' }))
      .thenRefused('task/blocked'));
  it('is blocked by its holder only', () =>
    given(taskDecider, ...leased)
      .when(block(bo, { fence: '1' }))
      .thenRefused('lease/not-holder'));
  it('goes on when an operator answers', () => {
    given(taskDecider, ...blocked)
      .when(unblock(olga, {}))
      .thenTypes('TaskUnblocked');
    expect(stateOf(playOn(blocked, unblock(olga, {})))).toMatchObject({ status: 'leased', lease: { fence: '1' } });
  });
  it('takes the answer to just its question', () =>
    given(taskDecider, ...blocked)
      .when(unblock(olga, { fence: '1' }))
      .thenTypes('TaskUnblocked'));
  it('goes on when its holder found the answer', () =>
    given(taskDecider, ...blocked)
      .when(unblock(ada, {}))
      .thenTypes('TaskUnblocked'));
  it('is not unblocked by another implementer', () =>
    given(taskDecider, ...blocked)
      .when(unblock(bo, {}))
      .thenRefused('lease/not-holder'));
  it('may be reported all the same', () =>
    given(taskDecider, ...blocked)
      .when(report(ada, { fence: '1' }))
      .thenTypes('WorkReported'));

  // C10
  it('is reclaimed when heartbeats stop, and the question with it', () => {
    const reclaimed = playOn(blocked, expire(system, { fence: '1' }, { at: at(LEASE_MS) }));
    expect(stateOf(reclaimed).status).toBe('queued');
    given(taskDecider, ...reclaimed)
      .when(unblock(olga, {}))
      .thenRefused('task/not-blocked');
  });
  it('takes no answer to the question of an earlier holder', () => {
    const again = playOn(blocked, expire(system, { fence: '1' }, { at: at(LEASE_MS) }), claim(bo, {}), block(bo, { fence: '2' }));
    given(taskDecider, ...again)
      .when(unblock(olga, { fence: '1' }))
      .thenRefused('task/not-blocked');
  });
});

describe('A cancelled task', () => {
  it.each([
    ['queued', queued],
    ['leased', leased],
    ['reported', reported],
    ['being verified', verifying],
    ['verified', verified],
    ['exhausted', expiredThrice],
  ])('was %s before', (_, history) => {
    given(taskDecider, ...history)
      .when(cancel(olga, {}))
      .thenTypes('TaskCancelled');
    expect(stateOf(playOn(history, cancel(olga, {}))).status).toBe('cancelled');
  });
  it('tells its former holder so', () => {
    const { decision, thenRefusedAndRecorded } = given(taskDecider, ...playOn(leased, cancel(olga, {}))).when(report(ada, { fence: '1' }));
    thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected');
    expect(decision.refusal?.facts).toMatchObject({ ended: 'cancelled', status: 'cancelled', heldBy: null, artifactsCount: false });
  });
  it('ends a live lease by name, so that nothing waits for it', () => {
    expect(playOn(verifying, cancel(olga, {})).at(-1)?.data).toMatchObject({ leaseId: 'test.2', fence: '2' });
    expect(playOn(queued, cancel(olga, {})).at(-1)?.data).not.toHaveProperty('leaseId');
  });
  it('is closed', () => {
    const closed = playOn(queued, cancel(olga, {}));
    given(taskDecider, ...closed)
      .when(claim(ada, {}))
      .thenRefused('lease/not-claimable');
    given(taskDecider, ...closed)
      .when(cancel(olga, {}))
      .thenRefused('task/closed');
    given(taskDecider, ...closed)
      .when(requeue(olga, {}))
      .thenRefused('task/not-requeueable');
  });
  it('was not shipped', () =>
    given(taskDecider, ...shipped)
      .when(cancel(olga, {}))
      .thenRefused('task/closed'));
});

describe('An exhausted task', () => {
  it('is offered to nobody', () =>
    given(taskDecider, ...expiredThrice)
      .when(claim(bo, {}))
      .thenRefused('lease/not-claimable'));
  it('is offered again with all its attempts when an operator requeues it', () => {
    const again = playOn(expiredThrice, requeue(olga, {}));
    expect(stateOf(again)).toMatchObject({ status: 'queued', facts: { expiries: 0, fence: '3' } });
    given(taskDecider, ...playOn(again, claim(ada, {})))
      .when(expire(system, { fence: '4' }, { at: at(LEASE_MS) }))
      .thenTypes('LeaseExpired');
  });
  it('is, like an unverifiable one, all that can be requeued', () => {
    given(taskDecider, ...unverifiable)
      .when(requeue(olga, {}))
      .thenTypes('TaskRequeued');
    given(taskDecider, ...reported)
      .when(requeue(olga, {}))
      .thenRefused('task/not-requeueable');
  });
});
