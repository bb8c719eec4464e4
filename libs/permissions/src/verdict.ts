import { type Effect, type Ladder, type Tier } from './effects.js';

/** UTF-16 offsets into the text that was classified: `[start, end)`. */
export type Span = Readonly<{ start: number; end: number }>;

/** One reason why a segment is not just read: which effect, why, and where it is written. */
export type Finding = Readonly<{ effect: Effect; reason: string; span: Span; bulk?: boolean }>;

/** What a grant would hold a later call to, beside its words and effects. A field that is absent constrains nothing. */
export type Constraints = Readonly<{
  /** The whole call, word by word. */
  exact?: readonly string[];
  hosts?: readonly string[];
  methods?: readonly string[];
  images?: readonly string[];
  /** Words that name what it works on: packages, services, scripts. A later call may name no others. */
  operands?: readonly string[];
  /** Paths that it may touch: themselves and all below them. */
  paths?: readonly string[];
}>;

/** One simple command, wherever it stands in the script, with everything that it does. */
export type Segment = Readonly<{
  text: string;
  span: Span;
  /** Program and the words that name what it does, never flags: what a grant is keyed on. Empty if it cannot be named. */
  prefix: readonly string[];
  tier: Tier;
  ladder: Ladder;
  effects: readonly Effect[];
  reason: string;
  reasonSpan: Span;
  findings: readonly Finding[];
  constraints: Constraints;
  /** Why it can only be allowed once; absent where a grant may be offered. */
  ungrantable?: string;
}>;

/** How the caller has to run what was judged safe: the judgement assumes it. */
export type ExecutionContract = Readonly<{
  shell: string;
  env: Readonly<Record<string, string>>;
  scrub: readonly string[];
  git: readonly string[];
}>;

export type Verdict = Readonly<{
  tier: Tier;
  ladder: Ladder;
  /** Of the worst segment, as a sentence; and where the offending words stand. */
  reason: string;
  span: Span;
  effects: readonly Effect[];
  segments: readonly Segment[];
  /** Whether a standing approval may be offered for it. Never for what is safe: that needs none. */
  grantable: boolean;
  ungrantable?: string;
  /** Denied without a request: too long or ill-formed to be shown to a person. */
  refused?: boolean;
  contract?: ExecutionContract;
}>;
