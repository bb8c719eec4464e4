import { join } from 'node:path';
import { AT, fold, itDecidesAs, metaOf, principal } from '#libs/kernel/testing';
import { presentedDigest } from './approvals/presented.js';
import { MOST_PENDING } from './approvals/request.js';
import { approvalOf, type KnownSession, type PendingApproval } from './session.js';
import { sessionDecider, type SessionCommand } from './session.decider.js';
import type { SessionEvent } from './session-events.js';
import {
  ask,
  asked,
  call,
  cancel,
  decide,
  granted,
  ian,
  ida,
  LATER,
  otto,
  product,
  start,
  started,
  timeOut,
} from './testing/session-examples.js';

const by = { id: 'ian', name: 'ian' };
const event = <T extends SessionEvent['type']>(type: T, data: Extract<SessionEvent, { type: T }>['data']): SessionEvent =>
  ({ type, data }) as SessionEvent;
const resolved = event('ApprovalResolved', { approvalId: 'a', allow: true, via: 'human', cause: 'decision', by, at: AT });
const denied = event('ApprovalResolved', { approvalId: 'a', allow: false, via: 'human', cause: 'decision', by, at: AT, feedback: 'no' });
const tooLate = event('ApprovalResolved', {
  approvalId: 'a',
  allow: false,
  via: 'auto',
  cause: 'timeout',
  by: null,
  at: LATER,
  timeoutAt: LATER,
});
const worse = call('a', 'rm x');
const amended = event('ApprovalAmended', {
  approvalId: 'a',
  by,
  at: AT,
  toolInput: worse.toolInput,
  callDigest: worse.callDigest,
  judged: worse.judged,
});
const over = event('SessionCancelled', { by, at: AT, reason: 'enough' });
const revoked = event('SessionGrantRevoked', { grantId: 'grant', by, at: AT });
const endedWithIt = event('ApprovalResolved', { approvalId: 'a', allow: false, via: 'auto', cause: 'cancelled', by: null, at: AT });
const child = event('ChildSessionStarted', { childSessionId: 'c1', at: AT });
const parent = { sessionId: 'p', unattended: false, running: true };
const told = {
  conversationId: 'talk',
  agentId: 'agent_1',
  cwd: '/srv/site',
  parentSessionId: 'p',
};
const seen = (...history: readonly SessionEvent[]) => ({
  presentedDigest: presentedDigest(approvalOf(fold(sessionDecider, history) as KnownSession, 'a') as PendingApproval),
});
const rewritten = (command: string) => {
  const { toolInput, callDigest, judged } = call('a', command);
  return { modified: { toolInput, callDigest, judged } };
};
const covered = (grantScope: 'conversation' | 'standing', held = call('b')): SessionCommand => ({
  type: 'RequestApproval',
  data: { ...held, covered: { grants: ['g1', 'g2'], grantScope, by } },
  meta: metaOf(ida),
});
const addChild = (owner = 'ian'): SessionCommand => ({
  type: 'AddChildSession',
  data: { childSessionId: 'c2', owner },
  meta: metaOf(otto),
});
const revoke = (actor = ian, grantId = 'grant', at = AT): SessionCommand => ({
  type: 'RevokeSessionGrant',
  data: { grantId },
  meta: metaOf(actor, { at }),
});
const ann = principal('ann');
const BEFORE = '2026-01-05T09:00:04.999Z';
const run = started();
const waiting = [run, asked(call('a'))];

