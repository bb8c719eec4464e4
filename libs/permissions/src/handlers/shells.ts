import { type Rule } from '../rules/rule.js';
import { find, isPlain, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { concat, isKnown, shown, spanOf, textAt, UNKNOWN, type Text } from '../shell/text.js';
import { reads } from '../rules/paths.js';
import { PHRASES } from '../effects.js';

const WITH_ARGUMENT = /^(-o|\+o|-O|\+O|--rcfile|--init-file)$/;

/** A shell: its `-c` text is judged inside, its script file is code, its input is a script. */
export const shell = (call: Call, rule: Rule): void => {
  const { args } = call;
  let command = false;
  let checks = false;
  let i = 0;
  for (; i < args.length; i++) {
    const field = args[i]!;
    const { value } = field;
    if (!isPlain(field) && /^[-+\0]/.test(value))
      find(call, 'obfuscated', `${call.program} gets a computed word, which may be an option`, field);
    if (value === '--' || value === '-') {
      i++;
      break;
    }
    if (!/^[-+]./.test(value)) break;
    if (WITH_ARGUMENT.test(value)) {
      if (value.startsWith('--')) find(call, 'env.inject', `${call.program} ${value} runs another file first`, field);
      i++;
    } else if (value.startsWith('--')) {
      if (/^--(help|version)$/.test(value) && args.length === 1) return;
      if (!/^--(norc|noprofile|login|posix|verbose|restricted|debugger|no-rcs)$/.test(value))
        find(call, 'unknown', `${call.program} ${shown(value)} is an option that is not known`, field);
    } else {
      command ||= value.startsWith('-') && value.includes('c');
      checks ||= value.startsWith('-') && value.includes('n');
      if (value.includes('i')) find(call, 'shell.state', `${call.program} ${value} loads the start files of a person`, field);
      if (/[oO]$/.test(value)) i++;
    }
  }
  const rest = args.slice(i);
  if (rule.does) find(call, rule.does as 'exec.inline', `${call.program} ${rule.why ?? PHRASES['exec.inline']}`);
  onlyOnce(call.draft, 'A shell runs whatever it is given.');
  if (command) return inside(call, rest[0], rest.slice(1));
  if (rest[0]) {
    if (checks) return reads(call, rest[0]);
    if (rest[0].value.startsWith('/dev/stdin')) return fromInput(call);
    return find(call, 'exec.script', `${call.program} runs the script ${shown(rest[0].value)}`, rest[0]);
  }
  fromInput(call);
};

const inside = (call: Call, script: Field | undefined, positional: readonly Field[]): void => {
  if (!script || script.value.trim() === '') return find(call, 'unknown', `${call.program} -c gets nothing to run`, script);
  computed(call, script);
  call.scope.engine.script(script, call.scope, { positional, input: call.scope.input });
};

const computed = (call: Call, script: Text & Partial<Field>): void => {
  if (isKnown(script.value) && script.certain !== false) return;
  find(call, 'obfuscated', `${call.program} runs a text that is computed`, script);
};

/** A script on standard input. */
const fromInput = (call: Call): void => {
  const { input } = call.scope;
  find(call, 'exec.inline', input.kind === 'none' ? `${call.program} waits for commands` : `${call.program} runs what is piped into it`);
  onlyOnce(call.draft, 'It is a pipe into a shell.');
  if (input.text) call.scope.engine.script(input.text, call.scope);
};

/** The words after `n`, as the one text that a shell makes of them. */
export const joined = (fields: readonly Field[]): Text =>
  concat(
    fields.flatMap((field, index) =>
      index === 0 ? [field] : [textAt(' ', { start: spanOf(field).start, end: spanOf(field).start }), field],
    ),
  );

/** `eval`: another reading of text in this very shell. */
export const evaluate = (call: Call): void => {
  if (call.args.length === 0) return;
  const script = joined(call.args);
  find(call, 'exec.inline', 'eval reads text as a script', script);
  if (call.args.some((field) => !isPlain(field))) find(call, 'obfuscated', 'eval runs a text that is computed', script);
  call.scope.engine.script(script, call.scope, { shares: true, input: call.scope.input });
};

/** `source`: a script that runs in this very shell. */
export const source = (call: Call): void => {
  const [file] = call.args;
  find(call, 'exec.script', file ? `${call.program} runs ${shown(file.value)} in this shell` : `${call.program} needs a file`, file);
  onlyOnce(call.draft, 'What a script does can change before it runs again.');
  if (file?.value === '/dev/stdin' && call.scope.input.text) call.scope.engine.script(call.scope.input.text, call.scope, { shares: true });
};

/** The last argument is a command line for a shell: watch, su -c, script -c, ssh. */
export const asScript = (call: Call, fields: readonly Field[]): void => {
  if (fields.length === 0) return;
  const text = joined(fields);
  if (text.value.includes(UNKNOWN)) find(call, 'obfuscated', `${call.program} runs a text that is computed`, text);
  call.scope.engine.script(text, call.scope);
};
