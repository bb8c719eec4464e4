import { isPlain, mayBeOption, type Field } from '../shell/scope.js';
import { type Effect } from '../effects.js';
import { isKnown, slice, type Text } from '../shell/text.js';
import { matching, optionsOf, type Option, type OptionTable } from './options.js';
import { words, type Rule } from './rule.js';
import { verbOf } from './verbs.js';

export type Used = Readonly<{ option: Option; value?: Text & Partial<Field>; at: Field }>;

/** The words of a call, sorted by what the rule says they are. */
export type Parsed = Readonly<{
  /** The words that chose the sub-command, and the rule that they led to. */
  path: readonly Field[];
  leaf: Rule;
  strict: boolean;
  /** The effect of the verb, for programs that have verbs. */
  verb?: Effect;
  used: readonly Used[];
  operands: readonly Field[];
  /** Options that no table lists, and words that may turn out to be options. */
  unknown: readonly Field[];
  computed: readonly Field[];
  /** Options that no table lists, before the word that says what is done: they may take that word away. */
  early: readonly Field[];
  risky: boolean;
  harmless: boolean;
  /** Nothing but a request for help. */
  help: boolean;
}>;

const commandTables = new WeakMap<object, Map<string, Rule>>();

/** The commands of a rule by single word; `'pr list|view'` gives `pr`, and in it `list` and `view`. */
const commandsOf = (rule: Rule): Map<string, Rule> | undefined => {
  if (!rule.commands) return undefined;
  const known = commandTables.get(rule.commands);
  if (known) return known;
  const table = new Map<string, Rule>();
  const nested = new Map<string, Record<string, Rule | Effect>>();
  for (const [key, value] of Object.entries(rule.commands)) {
    const [first, ...rest] = words(key);
    for (const name of first!.split('|'))
      if (rest.length === 0) table.set(name, typeof value === 'string' ? { does: value } : value);
      else nested.set(name, { ...nested.get(name), [rest.join(' ')]: value });
  }
  for (const [name, commands] of nested) table.set(name, { ...table.get(name), commands: { ...table.get(name)?.commands, ...commands } });
  commandTables.set(rule.commands, table);
  return table;
};

export const parseCall = (rule: Rule, args: readonly Field[]): Parsed => {
  let leaf = rule;
  let strict = rule.strict === true;
  let singleDash = rule.singleDash === true;
  let verbs = rule.verbs;
  let verb: Effect | undefined;
  let stack: OptionTable[] = [optionsOf(rule.options)];
  let harmlessWords = words(rule.harmless ?? '');
  let harmless = false;
  let help = false;
  let ended = false;
  const path: Field[] = [];
  const used: Used[] = [];
  const operands: Field[] = [];
  const unknown: Field[] = [];
  const computed: Field[] = [];
  const early: Field[] = [];

  const strange = (field: Field): void => {
    unknown.push(field);
    if (operands.length === 0 && ((verbs && verb === undefined) || leaf.commands)) early.push(field);
  };
  const use = (options: readonly Option[], value: Used['value'], at: Field): void => {
    for (const option of options) used.push({ option, at, ...(value && { value }) });
    const [first] = options;
    const written = first && [first.name, `${first.name}=${value?.value ?? ''}`];
    if (
      options.length === 1 &&
      at.certain &&
      unknown.length === 0 &&
      written!.some((name, i) => harmlessWords.includes(name) && (i === 1 || !value))
    )
      harmless = true;
  };
  /** The argument of an option; one that looks like an option itself is judged as one too. */
  const next = (i: number): Field | undefined => {
    const value = args[i];
    if (value?.splits === true && !isKnown(value.value)) computed.push(value);
    if (value && /^-[^-\d]|^--./.test(value.value)) {
      const name = value.value.startsWith('--') || singleDash ? value.value.split('=')[0]! : value.value.slice(0, 2);
      for (const option of matching(stack, name)) if (option.meaning !== 'ok') used.push({ option, at: value });
    }
    return value;
  };

  for (let i = 0; i < args.length; i++) {
    const field = args[i]!;
    const { value } = field;
    if (!ended && value === '--') ended = leaf.through !== true;
    else if (!ended && value.startsWith('-') && value.length > 1) {
      if (!field.certain) computed.push(field);
      const equals = value.indexOf('=');
      if (value.startsWith('--') || singleDash) {
        const name = equals < 0 ? value : value.slice(0, equals);
        const found = singleDash ? eitherDash(stack, name) : matching(stack, name);
        if (asksHelp(value, found, stack) && i === args.length - 1 && operands.length === 0) help = true;
        else if (found.length === 0) strange(field);
        else if (equals >= 0) use(found, slice(field, equals + 1), field);
        else if (found[0]!.argument === 'yes') use(found, next(++i), field);
        else use(found, undefined, field);
        continue;
      }
      if (value === '-h' && i === args.length - 1 && operands.length === 0 && isHelp(matching(stack, '-h')[0], rule)) {
        help = true;
        continue;
      }
      for (let j = 1; j < value.length; j++) {
        const [option] = matching(stack, `-${value[j]!}`);
        if (!option) {
          strange(field);
          break;
        }
        if (option.argument === 'no') use([option], undefined, field);
        else if (option.argument === 'attached') {
          use([option], j + 1 < value.length ? slice(field, j + 1) : undefined, field);
          break;
        } else {
          use([option], j + 1 < value.length ? slice(field, j + 1) : next(++i), field);
          break;
        }
      }
    } else {
      const choosing = operands.length === 0 && !ended;
      if (!ended && mayBeOption(field)) computed.push(field);
      const below = choosing ? commandsOf(leaf)?.get(value) : undefined;
      if (below && isPlain(field)) {
        path.push(field);
        leaf = below;
        strict ||= below.strict === true;
        singleDash ||= below.singleDash === true;
        verbs = below.verbs ?? (below.commands || below.does ? undefined : verbs);
        harmlessWords = words(below.harmless ?? '');
        harmless = false;
        stack = [optionsOf(below.options), ...stack];
      } else if (choosing && verbs && verb === undefined && isPlain(field)) {
        path.push(field);
        const following = args[i + 1];
        verb = verbOf(
          verbs,
          path.map((word) => word.value),
          following && isPlain(following) ? following.value : undefined,
        );
      } else operands.push(field);
    }
  }
  const risky = stack.some((table) => table.risky);
  return { path, leaf, strict, ...(verb && { verb }), used, operands, unknown, computed, early, risky, harmless, help };
};

/** `-h` asks for help in programs with commands, where it takes no argument; elsewhere it may mean anything: `shutdown -h`. */
const isHelp = (option: Option | undefined, rule: Rule): boolean =>
  rule.commands !== undefined && (option === undefined || (option.argument === 'no' && option.meaning === 'ok'));

const eitherDash = (stack: readonly OptionTable[], name: string): readonly Option[] => {
  const single = matching(stack, name.startsWith('--') ? name.slice(1) : name);
  return single.length > 0 ? single : matching(stack, name.startsWith('--') ? name : `-${name}`);
};

const asksHelp = (value: string, found: readonly Option[], stack: readonly OptionTable[]): boolean => {
  if (!/^--?(help|version)$/.test(value) || found.some(({ meaning }) => meaning !== 'ok')) return false;
  return value.endsWith('help') || stack.length === 1;
};
