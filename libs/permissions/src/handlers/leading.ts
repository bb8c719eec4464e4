import { matching, optionsOf, type Option } from '../rules/options.js';
import { type Rule } from '../rules/rule.js';
import { mayBeOption, type Field } from '../shell/scope.js';
import { slice, type Text } from '../shell/text.js';

export type Leading = Readonly<{
  used: readonly Readonly<{ option: Option; value?: Text & Partial<Field>; at: Field }>[];
  unknown: readonly Field[];
  /** A word before the first operand may turn out to be an option. */
  computed: readonly Field[];
  rest: readonly Field[];
}>;

/** The options that stand before the first operand, and everything from there on: for programs that run another. */
export const leading = ({ options }: Rule, args: readonly Field[]): Leading => {
  const stack = [optionsOf(options)];
  const used: { option: Option; value?: Text & Partial<Field>; at: Field }[] = [];
  const unknown: Field[] = [];
  const computed: Field[] = [];
  let i = 0;
  for (; i < args.length; i++) {
    const field = args[i]!;
    const { value } = field;
    if (value === '--') {
      i++;
      break;
    }
    if (mayBeOption(field)) computed.push(field);
    if (!value.startsWith('-') || value === '-') break;
    if (value.startsWith('--')) {
      const equals = value.indexOf('=');
      const [option] = matching(stack, equals < 0 ? value : value.slice(0, equals));
      if (!option) unknown.push(field);
      else if (equals >= 0) used.push({ option, value: slice(field, equals + 1), at: field });
      else if (option.argument === 'yes') used.push({ option, at: field, ...(args[++i] && { value: args[i]! }) });
      else used.push({ option, at: field });
      continue;
    }
    for (let j = 1; j < value.length; j++) {
      const [option] = matching(stack, `-${value[j]!}`);
      if (!option) {
        if (j > 1 || !/^-\d+$/.test(value)) unknown.push(field);
        break;
      }
      if (option.argument === 'no') used.push({ option, at: field });
      else {
        const attached = j + 1 < value.length ? slice(field, j + 1) : undefined;
        const argument = attached ?? (option.argument === 'yes' ? args[++i] : undefined);
        used.push({ option, at: field, ...(argument && { value: argument }) });
        break;
      }
    }
  }
  return { used, unknown, computed, rest: args.slice(i) };
};
