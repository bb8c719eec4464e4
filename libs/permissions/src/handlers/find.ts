import { PHRASES } from '../effects.js';
import { judge } from '../rules/judge.js';
import { optionsOf } from '../rules/options.js';
import { placeIn, removes, writes } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { find as note, mayBeOption, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown, slice, spanOf, textAt, UNKNOWN } from '../shell/text.js';

/** Tests that leave only some files; without one, whatever is done is done to everything below. */
const NARROWING =
  /^-(i?name|i?path|i?wholename|i?regex|[acm](time|min)|newer.*|[ac]newer|size|empty|user|group|perm|inum|links|samefile|i?lname)$/;

/** find: starting points, then an expression in which actions run, write or delete. */
export const find = (call: Call, rule: Rule): void => {
  const table = optionsOf(rule.options).byName;
  const { args } = call;
  const starts: Field[] = [];
  let i = 0;
  for (; i < args.length && !/^[-(!,]/.test(args[i]!.value); i++) starts.push(args[i]!);
  // Options of the program itself may stand before the starting points.
  while (i < args.length && /^-[HLPEXdsx]+$/.test(args[i]!.value)) i++;
  for (; i < args.length && !/^[-(!,]/.test(args[i]!.value); i++) starts.push(args[i]!);
  const narrowed = args.some((field, at) => NARROWING.test(field.value) && !/^['"]?\*['"]?$/.test(args[at + 1]?.value ?? ''));
  const pattern = args[args.findIndex(({ value }) => /^-i?name$/.test(value)) + 1];
  const named = args.some(({ value }) => /^-i?name$/.test(value)) ? pattern : undefined;
  for (const start of starts) if (mayBeOption(start)) computed(call, start);

  while (i < args.length) {
    const field = args[i++]!;
    const { value } = field;
    if (mayBeOption(field)) computed(call, field);
    if (/^-(exec|execdir|ok|okdir)$/.test(value)) {
      const end = args.findIndex((word, at) => at >= i && (word.value === ';' || (word.value === '+' && args[at - 1]?.value === '{}')));
      const inner = args.slice(i, end < 0 ? args.length : end);
      if (value.startsWith('-ok')) note(call, 'unknown', `${call.program} ${value} asks for an answer that nobody gives`, field);
      runFound(call, inner, starts, narrowed, named);
      i = end < 0 ? args.length : end + 1;
    } else if (value === '-delete') {
      for (const start of starts.length > 0 ? starts : [here(call, '.')]) deleteBelow(call, start, narrowed, field);
    } else if (/^-(fprint|fprint0|fls)$/.test(value)) i = output(call, args, i);
    else if (value === '-fprintf') i = output(call, args, i) + 1;
    else if (/^(\(|\)|!|,)$/.test(value)) continue;
    else {
      const option = table.get(value);
      if (!option) {
        if (value.startsWith('-') && isKnown(value))
          note(call, 'unknown', `${call.program} ${shown(value)} is not a test or action that is known`, field);
        continue;
      }
      if (option.meaning !== 'ok')
        note(call, option.meaning as 'unknown', `${call.program} ${value} ${PHRASES[option.meaning as 'unknown']}`, field);
      if (option.argument === 'yes') i++;
    }
  }
};

const computed = (call: Call, field: Field): void =>
  note(call, 'obfuscated', `${call.program} gets a computed word, which may be an action`, field);

const here = (call: Call, value: string): Field => ({ ...textAt(value, spanOf(call.name)), certain: true, glob: false, splits: false });

const output = (call: Call, args: readonly Field[], at: number): number => {
  if (args[at]) writes(call, args[at]);
  return at + 1;
};

const deleteBelow = (call: Call, start: Field, narrowed: boolean, at: Field): void => {
  if (placeIn(call, start.value).root === 'workspace' && isKnown(start.value)) {
    note(call, 'write.workspace', `${call.program} -delete removes what it finds below ${shown(start.value)}`, at);
    if (!narrowed) onlyOnce(call.draft, 'It removes everything below.');
    return;
  }
  removes(call, start, true);
};

/** `{}` stands for a file below a starting point: for all of them if nothing narrows what is found. */
const runFound = (call: Call, inner: readonly Field[], starts: readonly Field[], narrowed: boolean, named: Field | undefined): void => {
  if (inner.length === 0) return note(call, 'unknown', `${call.program} runs nothing that is written here`);
  for (const start of starts.length > 0 ? starts : [here(call, '.')]) {
    const name = !narrowed ? '*' : named && isKnown(named.value) ? named.value : '{}';
    const found: Field = isKnown(start.value)
      ? { ...start, ...textAt(`${start.value.replace(/\/+$/, '')}/${name}`, spanOf(start)), glob: name !== '{}' }
      : start;
    const fields = inner.map((field) =>
      field.value === '{}'
        ? { ...found, runs: field.runs }
        : field.value.includes('{}')
          ? { ...field, ...textAt(field.value.replaceAll('{}', UNKNOWN), spanOf(field)) }
          : field,
    );
    onlyOnce(call.draft, 'It works on files that it finds then.');
    call.draft.prefix = [];
    call.scope.engine.invoke(call.draft, fields, { ...call.scope, input: { kind: 'none' } });
  }
};

/** fd: a search whose results may be handed to a command. */
export const fd = (call: Call, rule: Rule): void => {
  const at = call.args.findIndex(
    ({ value }) => /^(-x|-X|--exec|--exec-batch)$|^--exec(-batch)?=/.test(value) || /^-[a-zA-Z0-9]*[xX]$/.test(value),
  );
  const own = at < 0 ? call.args : call.args.slice(0, at);
  judge({ ...call, args: own }, rule);
  if (at < 0) return;
  const flag = call.args[at]!;
  const attached = flag.value.indexOf('=');
  const inner = [...(attached > 0 ? [{ ...flag, ...slice(flag, attached + 1) }] : []), ...call.args.slice(at + 1)].filter(
    ({ value }) => value !== ';',
  );
  const found = { ...textAt('./{}', spanOf(flag)), certain: true, glob: false, splits: false };
  const fields = inner.map((field) =>
    /^\{[/.]*\}$/.test(field.value)
      ? { ...found, runs: field.runs }
      : /\{[/.]*\}/.test(field.value)
        ? { ...field, ...textAt(field.value.replace(/\{[/.]*\}/g, UNKNOWN), spanOf(field)) }
        : field,
  );
  onlyOnce(call.draft, 'It works on files that it finds then.');
  call.draft.prefix = [];
  const named = inner.some(({ value }) => /\{[/.]*\}/.test(value));
  if (inner.length === 0) note(call, 'unknown', `${call.program} runs nothing that is written here`, flag);
  else call.scope.engine.invoke(call.draft, named ? fields : [...fields, found], { ...call.scope, input: { kind: 'none' } });
};
