import { PHRASES, tierOf } from '../effects.js';
import { writes } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { add, find, onlyOnce, type Call, type Draft, type Field } from '../shell/scope.js';
import { isHarmlessVariable } from '../shell/environment.js';
import { judgeVariable } from '../shell/assignments.js';
import { isKnown, shown, slice, spanOf } from '../shell/text.js';
import { leading, type Leading } from './leading.js';

/** Judges a wrapper's own options by its table and returns the command that it runs. */
const inner = (call: Call, rule: Rule): Leading => {
  const parsed = leading(rule, call.args);
  for (const { option, value, at } of parsed.used) {
    if (option.meaning === 'ok' || option.meaning === 'read' || option.meaning === 'url') continue;
    if (option.meaning === 'write') writes(call, { certain: true, glob: false, splits: false, ...(value ?? at) });
    else if (option.meaning === 'shell') {
      find(call, 'exec.inline', `${call.program} ${option.name} runs ${value ? shown(value.value) : 'a program'}`, value ?? at);
      if (value) call.scope.engine.script(value, call.scope);
    } else find(call, option.meaning, `${call.program} ${option.name} ${PHRASES[option.meaning]}`, at);
  }
  const [unknown] = parsed.unknown;
  if (unknown && !/^--(help|version)$/.test(unknown.value))
    find(call, 'unknown', `${call.program} ${shown(unknown.value)} is an option that is not known`, unknown);
  if (parsed.computed[0])
    find(call, 'obfuscated', `${call.program} gets a computed word before the command that it runs`, parsed.computed[0]);
  return parsed;
};

const base = (call: Call, rule: Rule): void => {
  for (const effect of typeof rule.does === 'string' ? [rule.does] : (rule.does ?? []))
    find(call, effect, `${call.program} ${rule.why ?? PHRASES[effect]}`);
};

/** nice, nohup, timeout and their like: what counts is what they run. `arity` words of their own come first. */
export const wrapper = (call: Call, rule: Rule): void => {
  const { rest } = inner(call, rule);
  base(call, rule);
  const own = rule.arity ?? 0;
  const computed = rest.slice(0, own).find((field) => field.splits && !isKnown(field.value));
  if (computed) find(call, 'obfuscated', `${call.program} gets a computed word before the command that it runs`, computed);
  run(call, rest.slice(own));
};

export const run = (call: Call, fields: readonly Field[]): void => {
  if (fields.length === 0) return;
  call.draft.prefix = [];
  // flock, su and others take their command line behind their own operand.
  if (fields[0]!.value === '-c' && fields[1]) return call.scope.engine.script(fields[1], call.scope);
  call.scope.engine.invoke(call.draft, fields, call.scope);
};

/** Nothing but its version or its help. */
export const onlyAsks = ({ args }: Call): boolean => args.length === 1 && /^--(version|help)$/.test(args[0]!.value) && args[0]!.certain;

/**
 * Wrappers with effects of their own; a grant never covers what they run. Their options are not all known, so that any word may be the
 * one that begins the command: from each, what would destroy counts.
 */
export const generic = (call: Call, rule: Rule): void => {
  if (onlyAsks(call) && rule.does !== 'privilege') return;
  wrapper(call, rule);
  for (const i of call.args.keys())
    if (i < MOST_STARTS && call.scope.engine.isProgram(call.args[i]!.value)) worseOnly(call, call.args.slice(i));
  onlyOnce(call.draft, `${call.program} runs whatever it is given.`);
};

const MOST_STARTS = 12;
/** Trying a command that may be none costs as much as this many expansions. */
const COST = 30;

const worseOnly = (call: Call, fields: readonly Field[]): void => {
  if ((call.scope.report.effort -= COST) < 0) return;
  const draft: Draft = { text: '', span: call.draft.span, prefix: [], findings: [], constraints: {} };
  call.scope.engine.invoke(draft, fields, call.scope);
  for (const { effect, reason, span, bulk } of draft.findings)
    if (tierOf(effect) === 'destructive') add(call.draft, effect, reason, span, bulk === true);
};

const LIST = /^[A-Za-z_]\w*=/s;

/** `env`: variables for one command; without one, it prints them. */
export const env = (call: Call, rule: Rule): void => {
  const { used, rest } = inner(call, rule);
  for (const { option, value, at } of used)
    if (option.name === '-S' || option.name === '--split-string') {
      find(call, 'obfuscated', `${call.program} ${option.name} splits a text into a command`, at);
      if (value) call.scope.engine.script(slice(value, /^(\s*[A-Za-z_]\w*=\S*\s+)*/.exec(value.value)?.[0].length ?? 0), call.scope);
    } else if ((option.name === '-u' || option.name === '--unset') && /^(PATH|LD_.*|HOME)$/.test(value?.value ?? 'PATH'))
      find(call, 'env.inject', `${call.program} takes ${value?.value ?? 'a variable'} away from the command`, at);
  let i = 0;
  for (; LIST.test(rest[i]?.value ?? ''); i++) assigned(call, rest[i]!);
  run(call, rest.slice(i));
};

const assigned = (call: Call, field: Field): void => {
  const equals = field.value.indexOf('=');
  const name = field.value.slice(0, equals);
  const value = { ...field, ...slice(field, equals + 1) };
  if (isHarmlessVariable(name, value.value) && isKnown(value.value)) return;
  judgeVariable(name, value, spanOf(field), call.scope, call.draft);
};

/** `arch -x86_64 CMD` on macOS; without a word it prints the architecture. */
export const arch = (call: Call): void => {
  let i = 0;
  for (; call.args[i]?.value.startsWith('-'); i++) {
    const { value } = call.args[i]!;
    if (/^-(arch|d|e)$/.test(value)) i++;
    else if (!/^-(x86_64h?|arm64e?|arm64|i386|ppc|32|64|c|h)$|^--(help|version)$/.test(value))
      find(call, 'unknown', `${call.program} ${shown(value)} is an option that is not known`, call.args[i]);
    if (value === '-e') find(call, 'env.inject', `${call.program} -e sets a variable for the command`, call.args[i]);
  }
  run(call, call.args.slice(i));
};
