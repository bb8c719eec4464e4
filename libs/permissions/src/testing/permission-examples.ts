import { AT, metaOf, principal } from '#libs/kernel/testing';
import type { Effect } from '../effects.js';
import { digestOfCall, type ToolCall } from '../requests/call.js';
import type {
  Asked,
  Judged,
  PermissionApproved,
  PermissionConsumed,
  PermissionExpired,
  PermissionRejected,
  PermissionRequested,
} from '../requests/permission.js';
import type { GrantScope } from '../standing-grants/grant.js';

// A request of Mia's Eve, what is done with it and what that leaves.

export const LATER = '2026-01-05T09:05:00.000Z';
export const ENDS = '2026-01-05T09:15:00.000Z';
export const PROOF = { policies: ['tool.needs-its-owner'], policyVersion: '0123456789abcdef' };
export const mia = principal('mia', { roles: ['member'] });
export const ian = principal('ian', { roles: ['member'] });
export const eve = principal('eve', { kind: 'agent', roles: ['eve'], accountableHuman: 'mia' });
export const ida = principal('ida', { kind: 'agent', roles: ['implementer'], accountableHuman: 'mia' });
export const product = principal('workbench', { kind: 'service' });

export const scope: GrantScope = { tool: 'bash', prefix: ['git', 'push'], tier: 'dangerous', effects: ['vcs.remote'], constraints: {} };
export const judged = (over: Partial<Judged> = {}): Judged => ({
  tier: 'dangerous',
  ladder: 2,
  reason: 'git push changes a remote repository.',
  span: { start: 0, end: 8 },
  effects: ['vcs.remote'],
  segments: [],
  grantable: true,
  proposedGrants: [scope],
  ...over,
});
export const call: ToolCall = { toolName: 'bash', toolInput: { command: 'git push origin main' }, agentId: 'agent_123' };
export const asked: Asked = {
  requestId: 'hook_1767603600000_a1b2c3d4e',
  kind: 'hook',
  owner: 'mia',
  agent: { id: 'eve', name: 'eve' },
  call,
  callDigest: digestOfCall(call),
  judged: judged(),
};
export const ms = 15 * 60_000;
export const requested: PermissionRequested = {
  type: 'PermissionRequested',
  data: { ...asked, proof: PROOF, requestedAt: AT, expiresAt: ENDS },
};
export const approved: PermissionApproved = {
  type: 'PermissionApproved',
  data: { via: 'human', by: { id: 'mia', name: 'mia' }, at: LATER, remember: [], grants: [], proof: PROOF },
};
export const rejected: PermissionRejected = {
  type: 'PermissionRejected',
  data: { by: { id: 'mia', name: 'mia' }, at: LATER, feedback: 'use dist/ — not src/' },
};
export const consumed: PermissionConsumed = {
  type: 'PermissionConsumed',
  data: { by: 'eve', at: LATER, callDigest: asked.callDigest, proof: PROOF },
};
export const expired: PermissionExpired = { type: 'PermissionExpired', data: { at: ENDS, expiresAt: ENDS } };
export const destroys: readonly Effect[] = ['destroy.fs'];

export const ask = { type: 'RequestPermission' as const, data: { asked, proof: PROOF, ms }, meta: metaOf(eve) };
export const approve = (who = mia, at = LATER, over: object = {}) => ({
  type: 'ApprovePermission' as const,
  data: { remember: false, proof: PROOF, ...over },
  meta: metaOf(who, { at }),
});
export const reject = (who = mia, at = LATER, over: object = {}) => ({
  type: 'RejectPermission' as const,
  data: { feedback: 'use dist/ — not src/', ...over },
  meta: metaOf(who, { at }),
});
export const redeem = (who = eve, at = LATER, over: object = {}) => ({
  type: 'RedeemPermission' as const,
  data: { callDigest: asked.callDigest, present: judged(), blocked: false, proof: PROOF, ...over },
  meta: metaOf(who, { at }),
});
export const expire = (at = ENDS) => ({ type: 'ExpirePermission' as const, data: {}, meta: metaOf(product, { at }) });
export const cancel = (who = eve) => ({
  type: 'CancelPermission' as const,
  data: { reason: 'The run ended.' },
  meta: metaOf(who, { at: LATER }),
});
export const modified = (over: Partial<Judged> = {}, blocked = false) => ({
  modified: { toolInput: { command: 'git push origin dev' }, judged: judged(over), blocked },
});
