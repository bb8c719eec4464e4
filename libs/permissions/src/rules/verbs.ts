import { type Effect } from '../effects.js';
import { words, type VerbSpec } from './rule.js';

type Verbs = Readonly<{ skip: number; lists: readonly (readonly [Effect, Matcher])[]; except: ReadonlyMap<string, Effect> }>;
type Matcher = (word: string) => boolean;

const matcher = (spec: string): Matcher => {
  const all = words(spec);
  const exact = new Set(all.filter((word) => !word.includes('*')));
  const suffixes = all.filter((word) => word.startsWith('*')).map((word) => word.slice(1));
  const prefixes = all.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  return (word) =>
    exact.has(word) || prefixes.some((prefix) => word.startsWith(prefix)) || suffixes.some((suffix) => word.endsWith(suffix));
};

const compiled = new WeakMap<VerbSpec, Verbs>();

const compile = (spec: VerbSpec): Verbs => {
  const known = compiled.get(spec);
  if (known) return known;
  const lists = [
    ...(Object.entries(spec.other ?? {}) as [Effect, string][]),
    ['destroy.infra', spec.destroy] as const,
    ['infra.change', spec.change] as const,
    ['net.read', spec.read] as const,
  ].map(([effect, list]) => [effect, matcher(list)] as const);
  const verbs: Verbs = {
    skip: spec.skip ?? 0,
    lists,
    except: new Map(Object.entries(spec.except ?? {})),
  };
  compiled.set(spec, verbs);
  return verbs;
};

/**
 * What a command path does by its first verb: `instances list` reads, `instances delete list` does not. Undefined while no verb was
 * seen. `next` is the word that follows, if it is written out: some verbs are groups too, and the table then says what the pair does.
 */
export const verbOf = (spec: VerbSpec, words: readonly string[], next: string | undefined): Effect | undefined => {
  const { skip, lists, except } = compile(spec);
  const path = /^(alpha|beta|preview)$/.test(words[0] ?? '') ? words.slice(1) : words;
  const pair = next === undefined ? undefined : except.get([...path, next].join(' '));
  const exact = pair ?? except.get(path.join(' '));
  if (exact) return exact;
  if (path.length <= skip) return undefined;
  const word = path.at(-1)!;
  return lists.find(([, matches]) => matches(word))?.[0];
};
