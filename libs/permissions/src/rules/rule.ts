import { type Effect, type Tier } from '../effects.js';

/**
 * What an option means. `ok` changes nothing; `write`, `read` and `url` say that its argument is a path or an address to be judged as
 * such; `shell` that its argument is run by a shell; an effect that the option itself has it.
 */
export type OptionMeaning = 'ok' | 'write' | 'read' | 'url' | 'shell' | Effect;

/**
 * Options by meaning, each as words: `-a` a flag, `-n:` takes an argument, `--color?` takes one only with `=`. Read once, when the
 * program is first seen.
 */
export type OptionSpec = Readonly<Partial<Record<OptionMeaning, string>>>;

/** What the words that are not options are. */
export type Operands =
  | 'data' // text, names, addresses of things: said, not done
  | 'read' // files whose content is shown or used
  | 'pattern' // one pattern, then files whose content is shown
  | 'write' // files or directories that are made or changed
  | 'copy' // sources, then a destination that is written
  | 'move' // sources that go away, and a destination
  | 'remove' // files that go away
  | 'second' // the second of them is written
  | 'net' // names that are sent over the network: nothing computed may be in them
  | 'none'; // none are taken: one more word is something unknown

export type Rule = Readonly<{
  /** What it does as such, before options and operands add to it. `read` unless said. */
  does?: Effect | readonly Effect[];
  /** Ends the sentence `<program> …`; otherwise the phrase of the effect. */
  why?: string;
  /** Without bound: ladder 5 where the effect destroys. */
  bulk?: boolean;
  options?: OptionSpec;
  /** An option that is not listed is dangerous. Inherited by sub-commands. */
  strict?: boolean;
  /** `-name` is one option, not a bundle of letters: terraform, openssl, java. */
  singleDash?: boolean;
  operands?: Operands;
  /** Sub-commands: keys are words, alternatives by `|`; a value that is an effect is short for a rule that does it. */
  commands?: Readonly<Record<string, Rule | Effect>>;
  /** What it does without any operand or sub-command, where that differs. */
  bare?: Effect;
  /** Options that turn it into mere reading: a dry run, a check, output to the terminal. Only as written, only if nothing unknown precedes. */
  harmless?: string;
  /** What stands behind `--` are options of a program behind it, and count as its own. */
  through?: boolean;
  /** Read verbs and others, for programs whose commands are too many to list: see `verbs.ts`. */
  verbs?: VerbSpec;
  /** The name of a function that judges what a table cannot say. */
  handler?: string;
  /** How many words beside the program name what a grant covers; 0 unless said. Sub-commands count themselves. */
  arity?: number;
  /** What a grant is held to, beside words and effects. */
  constrain?: 'exact' | 'operands' | 'none';
}>;

export type VerbSpec = Readonly<{
  /** How many words name a service before a verb may come; `alpha` and `beta` before them do not count. */
  skip?: number;
  read: string;
  change: string;
  /** Verbs that read secrets, spend or send; by effect. */
  other?: Readonly<Partial<Record<Effect, string>>>;
  destroy: string;
  /** Exact command paths that differ from what their first verb says. */
  except?: Readonly<Record<string, Effect>>;
}>;

/** A command with the tier that it has to get. */
export type Example = readonly [tier: Tier, command: string];

/** Programs that are judged alike, with examples that the rule matches and that it doesn't; all of them run as tests. */
export type Entry = Readonly<{ programs: string; rule: Rule; examples: readonly Example[] }>;

export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
