import { words, type OptionMeaning, type OptionSpec } from './rule.js';

export type Option = Readonly<{ name: string; meaning: OptionMeaning; argument: 'no' | 'yes' | 'attached' }>;
export type OptionTable = Readonly<{ byName: ReadonlyMap<string, Option>; long: readonly Option[]; risky: boolean }>;

const read = (spec: OptionSpec): OptionTable => {
  const byName = new Map<string, Option>();
  for (const [meaning, names] of Object.entries(spec) as [OptionMeaning, string][])
    for (const word of words(names)) {
      const last = word.at(-1);
      const argument = last === ':' ? 'yes' : last === '?' && word !== '-?' ? 'attached' : 'no';
      const name = argument === 'no' ? word : word.slice(0, -1);
      byName.set(name, { name, meaning, argument });
    }
  const all = [...byName.values()];
  return {
    byName,
    long: all.filter(({ name }) => name.startsWith('--')),
    risky: all.some(({ meaning }) => meaning !== 'ok' && meaning !== 'read'),
  };
};

const tables = new WeakMap<OptionSpec, OptionTable>();
const NONE: OptionSpec = {};

export const optionsOf = (spec: OptionSpec = NONE): OptionTable => {
  const known = tables.get(spec);
  if (known) return known;
  const table = read(spec);
  tables.set(spec, table);
  return table;
};

/** Every option that a long name can stand for: itself, or all that begin with it, as getopt_long completes them. */
export const matching = (stack: readonly OptionTable[], name: string): readonly Option[] => {
  for (const table of stack) {
    const exact = table.byName.get(name);
    if (exact) return [exact];
  }
  if (!name.startsWith('--') || name.length < 3) return [];
  return stack.flatMap(({ long }) => long.filter((option) => option.name.startsWith(name)));
};