describe('A session in each of its states', () =>
  itDecidesAs(
    join(__dirname, 'session.decisions.jsonl'),
    sessionDecider,
    {
      'not started': [],
      running: [run],
      'running with all that may be said of it': [{ ...run, data: { ...run.data, ...told } } as SessionEvent],
      unattended: [started({ unattended: true, approvalTimeoutMs: 5000 })],
      'unattended with policies': [started({ unattended: true, amendmentPolicy: 'approve', escalationPolicy: 'approve' })],
      'with a limit of time': [started({ approvalTimeoutMs: 5000 })],
      'with a call that waits': waiting,
      'with a call that waits for a time': [run, asked(call('a'), LATER)],
      'with two calls that wait': [...waiting, asked(call('b2'))],
      'with a call that was rewritten': [...waiting, amended],
      'with a call that was allowed': [...waiting, resolved],
      'with a call that was rewritten and allowed': [...waiting, amended, resolved],
      'with a call that was denied': [...waiting, denied],
      'with a call that timed out': [run, asked(call('a'), LATER), tooLate],
      'with a grant': [run, granted()],
      'with two grants': [run, granted(), granted({ grantId: 'another' })],
      'with a grant of more than one effect': [run, granted({ effects: ['unknown', 'net.send'] })],
      'with a grant that was revoked': [run, granted(), revoked],
      'with a grant and a call that waits': [...waiting, granted()],
      'with children': [run, child, child],
      cancelled: [run, over],
      'cancelled by its runner': [run, event('SessionCancelled', { by: { id: 'ida', name: 'ida' }, at: LATER, reason: 'done' })],
      'cancelled with a call that was waiting': [...waiting, over, endedWithIt],
    },
    {
      'its runner starts it': start(ida),
      'its runner starts it, and a run approves amendments': start(ida, { amendmentPolicy: 'approve' }),
      'its runner starts it, and a run approves escalations': start(ida, { escalationPolicy: 'approve' }),
      'an operator starts it with both policies': start(otto, { amendmentPolicy: 'approve', escalationPolicy: 'approve' }),
      'it is started with all that may be said of it': start(ida, {}, { ...told, parent, title: 'Tidy' }),
      'it is started unattended': start(ida, { unattended: true }),
      'it is started for an unattended one': start(ida, {}, { parent: { ...parent, unattended: true } }),
      'it is started for one that is over': start(ida, {}, { parent: { ...parent, running: false } }),
      'a child of its owner begins': addChild(),
      'a child of another owner begins': addChild('ann'),
      'its runner asks': ask(call('b')),
      'its runner asks by the id of another call': ask(call('a', 'ls')),
      'its runner asks for a contract': ask(call('b', '', 'alter_verification')),
      'its runner asks to edit': ask(call('b', '', 'switch_to_editing')),
      'its runner asks for another program': ask(call('b', 'npm run')),
      'its runner asks for more than one effect': ask({ ...call('b'), judged: { ...call('b').judged, effects: ['unknown', 'net.send'] } }),
      'its owner asks': ask(call('b'), ian),
      'a stranger asks': ask(call('b'), ann),
      'its runner asks what a conversation grants': covered('conversation'),
      'its runner asks what a standing grant covers': covered('standing'),
      'its runner asks for a contract that something covers': covered('standing', call('b', '', 'alter_verification')),
      'its owner allows': decide(true),
      'its owner allows it by its id': decide(true, { approvalId: 'a' }),
      'its owner allows another id': decide(true, { approvalId: 'zz' }),
      'its owner allows from now on, with a word': decide(true, { approvalId: 'a', remember: true, feedback: 'fine' }),
      'its owner allows as it was shown first': decide(true, { approvalId: 'a', ...seen(...waiting) }),
      'its owner allows as it was shown again': decide(true, { approvalId: 'a', remember: true, ...seen(...waiting, amended) }),
      'its owner allows a moment before its end': decide(true, { approvalId: 'a' }, ian, BEFORE),
      'its owner allows at its end': decide(true, { approvalId: 'a' }, ian, LATER),
      'its owner allows another input': decide(true, { approvalId: 'a', remember: true, ...rewritten('npm run lint') }),
      'its owner allows a worse input': decide(true, { approvalId: 'a', ...rewritten('rm x') }),
      'its owner allows an input that nobody judged': decide(true, { approvalId: 'a', modified: 'unjudged' }),
      'its owner denies': decide(false, { approvalId: 'a' }),
      'its owner denies with a word, and would remember': decide(false, { approvalId: 'a', remember: true, feedback: 'use dist/' }),
      'its owner denies as it was shown first': decide(false, { approvalId: 'a', ...seen(...waiting) }),
      'its owner denies at its end': decide(false, { approvalId: 'a' }, ian, LATER),
      'its runner allows': decide(true, { approvalId: 'a' }, ida),
      'a person with the id of its runner allows': decide(true, { approvalId: 'a' }, principal('ida')),
      'a stranger allows': decide(true, { approvalId: 'a' }, ann),
      'an agent with the id of its owner allows': decide(true, { approvalId: 'a' }, principal('ian', { kind: 'agent' })),
      'time is up': timeOut('a', LATER),
      'time is not up': timeOut('a', BEFORE),
      'time is up for no call': timeOut('zz', LATER),
      'its owner cancels': cancel(),
      'its runner cancels': cancel(ida),
      'the product cancels': { type: 'CancelSession', data: { reason: 'enough' }, meta: product() },
      'a stranger cancels': cancel(ann),
      'its owner revokes a grant': revoke(),
      'its owner revokes a grant at its end': revoke(ian, 'grant', LATER),
      'its owner revokes no grant': revoke(ian, 'zz'),
      'its owner revokes what every object has': revoke(ian, 'toString'),
      'its runner revokes a grant': revoke(ida),
      'a stranger revokes a grant': revoke(ann),
    },
  ));

it('lets as many calls wait as somebody may decide', () => expect(MOST_PENDING).toBe(100));
