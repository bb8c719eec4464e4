import type { Recorded } from '#libs/kernel';
import type { HeldCall, SessionEvent } from '../session-events.js';
import type { PendingApproval } from '../session.js';
import { matches, ungrantable } from './session-grant.js';

/** A call that was asked about before. `denied` is a human's no, and nothing else. */
export type PastCall = Pick<HeldCall, 'approvalId' | 'tool' | 'toolInput' | 'judged'> &
  Readonly<{ sessionId: string; at: string; denied: boolean }>;

/** What was asked about in a session since then. */
export const pastCalls = (sessionId: string, events: readonly Recorded<SessionEvent>[], since: string): PastCall[] => {
  const calls = new Map<string, PastCall>();
  for (const { type, data } of events) {
    const asked = type === 'ApprovalRequested' ? data : type === 'ApprovalResolved' ? data.asked : undefined;
    if (asked && 'at' in data && data.at >= since) {
      const { approvalId, tool, toolInput, judged } = asked;
      calls.set(approvalId, { approvalId, tool, toolInput, judged, sessionId, at: data.at, denied: false });
    }
    const known = type === 'ApprovalResolved' ? calls.get(data.approvalId) : undefined;
    if (type === 'ApprovalResolved' && known && !data.allow && data.via === 'human') calls.set(data.approvalId, { ...known, denied: true });
  }
  return [...calls.values()];
};

export const DAYS = 30;
const MOST_SHOWN = 20;

/** What remembering this approval would cover, held against what was asked about before: the newest of those first. */
export const previewOf = (approval: PendingApproval, past: readonly PastCall[]) => {
  const { approvalId, tool, judged } = approval;
  const why = ungrantable(approval);
  const { tier, program, effects } = judged;
  const others = past.filter((call) => call.approvalId !== approvalId).sort((a, b) => (a.at < b.at ? 1 : -1));
  const covered = why === undefined ? others.filter((call) => matches({ tool, program, tier, effects }, call)) : [];
  const denied = covered.filter((call) => call.denied);
  return {
    approvalId,
    proposedGrant: why === undefined ? { tool, program, tier, effects } : null,
    ...(why !== undefined && { ungrantable: why }),
    days: DAYS,
    calls: others.length,
    covered: covered.length,
    denied: denied.length,
    coveredCalls: covered.slice(0, MOST_SHOWN).map(shown),
    deniedCalls: denied.slice(0, MOST_SHOWN).map(shown),
  };
};
export type GrantPreview = ReturnType<typeof previewOf>;

const shown = ({ sessionId, approvalId, tool, toolInput, at, denied }: PastCall) => ({
  sessionId,
  approvalId,
  tool,
  toolInput,
  at,
  denied,
});
