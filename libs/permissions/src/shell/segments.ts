import { ladderOf, PHRASES, rankOf, tierOf, worstLadder, worstTier, type Effect } from '../effects.js';
import { type Finding, type Segment } from '../verdict.js';
import { type Draft } from './scope.js';

/** Longer commands than this cannot be taken in at a glance, so no standing approval is offered for them. */
const READABLE = 2000;

const UNGRANTABLE: Partial<Record<Effect, string>> = {
  'destroy.fs': 'What destroys is never allowed for good.',
  'destroy.vcs': 'What destroys is never allowed for good.',
  'destroy.db': 'What destroys is never allowed for good.',
  'destroy.infra': 'What destroys is never allowed for good.',
  'destroy.system': 'What destroys is never allowed for good.',
  'write.device': 'Devices are never opened for good.',
  privilege: 'Privileges are never granted for good.',
  spend: 'Spending is asked for every time.',
  obfuscated: 'It cannot be told what it would do the next time.',
  'exec.inline': 'Code that is given inline is different every time.',
  'env.inject': 'Variables that steer programs are asked for every time.',
  'write.sensitive': 'Writing there is asked for every time.',
  'shell.state': 'It changes what other commands mean.',
};

/** The worse of two: by tier, then by rung; the first of equals. */
export const worst = (findings: readonly Finding[]): Finding | undefined => {
  let found: Finding | undefined;
  for (const finding of findings) if (!found || weight(finding) > weight(found)) found = finding;
  return found;
};
const weight = ({ effect, bulk }: Finding): number =>
  rankOf(tierOf(effect)) * 100 + ladderOf(effect, bulk) * 10 + (effect === 'net.read' ? 1 : 0);

export const segmentOf = (draft: Draft): Segment => {
  const { findings } = draft;
  const reason = worst(findings);
  const tier = worstTier(findings.map(({ effect }) => tierOf(effect)));
  const effects = [...new Set<Effect>(['read', ...findings.map(({ effect }) => effect)])];
  const ungrantable = tier === 'safe' ? undefined : whyNot(draft, effects);
  return {
    text: draft.text,
    span: draft.span,
    prefix: draft.prefix,
    tier,
    ladder: worstLadder(findings.map(({ effect, bulk }) => ladderOf(effect, bulk))),
    effects,
    reason: sentence(reason?.reason ?? `${draft.prefix[0] ?? 'It'} ${PHRASES.read}`),
    reasonSpan: reason?.span ?? draft.span,
    findings,
    constraints: draft.constraints,
    ...(ungrantable !== undefined && { ungrantable }),
  };
};

const whyNot = (draft: Draft, effects: readonly Effect[]): string | undefined => {
  for (const effect of effects) if (UNGRANTABLE[effect]) return UNGRANTABLE[effect];
  if (draft.ungrantable) return draft.ungrantable;
  if (draft.prefix.length === 0 || draft.prefix[0]!.trim() === '') return 'It has no program that a grant could name.';
  return draft.text.length > READABLE ? 'It is too long to be shown whole.' : undefined;
};

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
