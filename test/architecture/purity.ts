import { dirname } from 'node:path';

export type Module = Readonly<{ source: string; dependencies: readonly Readonly<{ resolved: string; coreModule: boolean }>[] }>;
export type Violation = Readonly<{ rule: string; from: string; to: string }>;

/**
 * Deciders and all that they are made of: the files of their own library that they reach. Those hold the business rules, so
 * none may import a clock, a random source, I/O or a framework, nor an infrastructure library.
 */
export const impurities = (modules: readonly Module[]): Violation[] => {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  const pure = new Set(modules.map(({ source }) => source).filter((source) => /^libs\/.*\.decider\.ts$/.test(source)));
  for (const source of pure)
    for (const { resolved } of bySource.get(source)?.dependencies ?? []) if (libraryOf(resolved) === libraryOf(source)) pure.add(resolved);

  return [...pure].flatMap((from) =>
    (bySource.get(from)?.dependencies ?? [])
      .filter(({ resolved, coreModule }) => coreModule || !(pure.has(resolved) || isContextIndex(resolved)))
      .map(({ resolved }) => ({ rule: 'pure-deciders', from, to: resolved })),
  );
};

const INFRASTRUCTURE = ['postgres', 'event-store', 'projections', 'http'];
const isContextIndex = (path: string): boolean => {
  const library = libraryOf(path);
  return library !== undefined && !INFRASTRUCTURE.includes(library) && path === `libs/${library}/src/index.ts`;
};
const libraryOf = (path: string): string | undefined => /^libs\/([^/]+)\//.exec(`${dirname(path)}/`)?.[1];
