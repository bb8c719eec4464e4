import { judge } from '../rules/judge.js';
import { reads, writes } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { find, mayBeOption, type Call, type Field } from '../shell/scope.js';
import { isKnown, slice, type Text } from '../shell/text.js';
import { deedsOf } from './sed-script.js';

/** sed: what its script does, and whether it edits the files themselves. */
export const sed = (call: Call, rule: Rule): void => {
  const { used, operands, help } = judge(call, rule);
  if (help) return;
  const given = used.filter(({ option }) => /^(-e|--expression)$/.test(option.name)).flatMap(({ value }) => (value ? [value] : []));
  const fromFile = used.some(({ option }) => /^(-f|--file)$/.test(option.name));
  const own = given.length === 0 && !fromFile ? operands.slice(0, 1) : [];
  const files = operands.slice(own.length);
  for (const script of [...given, ...own]) judgeScript(call, script);
  const inPlace = used.some(({ option }) => /^(-i|-I|--in-place)$/.test(option.name));
  for (const file of files) {
    if (mayBeOption(file)) find(call, 'obfuscated', `${call.program} gets a computed word, which may be an option`, file);
    if (inPlace) writes(call, file);
    else reads(call, file);
  }
  if (inPlace && files.length === 0) find(call, 'write.workspace', `${call.program} edits files in place`);
};

const judgeScript = (call: Call, script: Text & Partial<Field>): void => {
  if (!isKnown(script.value) || script.certain === false)
    find(call, 'obfuscated', `${call.program} runs a script that is computed`, script);
  for (const { kind, start, end } of deedsOf(script.value)) {
    const text = slice(script, start, end);
    const field: Field = { ...text, certain: true, glob: false, splits: false };
    if (kind === 'write') writes(call, field);
    else if (kind === 'read') reads(call, field);
    else if (kind === 'odd') find(call, 'unknown', `${call.program} gets a script that is not understood here`, text);
    else {
      find(call, 'exec.inline', `${call.program} runs a command`, text);
      if (end - start > 1) call.scope.engine.script(text, call.scope);
    }
  }
};
