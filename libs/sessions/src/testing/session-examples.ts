import type { CommandMeta, Principal } from '#libs/kernel';
import { AT, metaOf, principal } from '#libs/kernel/testing';
import { judgeByWords } from '../approvals/judged-call.js';
import type { SessionCommand } from '../session.decider.js';
import type { HeldCall, SessionEvent, SessionOptions } from '../session-events.js';

// A session that Ida runs for Ian, what is done in it and what that leaves.

export const ian = principal('ian', { roles: ['member'] });
export const ida = principal('ida', { kind: 'agent', roles: ['implementer'], accountableHuman: 'ian' });
export const otto = principal('otto', { roles: ['operator'] });
export const product = (at = AT): CommandMeta => metaOf(principal('00000000-0000-7000-8000-000000000000', { kind: 'service' }), { at });
export const LATER = '2026-01-05T09:00:05.000Z';
export const DEFAULTS: SessionOptions = { unattended: false, approvalTimeoutMs: null, amendmentPolicy: 'deny', escalationPolicy: 'deny' };

export const start = (actor: Principal, options: Partial<SessionOptions> = {}, over = {}): SessionCommand => ({
  type: 'StartSession',
  data: {
    owner: 'ian',
    runner: { id: 'ida', name: 'ida' },
    options: { ...DEFAULTS, ...options },
    title: '',
    operator: actor.roles.includes('operator'),
    ...over,
  },
  meta: metaOf(actor),
});
export const started = (options: Partial<SessionOptions> = {}): SessionEvent => ({
  type: 'SessionStarted',
  data: {
    owner: 'ian',
    runner: { id: 'ida', name: 'ida' },
    startedBy: { id: 'ida', name: 'ida' },
    options: { ...DEFAULTS, ...options },
    title: '',
    at: AT,
  },
});
export const call = (approvalId: string, command = 'npm test', tool = 'bash'): HeldCall => {
  const toolInput = tool === 'bash' ? { command } : {};
  return { approvalId, tool, reason: 'asks', toolInput, callDigest: command, judged: judgeByWords({ tool, toolInput }) };
};
export const ask = (held: HeldCall, actor = ida): SessionCommand => ({ type: 'RequestApproval', data: held, meta: metaOf(actor) });
export const asked = (held: HeldCall, timeoutAt: string | null = null): SessionEvent => ({
  type: 'ApprovalRequested',
  data: { ...held, at: AT, timeoutAt },
});
export const decide = (allow: boolean, over: object = {}, actor = ian, at = AT): SessionCommand => ({
  type: 'ResolveApproval',
  data: { allow, remember: false, grantMs: 60_000, ...over },
  meta: metaOf(actor, { at }),
});
export const timeOut = (approvalId: string, at: string): SessionCommand => ({
  type: 'TimeOutApproval',
  data: { approvalId },
  meta: product(at),
});
export const cancel = (actor = ian): SessionCommand => ({ type: 'CancelSession', data: { reason: 'enough' }, meta: metaOf(actor) });
export const granted = (over: object = {}): SessionEvent => ({
  type: 'SessionGrantStored',
  data: {
    grantId: 'grant',
    tool: 'bash',
    program: ['npm', 'test'],
    effects: ['unknown'],
    tier: 2,
    by: { id: 'ian', name: 'ian' },
    approvalId: 'first',
    at: AT,
    expiresAt: LATER,
    ...over,
  },
});
