import { type Rule } from '../rules/rule.js';
import { find, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { shown, slice, spanOf, textAt, UNKNOWN } from '../shell/text.js';
import { leading } from './leading.js';
import { writes, reads } from '../rules/paths.js';

/** xargs: its command gets words that are not written here, unless the pipeline says what they are. */
export const xargs = (call: Call, rule: Rule): void => {
  const { used, unknown, computed, rest } = leading(rule, call.args);
  if (unknown[0] && !/^--(help|version)$/.test(unknown[0].value))
    find(call, 'unknown', `${call.program} ${shown(unknown[0].value)} is an option that is not known`, unknown[0]);
  if (computed[0]) find(call, 'obfuscated', `${call.program} gets a computed word before the command that it runs`, computed[0]);
  for (const { option, value, at } of used) {
    if (option.meaning === 'write' && value) writes(call, { certain: true, glob: false, splits: false, ...value });
    else if (option.meaning === 'read' && value) reads(call, { certain: true, glob: false, splits: false, ...value });
    else if (option.meaning === 'unknown') find(call, 'unknown', `${call.program} ${option.name} asks or waits for somebody`, at);
  }
  if (rest.length === 0) return;
  const items = itemsOf(
    call,
    used.some(({ option }) => option.name === '-a' || option.name === '--arg-file'),
  );
  const replace = used.findLast(({ option }) => /^(-I|-i|-J|--replace)$/.test(option.name));
  const marker = replace ? (replace.value?.value ?? '{}') : undefined;
  const fields = marker === undefined || marker === '' ? [...rest, ...items] : rest.map((field) => filled(field, marker, items));
  onlyOnce(call.draft, 'It works on words that its input gives.');
  call.draft.prefix = [];
  call.scope.engine.invoke(call.draft, fields, { ...call.scope, input: { kind: 'none' } });
};

/** The words of its input if they are known; else one that may be anything. */
const itemsOf = (call: Call, fromFile: boolean): readonly Field[] => {
  const text = call.scope.input.text;
  if (!text || fromFile) return [{ ...textAt(UNKNOWN, spanOf(call.name)), certain: true, glob: false, splits: true }];
  const items: Field[] = [];
  for (const match of text.value.matchAll(/[^\s\0]+/g))
    if (items.length < 64)
      items.push({ ...slice(text, match.index, match.index + match[0].length), certain: false, glob: false, splits: false });
  return items;
};

const filled = (field: Field, marker: string, items: readonly Field[]): Field => {
  if (!field.value.includes(marker)) return field;
  const item = items[0]?.value ?? '';
  return {
    ...textAt(
      field.value.replaceAll(marker, () => item),
      spanOf(field),
    ),
    certain: items[0]?.certain ?? true,
    glob: false,
    splits: false,
  };
};
