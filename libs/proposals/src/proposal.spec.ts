import { AT, given } from '#libs/kernel/testing';
import { digestOf } from '#libs/kernel';
import { shown } from './confirmations/card.js';
import { proposalDecider } from './proposal.decider.js';
import { proposalStatuses, type ProposalEvent } from './proposal.js';
import {
  HOUR,
  after,
  ann,
  approve,
  approved,
  ben,
  bot,
  commit,
  committed,
  decline,
  declined,
  eve,
  expire,
  expiredOne,
  fail,
  failed,
  fourEyes,
  later,
  mia,
  pending,
  stale,
  submit,
  supersede,
  superseded,
  withdraw,
  withdrawn,
} from './testing/proposal-examples.js';

describe('A proposal', () => {
  it('is pending from its submission until its time to decide ends', () => {
    expect(pending).toMatchObject({ type: 'ProposalSubmitted', data: { submittedAt: AT, approvalExpiresAt: later(24 * HOUR) } });
  });
  it('is submitted once', () => given(proposalDecider, pending).when(submit()).thenRefused('proposal/exists'));
  it('carries the digest of all that a person is shown', () => {
    const { presentedDigest, ...data } = pending.data;
    expect(presentedDigest).toBe(digestOf(shown(data, 'audit-1')));
    expect(digestOf(shown({ ...data, changes: [{ ...data.changes[0]!, after: 'Newer' }] }, 'audit-1'))).not.toBe(presentedDigest);
  });
  it('is withdrawn by its agent or its requester while it is pending', () => {
    given(proposalDecider, pending).when(withdraw(eve)).thenTypes('ProposalWithdrawn');
    given(proposalDecider, pending).when(withdraw(mia)).thenTypes('ProposalWithdrawn');
  });
  it('is not withdrawn by anybody else', () => given(proposalDecider, pending).when(withdraw(ann)).thenRefused('proposal/not-yours'));
  it('is not withdrawn once it is decided', () =>
    given(proposalDecider, ...approved)
      .when(withdraw())
      .thenRefused('confirmation/decided'));
  it.each([
    ['pending', [pending]],
    ['expired', expiredOne],
    ['invalidated', stale],
    ['failed', failed],
  ])('steps back for a newer one when %s', (_, history) =>
    given(proposalDecider, ...history)
      .when(supersede)
      .thenTypes('ProposalSuperseded'),
  );
  it.each([
    ['approved', approved],
    ['committed', committed],
    ['declined', declined],
    ['withdrawn', withdrawn],
  ])('does not step back when %s', (_, history) => expect(given(proposalDecider, ...history).when(supersede).decision.events).toEqual([]));
});

