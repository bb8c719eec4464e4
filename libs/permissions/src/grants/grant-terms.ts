import { rankOf, type Effect, type Tier } from '../effects.js';
import { isWithin } from '../paths/place.js';
import { type Constraints, type Segment, type Verdict } from '../verdict.js';

/** What a standing approval covers: calls of one tool whose words, tier, effects and constraints all fit. */
export type GrantTerms = Readonly<{
  tool: string;
  /** Program and the words that name what it does, never flags; never empty. */
  prefix: readonly string[];
  tier: Tier;
  effects: readonly Effect[];
  constraints: Constraints;
}>;

const toolOf = (name: string): string => name.trim().toLowerCase();

/** The segments that need an approval. */
const asked = ({ segments }: Verdict): readonly Segment[] => segments.filter(({ tier }) => tier !== 'safe');

/**
 * The approvals that `approve_always` would store for a call: one a segment that is not safe, never one for the raw text. Empty where it
 * may only be allowed once.
 */
export const grantFor = (tool: string, verdict: Verdict): readonly GrantTerms[] => {
  if (!verdict.grantable || verdict.refused === true || asked(verdict).some((segment) => !isGrantable(segment))) return [];
  return asked(verdict).map(({ prefix, tier, effects, constraints }) => ({ tool: toolOf(tool), prefix, tier, effects, constraints }));
};

const isGrantable = ({ ungrantable, prefix, tier }: Segment): boolean =>
  ungrantable === undefined && tier === 'dangerous' && prefix.length > 0 && prefix.every((word) => word.trim() !== '');

/** Whether an approval covers one segment, as it is judged now. */
export const covers = (terms: GrantTerms, tool: string, segment: Segment): boolean =>
  terms.tool === toolOf(tool) &&
  terms.tier !== 'destructive' &&
  isGrantable(segment) &&
  rankOf(segment.tier) <= rankOf(terms.tier) &&
  sameWords(terms.prefix, segment.prefix) &&
  segment.effects.every((effect) => terms.effects.includes(effect)) &&
  withinConstraints(terms.constraints, segment.constraints);

/**
 * Whether approvals cover a whole call: every segment that is not safe by one of them. What they cover never has an effect or a tier that
 * none of them has.
 */
export const matches = (grants: GrantTerms | readonly GrantTerms[], call: Readonly<{ tool: string; verdict: Verdict }>): boolean => {
  const all = Array.isArray(grants) ? (grants as readonly GrantTerms[]) : [grants as GrantTerms];
  const { tool, verdict } = call;
  return (
    verdict.grantable &&
    verdict.refused !== true &&
    asked(verdict).length > 0 &&
    asked(verdict).every((segment) => all.some((terms) => covers(terms, tool, segment)))
  );
};

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((word, i) => word === b[i]);

/** Both constrain the same things, and the call stays within each. */
const withinConstraints = (granted: Constraints, called: Constraints): boolean => {
  const keys = ['exact', 'hosts', 'methods', 'images', 'operands', 'paths'] as const satisfies readonly (keyof Constraints)[];
  return keys.every((key) => {
    const [a, b] = [granted[key], called[key]];
    if (a === undefined || b === undefined) return a === b;
    if (key === 'exact') return sameWords(a, b);
    if (key === 'paths') return b.every((path) => a.some((root) => isWithin(path, root)));
    return b.every((word) => a.includes(word));
  });
};
