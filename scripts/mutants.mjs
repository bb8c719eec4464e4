import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import jestConfig from '../jest.config.js';
import { mutate } from '../test/mutation/mutate.mjs';
import { targets } from '../test/mutation/targets.mjs';
import { fail, ROOT } from './prepare.mjs';

// npm run mutants [-- --only task] [--killed] [--json]: each guard, boundary, event and field of the deciders is changed in turn,
// and a unit spec of the same library has to fail for it. Survivors are equivalent by the word of test/mutation/equivalent.json, or a fault.
const { runCLI } = createRequire(import.meta.url)('@jest/core');

const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1].split(',') : Object.keys(targets);
const unknown = only.filter((name) => !(name in targets));
if (unknown.length > 0) fail(`There is no ${unknown.join(', ')}. There are ${Object.keys(targets).join(', ')}.`, 2);
process.chdir(ROOT);

const mutants = new Map();
const firstIds = {};
const deciderOf = {};
for (const name of only)
  for (const file of targets[name]) {
    firstIds[file] = mutants.size;
    deciderOf[file] = name;
    for (const mutant of mutate(readFileSync(file, 'utf8'), file, mutants.size).mutants) mutants.set(mutant.id, mutant);
  }

// What is random kills by chance, so models don't count. The specs beside the rules, and those of their library's root.
const folders = new Set(Object.keys(firstIds).flatMap((file) => [dirname(file), file.split('/').slice(0, 3).join('/')]));
const cacheDirectory = mkdtempSync(join(tmpdir(), 'mutants-'));
const unit = jestConfig.projects.find(({ displayName }) => displayName === 'unit');
const [[pattern, [, swc]]] = Object.entries(unit.transform);
const config = {
  ...unit,
  rootDir: ROOT,
  roots: [...new Set([...folders].map((folder) => join(ROOT, folder.split('/').slice(0, 3).join('/'))))],
  testRegex: [...folders].map((folder) => `/${folder}/[^/]*(?<!\\.(?:db|arch|model))\\.spec\\.ts$`),
  transform: { [pattern]: [join(ROOT, 'test/mutation/transform.mjs'), { root: ROOT, firstIds, swc }] },
  testRunner: join(ROOT, 'test/mutation/runner.mjs'),
  testSequencer: join(ROOT, 'test/mutation/sequencer.mjs'),
  cacheDirectory,
  haste: { forceNodeFilesystemAPI: true },
};
const found = (globalThis[Symbol.for('mutants')] = { alive: new Map(mutants), results: [], faults: [] });
const started = Date.now();
const options = {
  config: JSON.stringify(config),
  runInBand: true,
  silent: true,
  reporters: [],
  watchman: false,
  cache: true,
  testTimeout: 60_000,
};
try {
  await runCLI({ ...options, _: [], $0: 'jest' }, [ROOT]);
} finally {
  rmSync(cacheDirectory, { recursive: true, force: true });
}

/** `{ "<key of a mutant>": "<why nobody can tell it from the original>" }`. */
const listed = JSON.parse(readFileSync('test/mutation/equivalent.json', 'utf8'));
const say = (line = '') => process.stdout.write(`${line}\n`);
const all = [...mutants.values()];
const survivors = all.filter(({ killedBy, key }) => !killedBy && !(key in listed));
for (const { file, line, what, reached } of survivors) say(`survived  ${file}:${line}  ${what}${reached ? '' : '  (no spec comes by)'}`);
if (args.includes('--killed'))
  for (const { file, line, what, killedBy } of all) if (killedBy) say(`killed    ${file}:${line}  ${what}  by: ${killedBy}`);
for (const { file, line, what, killedBy, key } of all)
  if (!killedBy && key in listed) say(`equivalent ${file}:${line}  ${what}: ${listed[key]}`);

const keys = new Map(all.map((mutant) => [mutant.key, mutant]));
const chosen = (key) => key.split(': ')[0] in firstIds;
const stale = Object.keys(listed).filter((key) => chosen(key) && (!keys.has(key) || keys.get(key).killedBy));
for (const key of stale)
  say(`not equivalent  ${key}  ${keys.has(key) ? `killed by: ${keys.get(key).killedBy}` : 'there is no such mutant any more'}`);
for (const { path, test, fault } of found.faults) say(`fails without a mutant  ${path}  ${test}\n${fault}`);

say();
say('| decider | mutants | killed | equivalent | survived | score |');
say('|---|---|---|---|---|---|');
for (const name of only) {
  const own = all.filter(({ file }) => deciderOf[file] === name);
  const killed = own.filter(({ killedBy }) => killedBy).length;
  const equivalent = own.filter(({ killedBy, key }) => !killedBy && key in listed).length;
  const score = ((100 * killed) / Math.max(1, own.length - equivalent)).toFixed(1);
  say(`| ${name} | ${own.length} | ${killed} | ${equivalent} | ${own.length - killed - equivalent} | ${score} % |`);
}
const tests = found.results.reduce((sum, result) => sum + result.tests, 0);
say();
say(`${all.length} mutants, ${tests} tests of ${found.results.length} spec files, ${Math.round((Date.now() - started) / 1000)} s`);
if (args.includes('--timing')) for (const { path, ms, tests } of found.results) say(`${ms} ms  ${tests} tests  ${path}`);
process.exitCode = survivors.length + stale.length + found.faults.length > 0 || tests === 0 ? 1 : 0;
