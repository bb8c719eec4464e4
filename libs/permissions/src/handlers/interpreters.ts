import { judge } from '../rules/judge.js';
import { type Rule } from '../rules/rule.js';
import { find, onlyOnce, type Call } from '../shell/scope.js';
import { DESCRIPTOR, shown, slice } from '../shell/text.js';
import { judgeCode } from './code.js';

/** python, node, perl and their like: code inline, from a file, or from the input. Only asking for their version is safe. */
export const interpreter = (call: Call, rule: Rule): void => {
  const { used, operands, help, harmless } = judge(call, rule);
  if (help || harmless) return;
  onlyOnce(call.draft, 'An interpreter runs whatever it is given.');
  const inline = used.filter(({ option }) => option.meaning === 'exec.inline');
  for (const { value } of inline) if (value) judgeCode(call, value);
  const asked =
    call.args.length > 0 && call.args.every(({ value }) => /^(-V|-v|-vV|--version|-version|version|--help|-h|-help)$/.test(value));
  if (asked && !(call.program.startsWith('ruby') && call.args[0]!.value === '-v' && call.args.length > 1)) return;
  const [script] = operands;
  if (inline.length > 0) return;
  if (script && script.value !== '-') {
    find(call, script.value.startsWith(DESCRIPTOR) ? 'exec.inline' : 'exec.script', `${call.program} runs ${shown(script.value)}`, script);
    return;
  }
  find(
    call,
    'exec.inline',
    call.scope.input.kind === 'none' ? `${call.program} waits for code` : `${call.program} runs what is piped into it`,
  );
  if (call.scope.input.text) judgeCode(call, call.scope.input.text);
};

/** make: recipes are shell; those that stand in the command itself are read. */
export const make = (call: Call, rule: Rule): void => {
  const { used, help } = judge(call, rule);
  if (help) return;
  const text = call.scope.input.text;
  const given = used.some(
    ({ option, value }) => /^(-f|--file|--makefile)$/.test(option.name) && /^(-|\/dev\/stdin)$/.test(value?.value ?? ''),
  );
  if (!given || !text) return;
  onlyOnce(call.draft, 'Its rules are given inline.');
  for (const match of text.value.matchAll(/^(?:\t+[@+-]*|[^\t\n#=:]*:[^=\n]*?;\s*[@+-]*)([^\n]+)$/gm)) {
    const at = match.index + match[0].length - match[1]!.length;
    call.scope.engine.script(slice(text, at, at + match[1]!.length), call.scope);
  }
};
