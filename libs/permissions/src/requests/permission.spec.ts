import { fold, given, metaOf, principal } from '#libs/kernel/testing';
import type { GrantScope } from '../standing-grants/grant.js';
import {
  ENDS,
  LATER,
  PROOF,
  approve,
  approved,
  ask,
  asked,
  call,
  cancel,
  consumed,
  destroys,
  eve,
  expire,
  expired,
  ian,
  ida,
  judged,
  mia,
  modified,
  product,
  redeem,
  reject,
  rejected,
  requested,
  scope,
} from '../testing/permission-examples.js';
import { digestOfCall } from './call.js';
import { permissionDecider } from './permission.decider.js';
import type { AskedPermission, PermissionAmended, PermissionApproved, PermissionCancelled, PermissionEvent } from './permission.js';
import { presentedDigest } from './presented.js';

const on = (...history: readonly object[]) => given(permissionDecider, ...(history as PermissionEvent[]));

describe('A permission', () => {
  it('is asked for once under its id', () => {
    on().when(ask).then(requested);
    on(requested).when(ask).thenRefused('permission/exists');
  });

  describe('that is pending', () => {
    const pending = on(requested);
    it('is approved by its owner', () => pending.when(approve()).then(approved));
    it('is rejected by its owner, with words for the agent', () => pending.when(reject()).then(rejected));
    it.each([
      ['another person', ian],
      ['the agent that asked', eve],
      ['an agent of the same owner', ida],
      ['an approver who does not own the agent', principal('ann', { roles: ['approver', 'operator'] })],
      ['an agent with the id of the owner', principal('mia', { kind: 'agent', roles: ['eve'] })],
    ])('is not there for %s to decide', (_, who) => {
      pending.when(approve(who)).thenRefused('permission/not-found');
      pending.when(reject(who)).thenRefused('permission/not-found');
    });
    it('is decided as it was shown, and on record is what was; a decision on anything else is none', () => {
      const shown = presentedDigest(fold(permissionDecider, [requested]) as AskedPermission);
      pending
        .when(approve(mia, LATER, { presentedDigest: shown }))
        .then({ ...approved, data: { ...approved.data, presentedDigest: shown } });
      for (const decision of [
        approve(mia, LATER, { presentedDigest: 'a'.repeat(64) }),
        reject(mia, LATER, { presentedDigest: 'a'.repeat(64) }),
      ])
        pending.when(decision).thenRefused('permission/changed');
      pending.when(reject(mia, LATER, { presentedDigest: shown })).thenTypes('PermissionRejected');
    });
    it('is not decided after its time, and that is recorded', () => {
      pending.when(approve(mia, ENDS)).thenRefusedAndRecorded('permission/expired', 'PermissionExpired');
      pending.when(reject(mia, ENDS)).thenRefusedAndRecorded('permission/expired', 'PermissionExpired');
    });
    it('expires by itself at its time, not before', () => {
      pending.when(expire()).then(expired);
      pending.when(expire(LATER)).thenRefused('permission/not-due');
    });
    it('lets nothing run', () => pending.when(redeem()).thenRefused('permission/pending'));
    it('lets nothing run after its time either', () =>
      pending.when(redeem(eve, ENDS)).thenRefusedAndRecorded('permission/expired', 'PermissionExpired'));
    it('is taken back by the agent that asked, or by the product, and by nobody else', () => {
      pending.when(cancel()).thenTypes('PermissionCancelled');
      pending.when(cancel(product)).thenTypes('PermissionCancelled');
      pending.when(cancel(ida)).thenRefused('permission/not-found');
      pending.when(cancel(mia)).thenRefused('permission/not-found');
    });
  });

  describe('that is remembered', () => {
    const remembered = (history: readonly object[], over: object = {}) => {
      const { decision } = on(...history).when(approve(mia, LATER, { remember: true, ...over }));
      return (decision.events[0] as PermissionApproved).data.remember;
    };
    it('keeps exactly what was offered', () => expect(remembered([requested])).toEqual([scope]));
    it('keeps nothing where nothing was offered: it is approved once', () => {
      for (const over of [{ grantable: false }, { tier: 'destructive', ladder: 4, effects: destroys }] as const)
        expect(remembered([{ ...requested, data: { ...requested.data, judged: judged(over) } }])).toEqual([]);
    });
    it('keeps what fits the input that the owner wrote', () => {
      const other: GrantScope = { ...scope, prefix: ['git', 'fetch'] };
      expect(remembered([requested], modified({ proposedGrants: [other] }))).toEqual([other]);
    });
  });

  describe('with another input of its owner', () => {
    const pending = on(requested);
    it('is approved for that one', () =>
      pending.when(approve(mia, LATER, modified())).then({
        ...approved,
        data: { ...approved.data, toolInput: { command: 'git push origin dev' }, judged: judged() },
      }));
    it.each([
      ['tier', { tier: 'destructive', ladder: 2 }],
      ['ladder', { ladder: 3, effects: ['spend'] }],
    ] as const)('asks again where that raises the %s', (_, over) => {
      const amended: PermissionAmended = {
        type: 'PermissionAmended',
        data: {
          by: { id: 'mia', name: 'mia' },
          at: LATER,
          toolInput: { command: 'git push origin dev' },
          judged: judged(over),
          proof: PROOF,
        },
      };
      pending.when(approve(mia, LATER, modified(over))).then(amended);
      const again = on(requested, amended);
      // Who does not say that they saw the change, may not have.
      again.when(approve()).thenRefused('permission/changed');
      const stale = presentedDigest(fold(permissionDecider, [requested]) as AskedPermission);
      again.when(approve(mia, LATER, { presentedDigest: stale })).thenRefused('permission/changed');
      const shown = presentedDigest(fold(permissionDecider, [requested, amended]) as AskedPermission);
      again.when(approve(mia, LATER, { presentedDigest: shown })).thenTypes('PermissionApproved');
      again.when(reject()).thenTypes('PermissionRejected');
      again.when(redeem()).thenRefused('permission/pending');
    });
    it('is refused where that may not run at all', () =>
      pending.when(approve(mia, LATER, modified({}, true))).thenRefused('permission/blocked'));
  });

  it('of a file runs with that file only, as it was seen', () => {
    const files = [{ path: 'job.js', sha256: 'a'.repeat(64) }];
    const ofFile = { ...requested, data: { ...requested.data, judged: judged({ files }) } };
    const yes = on(ofFile, approved);
    yes.when(redeem(eve, LATER, { present: judged({ files }) })).thenTypes('PermissionConsumed');
    for (const other of [[], [{ path: 'job.js', sha256: 'b'.repeat(64) }], [...files, ...files]])
      yes.when(redeem(eve, LATER, { present: judged({ files: other }) })).thenRefused('permission/file-changed');
    yes.when(redeem()).thenRefused('permission/file-changed');
    on(requested, approved)
      .when(redeem(eve, LATER, { present: judged({ files }) }))
      .thenRefused('permission/file-changed');
    expect(digestOfCall({ ...call, files })).not.toBe(digestOfCall(call));
    expect(digestOfCall({ ...call, files: [] })).toBe(digestOfCall(call));
  });

  describe('that is approved', () => {
    const yes = on(requested, approved);
    it('lets the same call through, once', () => {
      yes.when(redeem()).then(consumed);
      on(requested, approved, consumed).when(redeem()).thenRefused('permission/consumed');
    });
    it('lets it through for who takes the call from the answer', () =>
      yes.when(redeem(eve, LATER, { callDigest: undefined })).then(consumed));
    it('lets no other call through, not by one byte', () =>
      yes
        .when(redeem(eve, LATER, { callDigest: digestOfCall({ ...call, toolInput: { command: 'git push origin main ' } }) }))
        .thenRefused('permission/other-input'));
    it('lets no other agent run it', () => yes.when(redeem(ida)).thenRefused('permission/not-found'));
    it('ends at its time, unrun', () => {
      yes.when(redeem(eve, ENDS)).thenRefusedAndRecorded('permission/expired', 'PermissionExpired');
      yes.when(expire()).then(expired);
      on(requested, approved, expired).when(redeem(eve, ENDS)).thenRefused('permission/expired');
    });
    it('does not let through what is judged worse by now, and stays', () => {
      yes.when(redeem(eve, LATER, { present: judged({ tier: 'destructive', ladder: 4 }) })).thenRefused('permission/judged-worse');
      yes.when(redeem(eve, LATER, { blocked: true })).thenRefused('permission/judged-worse');
    });
    it('is decided: another decision is told who, when and what', () => {
      const { decision } = yes.when(reject());
      expect(decision.refusal).toMatchObject({
        kind: 'not_found',
        code: 'permission/decided',
        facts: { by: { id: 'mia' }, at: LATER, decision: 'approve' },
      });
      yes.when(approve()).thenRefused('permission/decided');
    });
    it('can still be taken back before it runs', () => yes.when(cancel()).thenTypes('PermissionCancelled'));
  });

  it('that is rejected lets nothing run, and tells the agent why in its owner’s words', () => {
    const { decision } = on(requested, rejected).when(redeem());
    expect(decision).toMatchObject({ events: [], refusal: { code: 'permission/rejected', facts: { feedback: 'use dist/ — not src/' } } });
  });
  it('that was taken back can be neither decided nor run', () => {
    const cancelled: PermissionCancelled = {
      type: 'PermissionCancelled',
      data: { by: { id: 'eve', name: 'eve' }, at: LATER, reason: 'x' },
    };
    const gone = on(requested, cancelled);
    gone.when(approve()).thenRefused('permission/cancelled');
    gone.when(redeem()).thenRefused('permission/cancelled');
    gone.when(cancel()).thenRefused('permission/closed');
    gone.when(expire()).thenRefused('permission/cancelled');
  });
  it('that expired is no rejection, and stays so', () => {
    on(requested, expired).when(approve(mia, ENDS)).thenRefused('permission/expired');
    on(requested, expired).when(expire()).thenRefused('permission/expired');
  });
  it('by grants asks nobody, and its call has run', () => {
    const byGrant = {
      type: 'ApproveByGrant' as const,
      data: { asked, grants: ['g1'], proof: PROOF, owner: { id: 'mia', name: 'mia' } },
      meta: metaOf(eve),
    };
    on().when(byGrant).thenTypes('PermissionApproved', 'PermissionConsumed');
    const { decision } = on().when(byGrant);
    expect(decision.events[0]!.data).toMatchObject({ via: 'grant', grants: ['g1'], asked });
    on(...decision.events)
      .when(redeem())
      .thenRefused('permission/consumed');
    on(requested).when(byGrant).thenRefused('permission/exists');
  });
});
