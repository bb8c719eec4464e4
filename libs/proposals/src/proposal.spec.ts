import { join } from 'node:path';
import { AT, given, itDecidesAs, metaOf, principal } from '#libs/kernel/testing';
import { digestOf } from '#libs/kernel';
import { shown } from './confirmations/card.js';
import { proposalDecider, type ProposalCommand } from './proposal.decider.js';
import { proposalStatuses, type Mode, type ProposalEvent, type ProposalSubmitted } from './proposal.js';

const eve = principal('eve', { kind: 'agent', roles: ['eve'] });
const mia = principal('mia', { roles: ['member', 'approver'] });
const ann = principal('ann', { roles: ['approver'] });
const ben = principal('ben', { roles: ['approver'] });
const system = principal('system', { kind: 'service' });
const bot = principal('bot', { kind: 'agent', roles: ['approver'] });

const HOUR = 3_600_000;
const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

const plan = (mode: Mode, supersedes?: string) => ({
  operation: 'record.change' as const,
  arguments: { recordId: 'r1', changes: { title: 'New' } },
  summary: 'Change "Old"',
  targets: [{ kind: 'work_item', id: 'r1', title: 'Old', revision: '0', digest: 'd', fields: { title: 'Old' } }],
  references: [],
  changes: [{ field: 'title', label: 'Title', before: 'Old', after: 'New' }],
  reason: 'Clearer',
  agent: { id: 'eve', name: 'Eve' },
  agentCredentialId: 'c-eve',
  requester: { id: 'mia', name: 'Mia' },
  requesterCredentialId: 'c-mia',
  tenant: { id: 't', name: 'T' },
  workspace: { id: 'w', name: 'W' },
  risk: { class: 'write' as const, level: 1, why: 'x' },
  mode,
  reversible: true,
  warnings: [],
  outcomes: { approve: 'a', decline: 'b' },
  actionDigest: 'action',
  ...(supersedes && { supersedes }),
});
const submit = (mode: Mode = 'supervised', actor = eve): ProposalCommand => ({
  type: 'SubmitProposal',
  data: { plan: plan(mode), decideMs: 24 * HOUR },
  meta: metaOf(actor, { auditId: 'audit-1' }),
});
const submitted = (mode: Mode = 'supervised'): ProposalSubmitted =>
  given(proposalDecider).when(submit(mode)).decision.events[0] as ProposalSubmitted;
const pending = submitted();
const fourEyes = submitted('four_eyes');

const token = (over: object = {}) => ({
  actionDigest: 'action',
  presentedDigest: pending.data.presentedDigest,
  nonce: 'n1',
  expiresAt: later(48 * HOUR),
  ...over,
});
const approve = (actor = ann, over: { token?: object; at?: string; moved?: boolean } = {}): ProposalCommand => ({
  type: 'ApproveConfirmation',
  data: {
    token: token(over.token),
    moved: over.moved ? [{ id: 'r1', title: 'Old', shownRevision: '0', presentRevision: '1' }] : [],
    releaseMs: 15 * 60_000,
  },
  meta: metaOf(actor, { at: over.at ?? later(HOUR) }),
});
const decline = (actor = ann, at = later(HOUR)): ProposalCommand => ({
  type: 'DeclineConfirmation',
  data: { reason: 'Not now' },
  meta: metaOf(actor, { at }),
});
const expire = (at: string): ProposalCommand => ({ type: 'ExpireConfirmation', data: {}, meta: metaOf(system, { at }) });
const withdraw = (actor = eve): ProposalCommand => ({ type: 'WithdrawProposal', data: { reason: 'Changed my mind' }, meta: metaOf(actor) });
const supersede: ProposalCommand = { type: 'SupersedeProposal', data: { by: 'p2' }, meta: metaOf(system) };
const commit: ProposalCommand = {
  type: 'CommitMutation',
  data: {
    operation: 'record.change',
    receipts: [{ stream: 'record-r1', revision: '1', position: '7' }],
    requester: { id: 'mia', name: 'Mia' },
    agent: { id: 'eve', name: 'Eve' },
  },
  meta: metaOf(system),
};
const fail: ProposalCommand = { type: 'FailMutation', data: { code: 'record/stale', detail: 'Moved.', applied: [] }, meta: metaOf(system) };
const after = (command: ProposalCommand, ...history: ProposalEvent[]): ProposalEvent[] => [
  ...history,
  ...given(proposalDecider, ...history).when(command).decision.events,
];

const approved = after(approve(), pending);
const declined = after(decline(), pending);
const expiredOne = after(expire(later(24 * HOUR)), pending);
const stale = after(approve(ann, { moved: true }), pending);
const withdrawn = after(withdraw(), pending);
const superseded = after(supersede, ...expiredOne);
const committed = after(commit, ...approved);
const failed = after(fail, ...approved);

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

describe('A proposal in each of its states', () =>
  itDecidesAs(
    join(__dirname, 'proposal.decisions.jsonl'),
    proposalDecider,
    {
      'not submitted': [],
      pending: [pending],
      'pending under four eyes': [fourEyes],
      approved,
      declined,
      expired: expiredOne,
      stale,
      withdrawn,
      superseded,
      committed,
      failed,
    },
    {
      'its agent submits': submit(),
      'its agent withdraws': withdraw(),
      'its requester withdraws': withdraw(mia),
      'another withdraws': withdraw(ben),
      'a newer one takes its place': supersede,
      'an approver approves': approve(),
      'another approves with the token of the first': approve(ben),
      'another approves with another token': approve(ben, { token: { nonce: 'n2' } }),
      'its requester approves': approve(mia),
      'an agent approves': approve(bot),
      'an approver approves when it is too late': approve(ann, { at: later(24 * HOUR) }),
      'an approver approves a moment before': approve(ann, { at: later(24 * HOUR - 1) }),
      'an approver approves with an old token': approve(ann, { token: { expiresAt: later(HOUR) } }),
      'an approver approves another action': approve(ann, { token: { actionDigest: 'other' } }),
      'an approver approves another card': approve(ann, { token: { presentedDigest: 'other' } }),
      'an approver approves what has moved': approve(ann, { moved: true }),
      'an approver declines': decline(),
      'its requester declines': decline(mia),
      'an agent declines': decline(bot),
      'an approver declines when it is too late': decline(ann, later(24 * HOUR)),
      'time runs out': expire(later(24 * HOUR)),
      'time has not run out': expire(later(24 * HOUR - 1)),
      'the mutation is committed': commit,
      'the mutation fails': fail,
    },
  ));

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
