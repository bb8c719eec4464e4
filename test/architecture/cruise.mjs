import { cruise } from 'dependency-cruiser';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ruleSet } from './rules.mjs';

// A program of its own, since dependency-cruiser is ESM only. Prints {modules, violations} of the tree in argv[2] as JSON.
const baseDir = process.argv[2];
const libraries = readdirSync(join(baseDir, 'libs'));
const alias = Object.fromEntries([
  ['#libs/kernel/testing$', join(baseDir, 'libs/kernel/src/testing/index.ts')],
  ...libraries.map((name) => [`#libs/${name}$`, join(baseDir, `libs/${name}/src/index.ts`)]),
]);
const folders = readdirSync(baseDir).filter((name) => ['apps', 'libs', 'test'].includes(name));
const { output } = await cruise(
  folders,
  {
    baseDir,
    validate: true,
    ruleSet,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|apps/console)/' },
  },
  {
    alias,
    extensions: ['.ts', '.mjs', '.js', '.json'],
    extensionAlias: { '.js': ['.ts', '.js'] },
    conditionNames: ['import', 'node', 'default'],
  },
);
const modules = output.modules.map(({ source, dependencies }) => ({
  source,
  dependencies: dependencies.map(({ resolved, coreModule, couldNotResolve }) => ({ resolved, coreModule, couldNotResolve })),
}));
const violations = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
process.stdout.write(JSON.stringify({ modules, violations }));
