import { classifyShell } from '../shell/classify-shell.js';
import { handlers } from '../handlers/index.js';
import { words, type Rule } from '../rules/rule.js';
import { type Effect, EFFECTS } from '../effects.js';
import { FAMILIES, ruleOf } from './index.js';

const entries = Object.entries(FAMILIES).flatMap(([family, all]) => all.map((entry) => ({ family, entry })));
const rulesIn = (rule: Rule): readonly Rule[] => [
  rule,
  ...Object.values(rule.commands ?? {}).flatMap((inner: Rule | Effect) => (typeof inner === 'string' ? [] : rulesIn(inner))),
];

describe.each(Object.keys(FAMILIES))('The rules for %s', (family) => {
  const examples = FAMILIES[family]!.flatMap((entry) => entry.examples.map(([tier, command]) => [command, tier] as const));
  it.each(examples)('judge `%s` to be %s', (command, tier) => expect(classifyShell(command)).toMatchObject({ tier }));
});

describe('A rule', () => {
  it('has examples that it matches, and where it tells things apart also some that it does not', () => {
    const bare = entries.filter(({ entry }) => entry.examples.length === 0).map(({ entry }) => entry.programs);
    const uniform = entries
      .filter(({ entry }) => entry.rule.options !== undefined && new Set(entry.examples.map(([tier]) => tier)).size < 2)
      .map(({ entry }) => entry.programs);
    expect({ bare, uniform }).toEqual({ bare: [], uniform: [] });
  });

  it('is the only one for its program', () => {
    const all = entries.flatMap(({ entry }) => words(entry.programs));
    expect(all.filter((program, index) => all.indexOf(program) !== index)).toEqual([]);
  });

  it('names handlers that there are, and effects that there are', () => {
    const rules = entries.flatMap(({ entry }) => rulesIn(entry.rule));
    const named = rules.flatMap(({ handler }) => (handler === undefined || handler === 'inner' ? [] : [handler]));
    const meant = rules.flatMap(({ options }) => Object.keys(options ?? {}));
    const known: readonly string[] = [...EFFECTS, 'ok', 'write', 'read', 'url', 'shell'];
    expect(named.filter((name) => handlers[name] === undefined)).toEqual([]);
    expect(meant.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('for a program counts for its versions too, and for nothing that only looks like it', () => {
    expect(ruleOf('python3.12')).toBe(ruleOf('python3'));
    expect(ruleOf('clang-15')).toBe(ruleOf('clang'));
    expect(ruleOf('lss')).toBeUndefined();
    expect(ruleOf('toString')).toBeUndefined();
  });
});