describe('A confirmation', () => {
  it('is approved by another person, who then has until releaseBy to see it carried out', () => {
    expect(approved[1]).toEqual({
      type: 'ConfirmationApproved',
      data: {
        by: { id: 'ann', name: 'ann' },
        at: later(HOUR),
        actionDigest: 'action',
        presentedDigest: pending.data.presentedDigest,
        tokenNonce: 'n1',
        releaseBy: later(HOUR + 15 * 60_000),
      },
    });
  });
  it('is approved by its requester where one pair of eyes is enough', () =>
    given(proposalDecider, pending).when(approve(mia)).thenTypes('ConfirmationApproved'));
  it('is not approved by its requester when four eyes are asked', () =>
    given(proposalDecider, fourEyes).when(approve(mia)).thenRefused('confirmation/own'));
  it('is not declined by its requester when four eyes are asked', () =>
    given(proposalDecider, fourEyes).when(decline(mia)).thenRefused('confirmation/own'));
  it('is not approved by the person who put it forward again when four eyes are asked', () => {
    const again = { ...fourEyes, meta: { actor: { id: 'ann', kind: 'human' } } } as ProposalEvent;
    given(proposalDecider, again).when(approve(ann)).thenRefused('confirmation/own');
  });
  it('is decided by people only', () => {
    given(proposalDecider, pending).when(approve(bot)).thenRefused('confirmation/human-only');
    given(proposalDecider, pending).when(decline(bot)).thenRefused('confirmation/human-only');
  });
  it('can be approved in the last millisecond of its time', () =>
    given(proposalDecider, pending)
      .when(approve(ann, { at: later(24 * HOUR - 1) }))
      .thenTypes('ConfirmationApproved'));
  it('that is approved too late expires, and says so', () =>
    given(proposalDecider, pending)
      .when(approve(ann, { at: later(24 * HOUR) }))
      .thenRefusedAndRecorded('confirmation/expired', 'ConfirmationExpired'));
  it('that is declined too late expires, and says so', () =>
    given(proposalDecider, pending)
      .when(decline(ann, later(24 * HOUR)))
      .thenRefusedAndRecorded('confirmation/expired', 'ConfirmationExpired'));
  it('does not expire before its time', () =>
    given(proposalDecider, pending)
      .when(expire(later(24 * HOUR - 1)))
      .thenRefused('confirmation/not-due'));
  it('is not approved when its record moved on: it is invalid from then on', () => {
    given(proposalDecider, pending)
      .when(approve(ann, { moved: true }))
      .thenRefusedAndRecorded('confirmation/stale', 'ConfirmationInvalidated');
    given(proposalDecider, ...stale)
      .when(approve(ann))
      .thenRefused('confirmation/stale');
  });
  it('is not approved with a token of another card', () => {
    given(proposalDecider, pending)
      .when(approve(ann, { token: { presentedDigest: 'other' } }))
      .thenRefused('confirmation/changed');
    given(proposalDecider, pending)
      .when(approve(ann, { token: { actionDigest: 'other' } }))
      .thenRefused('confirmation/changed');
  });
  it('is not approved with a token older than five minutes', () =>
    given(proposalDecider, pending)
      .when(approve(ann, { token: { expiresAt: later(HOUR) } }))
      .thenRefused('confirmation/token-expired'));
  it('tells the second approver who was first, when, and what was decided', () => {
    const { decision } = given(proposalDecider, ...approved).when(approve(ben, { token: { nonce: 'n2' } }));
    expect(decision.refusal).toMatchObject({
      code: 'confirmation/decided',
      facts: { by: { id: 'ann' }, at: later(HOUR), decision: 'approved' },
    });
  });
  it('takes a token once', () =>
    given(proposalDecider, ...approved)
      .when(approve())
      .thenRefused('confirmation/token-used'));
  it('that was declined is not approved, and gives the reason', () => {
    const { decision } = given(proposalDecider, ...declined).when(approve(ben, { token: { nonce: 'n2' } }));
    expect(decision.refusal).toMatchObject({ code: 'confirmation/decided', facts: { decision: 'declined', reason: 'Not now' } });
  });
  it.each([
    ['expired', expiredOne, 'confirmation/expired'],
    ['withdrawn', withdrawn, 'confirmation/closed'],
    ['superseded', superseded, 'confirmation/closed'],
    ['committed', committed, 'confirmation/decided'],
    ['failed', failed, 'confirmation/decided'],
  ])('that is %s is decided no more', (_, history, code) => {
    given(proposalDecider, ...history)
      .when(approve(ben, { token: { nonce: 'n2' } }))
      .thenRefused(code);
    given(proposalDecider, ...history)
      .when(decline(ben))
      .thenRefused(code);
    given(proposalDecider, ...history)
      .when(expire(later(48 * HOUR)))
      .thenRefused(code);
  });
  it('of a proposal that does not exist is not found', () => given(proposalDecider).when(approve()).thenRefused('proposal/not-found'));
});

describe('A mutation', () => {
  it('is committed once it was approved, naming the decision', () => {
    expect(committed.at(-1)).toMatchObject({
      type: 'MutationCommitted',
      data: { decidedBy: { id: 'ann' }, actionDigest: 'action', presentedDigest: pending.data.presentedDigest },
    });
  });
  it('is neither committed nor failed before a person approved it', () => {
    given(proposalDecider, pending).when(commit).thenRefused('confirmation/pending');
    given(proposalDecider, pending).when(fail).thenRefused('confirmation/pending');
  });
  it('is committed or failed, never both', () => {
    given(proposalDecider, ...committed)
      .when(fail)
      .thenRefused('confirmation/decided');
    given(proposalDecider, ...failed)
      .when(commit)
      .thenRefused('confirmation/decided');
  });
  it('does not follow a decline', () =>
    given(proposalDecider, ...declined)
      .when(commit)
      .thenRefused('confirmation/decided'));
});

describe('A refusal that is a fact', () => {
  it('is answered the same way to a retry', () => {
    const last = (history: readonly ProposalEvent[]) => ({ ...history.at(-1)!, meta: { actor: { id: 'ann', kind: 'human' } } }) as never;
    expect(proposalDecider.refusalOf!(last(stale))?.code).toBe('confirmation/stale');
    expect(proposalDecider.refusalOf!(last(after(approve(ann, { at: later(24 * HOUR) }), pending)))?.code).toBe('confirmation/expired');
    expect(proposalDecider.refusalOf!(last(approved))).toBeUndefined();
  });
  it('is no refusal where the product itself let the time run out', () => {
    expect(proposalDecider.refusalOf!({ ...expiredOne.at(-1)!, meta: { actor: { id: 's', kind: 'service' } } } as never)).toBeUndefined();
  });
});

describe('The states of a proposal', () => {
  it('are these, for filters', () =>
    expect(proposalStatuses).toEqual([
      'pending',
      'approved',
      'declined',
      'expired',
      'invalidated',
      'withdrawn',
      'superseded',
      'committed',
      'failed',
    ]));
});
