import { join } from 'node:path';
import { fold, itDecidesAs, metaOf, principal } from '#libs/kernel/testing';
import {
  approve,
  approved,
  ask,
  asked,
  call,
  cancel,
  consumed,
  ENDS,
  eve,
  expire,
  expired,
  ian,
  ida,
  judged,
  LATER,
  mia,
  modified,
  product,
  PROOF,
  redeem,
  reject,
  rejected,
  requested,
  scope,
} from '../testing/permission-examples.js';
import { permissionDecider } from './permission.decider.js';
import type { AskedPermission, PermissionAmended, PermissionApproved, PermissionCancelled, PermissionRequested } from './permission.js';
import { presentedDigest } from './presented.js';

const owner = { id: 'mia', name: 'mia' };
const files = [{ path: 'job.js', sha256: 'a'.repeat(64) }];
const judgedSo = (over: Parameters<typeof judged>[0]): PermissionRequested => ({
  ...requested,
  data: { ...requested.data, judged: judged(over) },
});
const whole: PermissionRequested = {
  ...requested,
  data: {
    ...requested.data,
    call: { ...call, sessionId: 's1', cwd: '/srv/site/web', shell: '/bin/bash', workspace: '/srv/site', home: '/home/mia', files },
    judged: judged({ files, ungrantable: 'It runs a file.', grantable: false }),
  },
};
const amended: PermissionAmended = {
  type: 'PermissionAmended',
  data: { by: owner, at: LATER, toolInput: { command: 'rm -rf dist' }, judged: judged({ tier: 'destructive', ladder: 4 }), proof: PROOF },
};
const inFull: PermissionApproved = {
  ...approved,
  data: {
    ...approved.data,
    feedback: 'go on',
    presentedDigest: 'd'.repeat(64),
    toolInput: { command: 'git fetch' },
    judged: judged({ ladder: 1 }),
    remember: [scope],
  },
};
const byGrant: PermissionApproved = {
  type: 'PermissionApproved',
  data: { via: 'grant', by: owner, at: LATER, remember: [], grants: ['g1'], asked, proof: PROOF, expiresAt: ENDS },
};
const { expiresAt: _, ...unending } = byGrant.data;
const { asked: __, ...unasked } = byGrant.data;
const cancelled: PermissionCancelled = { type: 'PermissionCancelled', data: { by: { id: 'eve', name: 'eve' }, at: LATER, reason: 'x' } };

const seen = (...history: readonly (PermissionRequested | PermissionAmended)[]) => ({
  presentedDigest: presentedDigest(fold(permissionDecider, history) as AskedPermission),
});
const MOMENT_BEFORE = '2026-01-05T09:14:59.999Z';

describe('A permission in each of its states', () =>
  itDecidesAs(
    join(__dirname, 'permission.decisions.jsonl'),
    permissionDecider,
    {
      'not asked for': [],
      pending: [requested],
      'pending with all that a call may say': [whole],
      'pending for what destroys': [judgedSo({ tier: 'destructive', ladder: 4, effects: ['destroy.fs'] })],
      'pending for what is not grantable': [judgedSo({ grantable: false })],
      'pending for another input': [requested, amended],
      approved: [requested, approved],
      'approved as its owner rewrote it': [requested, inFull],
      'approved after it was asked again': [requested, amended, approved],
      'approved with a file': [judgedSo({ files }), approved],
      rejected: [requested, rejected],
      'rejected after it was asked again': [requested, amended, rejected],
      'rejected without a word': [requested, { ...rejected, data: { by: owner, at: LATER } }],
      expired: [requested, expired],
      'expired unrun': [requested, approved, expired],
      cancelled: [requested, cancelled],
      consumed: [requested, approved, consumed],
      'approved by a grant': [byGrant],
      'approved by a grant, without an end': [{ ...byGrant, data: unending }],
      'approved by a grant, without its call': [{ ...byGrant, data: unasked }],
      'run by a grant': [byGrant, consumed],
    },
    {
      'it is asked for': ask,
      'grants cover it': {
        type: 'ApproveByGrant',
        data: { asked, grants: ['g1', 'g2'], proof: PROOF, owner },
        meta: metaOf(eve),
      },
      'its owner approves': approve(),
      'its owner approves as it was shown first': approve(mia, LATER, seen(requested)),
      'its owner approves as it was shown again': approve(mia, LATER, seen(requested, amended)),
      'its owner approves as all of it was shown': approve(mia, LATER, seen(whole)),
      'its owner approves what was never shown': approve(mia, LATER, { presentedDigest: 'a'.repeat(64) }),
      'its owner approves from now on, with a word': approve(mia, LATER, { remember: true, feedback: 'fine' }),
      'its owner approves a moment before its end': approve(mia, MOMENT_BEFORE),
      'its owner approves at its end': approve(mia, ENDS),
      'its owner approves another input': approve(mia, LATER, { ...modified(), feedback: 'rather this' }),
      'its owner approves another input from now on': approve(mia, LATER, { ...modified({ proposedGrants: [] }), remember: true }),
      'its owner approves an input of a higher tier': approve(mia, LATER, modified({ tier: 'destructive' })),
      'its owner approves an input of a higher ladder': approve(mia, LATER, modified({ ladder: 3 })),
      'its owner approves a milder input': approve(mia, LATER, modified({ tier: 'safe', ladder: 0 })),
      'its owner approves an input that may not run': approve(mia, LATER, modified({}, true)),
      'another person approves': approve(ian),
      'the agent that asked approves': approve(eve),
      'an agent with the id of its owner approves': approve(principal('mia', { kind: 'agent' })),
      'its owner rejects': reject(),
      'its owner rejects without a word': { type: 'RejectPermission', data: {}, meta: metaOf(mia, { at: LATER }) },
      'its owner rejects as it was shown first': reject(mia, LATER, seen(requested)),
      'its owner rejects as it was shown again': reject(mia, LATER, seen(requested, amended)),
      'its owner rejects at its end': reject(mia, ENDS),
      'another person rejects': reject(ian),
      'its time comes': expire(),
      'its time has not come': expire(MOMENT_BEFORE),
      'its agent runs it': redeem(),
      'its agent takes the call from the answer': redeem(eve, LATER, { callDigest: undefined }),
      'its agent runs another call': redeem(eve, LATER, { callDigest: 'f'.repeat(64) }),
      'its agent runs it a moment before its end': redeem(eve, MOMENT_BEFORE),
      'its agent runs it at its end': redeem(eve, ENDS),
      'its agent runs it, of a higher tier by now': redeem(eve, LATER, { present: judged({ tier: 'destructive' }) }),
      'its agent runs it, higher on the ladder by now': redeem(eve, LATER, { present: judged({ ladder: 3 }) }),
      'its agent runs it, milder by now': redeem(eve, LATER, { present: judged({ tier: 'safe', ladder: 0 }) }),
      'its agent runs it, blocked by now': redeem(eve, LATER, { blocked: true }),
      'its agent runs it with the file': redeem(eve, LATER, { present: judged({ files }) }),
      'its agent runs it with another file': redeem(eve, LATER, {
        present: judged({ files: [{ path: 'job.js', sha256: 'b'.repeat(64) }] }),
      }),
      'another agent runs it': redeem(ida),
      'its agent takes it back': cancel(),
      'the product takes it back': cancel(product),
      'its owner takes it back': cancel(mia),
      'another agent takes it back': cancel(ida),
    },
  ));
