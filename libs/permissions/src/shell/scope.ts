import { type parse, type Script, type Word } from 'unbash';
import { type ClassifyContext } from '../context.js';
import { type Effect } from '../effects.js';
import { type Place } from '../paths/place.js';
import { type Constraints, type Finding, type Span } from '../verdict.js';
import { type Field } from './field.js';
import { covering, spanOf, type Source, type Text } from './text.js';
import { type Variables } from './variables.js';

export { isPlain, mayBeOption, type Field } from './field.js';

export type ParsedScript = ReturnType<typeof parse>;

/** What is known of an expansion: a text, which splits where it is not quoted, or a list of words. */
export type Expansion =
  | Readonly<{ kind: 'text'; text: Text; certain: boolean; glob?: boolean | undefined }>
  | Readonly<{ kind: 'list'; fields: readonly Field[]; certain: boolean }>;

/** Which of several possible values of each variable is being tried. */
export type Choices = Map<string, { index: number; count: number }>;

export const choose = (choices: Choices, name: string, count: number): number => {
  const known = choices.get(name);
  if (known) return known.index % count;
  choices.set(name, { index: 0, count });
  return 0;
};

/** What a command finds on its standard input. */
export type Input = Readonly<{ kind: 'none' | 'piped'; text?: Text | undefined; network?: boolean }>;
export const NO_INPUT: Input = { kind: 'none' };

/** Something is piped in. What it says is only worked out for a program that asks. */
export const pipedInput = (textOf: () => Text | undefined, network = false): Input => {
  let known: { text: Text | undefined } | undefined;
  return {
    kind: 'piped',
    network,
    get text() {
      known ??= { text: textOf() };
      return known.text;
    },
  };
};

/** A segment in the making. */
export type Draft = {
  readonly text: string;
  readonly span: Span;
  prefix: string[];
  readonly findings: Finding[];
  constraints: { -readonly [K in keyof Constraints]: Constraints[K] };
  ungrantable?: string;
  /** It is judged by rules that hold only under the execution contract. */
  contract?: boolean;
};

export type Report = {
  readonly drafts: Draft[];
  /** Of the script as a whole: guards, syntax. */
  readonly findings: Finding[];
  /** How many more alternative values of variables may be tried, and how many more texts looked into. */
  budget: number;
  /** How many more expansions may be worked out; beyond, they are unknown. */
  effort: number;
  /** How many programs that run each other are being judged right now. */
  nesting: number;
  /** Commands beyond the many that are listed, which were judged already: per set of functions, by their text and where they run. */
  readonly judged: Map<object, Set<string>>;
  /** What definitions were found to say, where it depends on nothing else. */
  readonly values: Map<object, readonly Field[]>;
};

/** What later layers do for earlier ones: running a command, a script, or asking what a script would print. */
export type Engine = Readonly<{
  /** The words that bash makes of one word; and the same word as one text. */
  fields: (word: Word, scope: Scope, choices: Choices) => Field[];
  text: (word: Word, scope: Scope, choices: Choices) => Field;
  /** Judges everything in a parsed script. */
  walk: (script: ParsedScript, scope: Scope) => void;
  invoke: (draft: Draft, fields: readonly Field[], scope: Scope) => void;
  /** Whether a rule knows a program or builtin of this name. */
  isProgram: (name: string) => boolean;
  script: (text: Text, scope: Scope, options?: ScriptOptions) => void;
  output: (script: Script, scope: Scope) => Text | undefined;
}>;

export type ScriptOptions = Readonly<{
  /** `$0`, `$1`, … where they are known. */
  positional?: readonly Field[];
  /** It runs in this very shell, with its variables. */
  shares?: boolean;
  input?: Input;
}>;

export type Scope = Readonly<{
  source: Source;
  context: ClassifyContext;
  variables: Variables;
  /** Functions that the script defines, by name. */
  functions: ReadonlySet<string>;
  cwd: { place: Place };
  input: Input;
  depth: number;
  report: Report;
  engine: Engine;
}>;

/** A program about to be judged. */
export type Call = Readonly<{ program: string; name: Field; args: readonly Field[]; draft: Draft; scope: Scope }>;

const ends = (place: Span | Text): Span => ('runs' in place ? spanOf(place) : place);

/** Adds a finding to the segment, marked from the program's name to the words that matter. */
export const find = (call: Call, effect: Effect, reason: string, at?: Span | Text, bulk = false): void => {
  const span = at ? covering(spanOf(call.name), ends(at)) : spanOf(call.name);
  add(call.draft, effect, reason, span, bulk);
};

export const add = (draft: Draft, effect: Effect, reason: string, span: Span, bulk = false): void => {
  if (draft.findings.some((known) => known.effect === effect && known.reason === reason && known.bulk === bulk)) return;
  draft.findings.push({ effect, reason, span, bulk });
};

/** It can be allowed once, never for good. The first reason stays. */
export const onlyOnce = (draft: Draft, because: string): void => {
  draft.ungrantable ??= because;
};
