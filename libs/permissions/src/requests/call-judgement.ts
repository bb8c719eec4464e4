import type { GrantScope } from '../standing-grants/grant.js';
import type { Segment, Verdict } from '../verdict.js';
import type { ToolCall } from './call.js';
import type { Judged, JudgedSegment } from './permission.js';

/** The pure judgement of calls that requests and grants rest on. Whatever it throws is a no. */
export type CallJudgement = Readonly<{
  judge(call: ToolCall): Verdict;
  /** What standing approvals of it would cover, one a segment that is not safe; empty where none may be offered. */
  offer(call: ToolCall, verdict: Verdict): readonly GrantScope[];
  /** Of these grants, ids of those that cover all of it together; undefined where a part is covered by none. */
  cover(call: ToolCall, verdict: Verdict, grants: readonly Readonly<{ id: string; scope: GrantScope }>[]): readonly string[] | undefined;
}>;
export const CALL_JUDGEMENT = Symbol('how calls are judged');

/** What is stored and shown of a verdict. */
export const judgedOf = (verdict: Verdict, proposedGrants: readonly GrantScope[]): Judged => ({
  tier: verdict.tier,
  ladder: verdict.ladder,
  reason: verdict.reason,
  span: verdict.span,
  effects: verdict.effects,
  segments: verdict.segments.map(judgedSegment),
  grantable: verdict.grantable && proposedGrants.length > 0,
  ...(verdict.ungrantable !== undefined && { ungrantable: verdict.ungrantable }),
  proposedGrants: verdict.grantable ? proposedGrants : [],
});

const judgedSegment = ({ text, span, prefix, tier, ladder, effects, reason, reasonSpan, ungrantable }: Segment): JudgedSegment => ({
  text,
  span,
  prefix,
  tier,
  ladder,
  effects,
  reason,
  reasonSpan,
  ...(ungrantable !== undefined && { ungrantable }),
});
