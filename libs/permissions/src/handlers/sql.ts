import { judge } from '../rules/judge.js';
import { type Rule } from '../rules/rule.js';
import { find, onlyOnce, type Call } from '../shell/scope.js';
import { isKnown, slice, type Text } from '../shell/text.js';
import { destructiveSql } from './sql-text.js';

/** Clients of SQL databases: every text that could be a statement is read for what it would destroy, and for the shell it may open. */
export const sql = (call: Call, rule: Rule): void => {
  const { used, operands, help, harmless } = judge(call, rule);
  if (help || harmless) return;
  onlyOnce(call.draft, 'Statements are different every time.');
  const texts: Text[] = [...used.flatMap(({ value }) => (value ? [value] : [])), ...operands];
  if (call.scope.input.text) texts.push(call.scope.input.text);
  for (const text of texts) judgeStatements(call, text);
};

/** Client commands that hand the rest of their line to a shell, and the statement that does. */
const SHELLS = /(?:^|[\n;])\s*(?:\\!|\.shell|\.system|!|system\b|\\o\s*\||\\g\s*\|)\s*([^\n]+)|\bPROGRAM\s+'([^']+)'/gi;

const judgeStatements = (call: Call, text: Text): void => {
  const destroys = destructiveSql(text.value);
  if (destroys) find(call, 'destroy.db', `${call.program} runs ${destroys.what}`, text, destroys.bulk);
  if (!isKnown(text.value) && /\s/.test(text.value)) find(call, 'obfuscated', `${call.program} runs a statement that is computed`, text);
  for (const match of text.value.matchAll(SHELLS)) {
    const command = match[1] ?? match[2]!;
    const at = match.index + match[0].lastIndexOf(command);
    find(call, 'exec.inline', `${call.program} runs a command on the way`, text);
    call.scope.engine.script(slice(text, at, at + command.length), call.scope);
  }
};

/** Commands of key-value and document stores that take everything away. */
const WIPES =
  /\b(flushall|flushdb)\b|\bdropDatabase\s*\(|\.drop\s*\(|\bdeleteMany\s*\(\s*(\{\s*\})?\s*\)|\bremove\s*\(\s*\{\s*\}\s*\)|\bdropDatabase\b|\bdelete_all\b/i;
const REMOVES = /\b(unlink|del|hdel|xtrim)\b|\bdelete(One|Many)\s*\(|\.remove\s*\(|\bdropIndex/i;

/** redis, mongo and their like: commands as words or as a script. */
export const store = (call: Call, rule: Rule): void => {
  const { used, operands, help, harmless } = judge(call, rule);
  if (help || harmless) return;
  onlyOnce(call.draft, 'Commands to a database are different every time.');
  const texts: Text[] = [...used.flatMap(({ value }) => (value ? [value] : [])), ...operands];
  if (call.scope.input.text) texts.push(call.scope.input.text);
  const takesAway = call.args.find(({ value }) => /^--delete$|^(force_)?reset$|^(delete|purge)_\w+$|^delete-/.test(value));
  if (takesAway) find(call, 'destroy.db', `${call.program} ${takesAway.value} removes data`, takesAway);
  for (const text of texts) {
    const match = WIPES.exec(text.value);
    if (match) find(call, 'destroy.db', `${call.program} runs ${match[0].trim()}`, text, true);
    else if (REMOVES.test(text.value) && (text === operands[0] || /[({]/.test(text.value)))
      find(call, 'destroy.db', `${call.program} removes data`, text);
  }
};
