import { isInScope, type WorkScope } from '#libs/proposals';
import type { ChangedPath } from '../task-events.js';

/** Paths, of both sides of a rename, that the scope doesn't name; sorted, each once. */
export const outOfScope = (changed: readonly ChangedPath[], work: WorkScope): string[] =>
  [...new Set(changed.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])))]
    .filter((path) => !isInScope(path, work))
    .sort();

/** What git shows and the report doesn't (`hidden`), and the other way round (`claimed`), as `change path`; a rename is its two sides. */
export const differences = (
  reported: readonly ChangedPath[],
  computed: readonly ChangedPath[],
): Readonly<{ hidden: string[]; claimed: string[] }> => {
  const [said, seen] = [new Set(reported.flatMap(sides)), new Set(computed.flatMap(sides))];
  return { hidden: [...seen].filter((side) => !said.has(side)).sort(), claimed: [...said].filter((side) => !seen.has(side)).sort() };
};

const sides = ({ path, change, from }: ChangedPath): string[] =>
  change === 'renamed' && from !== undefined ? [`deleted ${from}`, `added ${path}`] : [`${change} ${path}`];
