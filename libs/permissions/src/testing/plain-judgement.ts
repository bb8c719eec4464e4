import { isDeepStrictEqual } from 'node:util';
import { ladderOf, tierOf, worstLadder, worstTier, type Effect } from '../effects.js';
import type { CallJudgement } from '../requests/call-judgement.js';
import type { GrantScope } from '../standing-grants/grant.js';
import type { Segment, Verdict } from '../verdict.js';

const RULES: readonly (readonly [start: string, effect: Effect, grantable: boolean])[] = [
  ['ls', 'read', false],
  ['git push', 'vcs.remote', true],
  ['git fetch', 'vcs.local', true],
  ['pay', 'spend', false],
  ['rm -rf', 'destroy.fs', false],
];

const segmentOf = (text: string, start: number): Segment => {
  const [prefix, effect, grantable] = RULES.find(([rule]) => text.startsWith(rule)) ?? ['', 'unknown', false];
  const span = { start, end: start + text.length };
  return {
    text,
    span,
    prefix: prefix === '' ? [] : prefix.split(' '),
    tier: tierOf(effect),
    ladder: ladderOf(effect),
    effects: [effect],
    reason: `${text.split(' ')[0]} has the effect ${effect}.`,
    reasonSpan: span,
    findings: [],
    constraints: {},
    ...(!grantable && { ungrantable: 'It can be allowed once only.' }),
  };
};

const judge = (command: string): Verdict => {
  if (command === 'boom') throw new Error('The table is broken.');
  let at = 0;
  const segments = command.split(' && ').map((text) => {
    const segment = segmentOf(text, at);
    at += text.length + 4;
    return segment;
  });
  const tier = worstTier(segments.map((segment) => segment.tier));
  const ladder = worstLadder(segments.map((segment) => segment.ladder));
  const worst = segments.find((segment) => segment.ladder === ladder)!;
  return {
    tier,
    ladder,
    reason: worst.reason,
    span: worst.reasonSpan,
    effects: [...new Set(segments.flatMap(({ effects }) => effects))],
    segments,
    grantable: tier === 'dangerous' && segments.every((segment) => segment.tier === 'safe' || segment.ungrantable === undefined),
    ...(command.length > 100 && { refused: true }),
  };
};

const scopeOf = ({ prefix, tier, effects }: Segment, tool: string): GrantScope => ({ tool, prefix, tier, effects, constraints: {} });
const unsafe = ({ segments }: Verdict) => segments.filter(({ tier }) => tier !== 'safe');

/** A judgement of a handful of commands, whose faults a test can ask for: `boom` throws. */
export const plainJudgement: CallJudgement = {
  judge: ({ toolInput }) => judge(String(toolInput['command'] ?? toolInput['amount'])),
  offer: ({ toolName }, verdict) => unsafe(verdict).map((segment) => scopeOf(segment, toolName)),
  cover: ({ toolName }, verdict, grants) => {
    const covering = unsafe(verdict).map((segment) => grants.find(({ scope }) => isDeepStrictEqual(scope, scopeOf(segment, toolName)))?.id);
    return covering.every((id) => id !== undefined) ? [...new Set(covering)] : undefined;
  },
};
