import { judge } from '../rules/judge.js';
import { placeIn } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { isHarmlessVariable, isSteeringVariable } from '../shell/environment.js';
import { judgeVariable } from '../shell/assignments.js';
import { find, isPlain, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown, slice, spanOf, UNKNOWN } from '../shell/text.js';
import { run } from './wrappers.js';

const isOption = ({ value }: Field): boolean => /^[-+]./.test(value);

/** A word that names a variable: a subscript in it is an expression, and bash runs the commands in it. */
const names = (call: Call, field: Field, sets: boolean): void => {
  const { value } = field;
  if (!isKnown(value) || !field.certain)
    find(call, 'obfuscated', `${call.program} is given the name of a variable that is computed`, field);
  else if (/\[.*[`$]|\[.*\[/s.test(value)) find(call, 'obfuscated', `${call.program} evaluates the expression in ${shown(value)}`, field);
  else if (sets && isSteeringVariable(value.replace(/\[.*/s, '')))
    find(call, 'env.inject', `${call.program} sets ${shown(value)}, which steers what programs run or load`, field);
};

/** cd and its like: what follows happens there. */
export const cd = (call: Call): void => {
  const [target] = call.args.filter(({ value }) => !/^-[LPe@]+$/.test(value) && value !== '--');
  if (target?.value === '-' || !target) {
    call.scope.cwd.place = target ? { root: 'anywhere', parts: [] } : { root: 'home', parts: [] };
    return;
  }
  call.scope.cwd.place = target.glob ? { root: 'anywhere', parts: [] } : placeIn(call, target.value);
};

export const popd = (call: Call): void => {
  call.scope.cwd.place = { root: 'anywhere', parts: [] };
};

/** export, declare, readonly, local: a variable given to programs, or one whose value is evaluated. */
export const declare = (call: Call): void => {
  for (const field of call.args) {
    const { value } = field;
    if (isOption(field)) {
      if (/[nif]/.test(value) && call.program !== 'export')
        find(
          call,
          value.includes('n') || value.includes('i') ? 'obfuscated' : 'shell.state',
          `${call.program} ${value} changes how the variable is read`,
          field,
        );
      continue;
    }
    const equals = value.search(/\+?=/);
    if (equals < 0) {
      names(call, field, call.program === 'export');
      continue;
    }
    const name = value.slice(0, equals);
    names(call, { ...field, ...slice(field, 0, equals) }, false);
    const given = { ...field, ...slice(field, value.indexOf('=') + 1) };
    if (
      call.program === 'export'
        ? !(isHarmlessVariable(name, given.value) && isKnown(given.value))
        : isSteeringVariable(name) || call.args.some((arg) => /^-[a-zA-Z]*x/.test(arg.value))
    )
      judgeVariable(name, given, spanOf(field), call.scope, call.draft);
  }
};

export const unset = (call: Call): void => {
  for (const field of call.args)
    if (/^-[a-zA-Z]*f/.test(field.value)) find(call, 'shell.state', `${call.program} takes a function away`, field);
    else if (!isOption(field)) names(call, field, true);
};

/** read, mapfile, getopts: names that get values from outside. */
export const read = (call: Call, rule: Rule): void => {
  const { operands } = judge(call, rule);
  for (const field of call.program === 'getopts' ? operands.slice(1, 2) : operands) names(call, field, true);
};

export const printf = (call: Call): void => {
  const [first, second] = call.args;
  if (!first?.value.startsWith('-v')) {
    if (first && first.value.startsWith(UNKNOWN))
      find(call, 'obfuscated', `${call.program} gets a computed word, which may be an option`, first);
    return;
  }
  const name = first.value.length > 2 ? { ...first, ...slice(first, 2) } : second;
  if (name) names(call, name, true);
};

/** `[` and `test`: only `-v` looks into what it is given. */
export const test = (call: Call): void => {
  for (const [i, field] of call.args.entries()) if (/^-[vR]$/.test(field.value) && call.args[i + 1]) names(call, call.args[i + 1]!, false);
};

/** Options of the shell that make it stricter, or only change how patterns match. */
const STRICTER = /^[-+]([euofhCEHmTb]+)$/;
const SET_O = /^(errexit|nounset|pipefail|noglob|noclobber|errtrace|functrace|hashall|braceexpand)$/;
const SHOPT = /^(nullglob|globstar|dotglob|failglob|nocaseglob|inherit_errexit|lastpipe|globasciiranges|checkwinsize)$/;

export const set = (call: Call): void => {
  const { args } = call;
  for (let i = 0; i < args.length; i++) {
    const { value } = args[i]!;
    if (value === '--') return;
    if (STRICTER.test(value)) {
      if (/o$/.test(value) && args[i + 1] && !SET_O.test(args[++i]!.value))
        find(call, 'shell.state', `set ${value} ${shown(args[i]!.value)} changes how the shell runs what follows`, args[i]);
    } else if (isOption(args[i]!) || !isPlain(args[i]!))
      find(call, 'shell.state', `set ${shown(value)} changes how the shell runs what follows`, args[i]);
  }
};

export const shopt = (call: Call): void => {
  for (const field of call.args)
    if (!/^-[suqp]+$/.test(field.value) && !SHOPT.test(field.value))
      find(call, 'shell.state', `shopt ${shown(field.value)} changes how the shell reads what follows`, field);
};

/** alias and trap keep a command for later; it is judged now. */
export const alias = (call: Call): void => {
  for (const field of call.args) {
    const equals = field.value.indexOf('=');
    if (equals < 0) continue;
    find(call, 'shell.state', `${call.program} gives ${field.value.slice(0, equals)} another meaning`, field);
    call.scope.engine.script(slice(field, equals + 1), call.scope);
  }
};

export const trap = (call: Call): void => {
  const [first, ...signals] = call.args.filter(({ value }) => value !== '--');
  if (!first || /^-[lp]$/.test(first.value) || first.value === '-' || first.value === '' || signals.length === 0) return;
  find(call, 'shell.state', 'trap keeps a command for later', first);
  if (!isKnown(first.value)) find(call, 'obfuscated', 'trap keeps a command that is computed', first);
  call.scope.engine.script(first, call.scope, { shares: true });
};

/** exec: replaces the shell, or redirects all that follows. */
export const exec = (call: Call): void => {
  let i = 0;
  for (; /^-[acl]+$/.test(call.args[i]?.value ?? ''); i++) if (call.args[i]!.value.includes('a')) i++;
  const rest = call.args.slice(i);
  if (rest.length === 0) return;
  find(call, 'shell.state', 'exec replaces the shell by another program');
  run(call, rest);
};

/** command and builtin: the same program past functions; with -v, only where it is. */
export const command = (call: Call): void => {
  let i = 0;
  for (; /^-[pvV]+$/.test(call.args[i]?.value ?? ''); i++) if (/[vV]/.test(call.args[i]!.value)) return;
  if (call.args[i]?.value === '--') i++;
  run(call, call.args.slice(i));
};

export const hash = (call: Call): void => {
  for (const field of call.args)
    if (/^-[a-zA-Z]*[pd]/.test(field.value)) find(call, 'shell.state', 'hash makes a name run another file', field);
};

/** let evaluates expressions, in which a subscript may run a command. */
export const letBuiltin = (call: Call): void => {
  find(call, 'shell.state', 'let assigns by evaluating text', call.args[0]);
  onlyOnce(call.draft, 'It evaluates text.');
  for (const field of call.args) names(call, field, false);
};

export const kill = (call: Call): void => {
  const { args } = call;
  if (args.length === 0 || /^-[lL]$|^--(list|table|help|version)$/.test(args[0]!.value)) return;
  find(call, 'proc.signal', `${call.program} signals processes`, args.at(-1));
  const targets = args
    .slice(/^-/.test(args[0]!.value) ? (/^-(s|n|-signal)$/.test(args[0]!.value) ? 2 : 1) : 0)
    .filter(({ value }) => value !== '--');
  for (const field of targets) {
    if (field.value === '-1') find(call, 'destroy.system', `${call.program} ends every process`, field, true);
    else if (field.value === '1') find(call, 'destroy.system', `${call.program} ends the process that all others hang on`, field);
    if (!isPlain(field)) onlyOnce(call.draft, 'Which process it signals is computed.');
  }
};
