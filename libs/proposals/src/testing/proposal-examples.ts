import { AT, given, metaOf, principal } from '#libs/kernel/testing';
import { proposalDecider, type ProposalCommand } from '../proposal.decider.js';
import type { Mode, ProposalEvent, ProposalSubmitted } from '../proposal.js';

// Eve proposes for Mia, Ann and Ben approve; one history for each state that a proposal can be in.

export const eve = principal('eve', { kind: 'agent', roles: ['eve'] });
export const mia = principal('mia', { roles: ['member', 'approver'] });
export const ann = principal('ann', { roles: ['approver'] });
export const ben = principal('ben', { roles: ['approver'] });
export const system = principal('system', { kind: 'service' });
export const bot = principal('bot', { kind: 'agent', roles: ['approver'] });

export const HOUR = 3_600_000;
export const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

export const plan = (mode: Mode, supersedes?: string) => ({
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
export const submit = (mode: Mode = 'supervised', actor = eve): ProposalCommand => ({
  type: 'SubmitProposal',
  data: { plan: plan(mode), decideMs: 24 * HOUR },
  meta: metaOf(actor, { auditId: 'audit-1' }),
});
export const submitted = (mode: Mode = 'supervised'): ProposalSubmitted =>
  given(proposalDecider).when(submit(mode)).decision.events[0] as ProposalSubmitted;
export const pending = submitted();
export const fourEyes = submitted('four_eyes');

export const token = (over: object = {}) => ({
  actionDigest: 'action',
  presentedDigest: pending.data.presentedDigest,
  nonce: 'n1',
  expiresAt: later(48 * HOUR),
  ...over,
});
export const approve = (actor = ann, over: { token?: object; at?: string; moved?: boolean } = {}): ProposalCommand => ({
  type: 'ApproveConfirmation',
  data: {
    token: token(over.token),
    moved: over.moved ? [{ id: 'r1', title: 'Old', shownRevision: '0', presentRevision: '1' }] : [],
    releaseMs: 15 * 60_000,
  },
  meta: metaOf(actor, { at: over.at ?? later(HOUR) }),
});
export const decline = (actor = ann, at = later(HOUR)): ProposalCommand => ({
  type: 'DeclineConfirmation',
  data: { reason: 'Not now' },
  meta: metaOf(actor, { at }),
});
export const expire = (at: string): ProposalCommand => ({ type: 'ExpireConfirmation', data: {}, meta: metaOf(system, { at }) });
export const withdraw = (actor = eve): ProposalCommand => ({
  type: 'WithdrawProposal',
  data: { reason: 'Changed my mind' },
  meta: metaOf(actor),
});
export const supersede: ProposalCommand = { type: 'SupersedeProposal', data: { by: 'p2' }, meta: metaOf(system) };
export const commit: ProposalCommand = {
  type: 'CommitMutation',
  data: {
    operation: 'record.change',
    receipts: [{ stream: 'record-r1', revision: '1', position: '7' }],
    requester: { id: 'mia', name: 'Mia' },
    agent: { id: 'eve', name: 'Eve' },
  },
  meta: metaOf(system),
};
export const fail: ProposalCommand = {
  type: 'FailMutation',
  data: { code: 'record/stale', detail: 'Moved.', applied: [] },
  meta: metaOf(system),
};
export const after = (command: ProposalCommand, ...history: ProposalEvent[]): ProposalEvent[] => [
  ...history,
  ...given(proposalDecider, ...history).when(command).decision.events,
];

export const approved = after(approve(), pending);
export const declined = after(decline(), pending);
export const expiredOne = after(expire(later(24 * HOUR)), pending);
export const stale = after(approve(ann, { moved: true }), pending);
export const withdrawn = after(withdraw(), pending);
export const superseded = after(supersede, ...expiredOne);
export const committed = after(commit, ...approved);
export const failed = after(fail, ...approved);
