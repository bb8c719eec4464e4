import { createRequire } from 'node:module';
import { collect, runTests } from './tests.mjs';

const require = createRequire(import.meta.url);
/** Between the spec files of a run, which all run in one process. */
const found = (globalThis[Symbol.for('mutants')] ??= { alive: new Map(), results: [], faults: [] });
/** More than that in one test is an endless loop. */
const MOST_HITS = 100_000;

/**
 * Jest's runner of one spec file. First each test runs as it is, and it is seen which mutants it comes by; then, for each mutant that
 * lives still, the tests that come by it run with it, until one fails. What runs while files are loaded has them loaded again.
 */
export default async function run(_global, config, environment, runtime, path) {
  const { global } = environment;
  let live = -1;
  let hits = new Set();
  let count = 0;
  global.__mutant = (id) => {
    hits.add(id);
    if (id !== live) return false;
    if (++count > MOST_HITS) throw new Error('It never ends.');
    return true;
  };
  global.expect = runtime.requireInternalModule(require.resolve('@jest/expect')).jestExpect;
  const load = () => {
    const tests = collect(global);
    runtime.requireModule(path);
    return tests;
  };

  let tests;
  try {
    tests = load();
  } catch (fault) {
    found.faults.push({ path, test: 'It does not load.', fault: String(fault?.stack ?? fault) });
    throw fault;
  }
  const atLoad = hits;
  const byTest = new Map();
  const report = await runTests(tests, {
    before: () => (hits = new Set()),
    after: (test, fault) => {
      byTest.set(test, hits);
      if (fault) found.faults.push({ path, test: test.name, fault: String(fault?.stack ?? fault) });
    },
    inHooks: (test, seen) => byTest.set(test, new Set([...(byTest.get(test) ?? []), ...seen])),
    hits: () => hits,
  });

  const started = Date.now();
  for (const mutant of [...found.alive.values()]) {
    const static_ = atLoad.has(mutant.id);
    const passing = [...byTest].filter(([, seen]) => static_ || seen.has(mutant.id)).map(([test]) => test);
    if (passing.length === 0) continue;
    mutant.reached = true;
    live = mutant.id;
    count = 0;
    const killer = await killerOf(mutant, static_, passing);
    live = -1;
    if (killer === undefined) continue;
    found.alive.delete(mutant.id);
    mutant.killedBy = killer;
  }
  if (process.env['MUTANTS_PROGRESS']) process.stderr.write(`${path} ${Date.now() - started} ms, ${found.alive.size} live\n`);
  found.results.push({ path, tests: report.count, ms: Date.now() - started });
  return emptyResult(path, report.count);

  async function killerOf(mutant, static_, passing) {
    let subject = tests;
    if (static_) {
      forget(runtime, config.rootDir);
      try {
        subject = load();
      } catch {
        return `${config.rootDir ? path.slice(config.rootDir.length + 1) : path} does not load`;
      }
    }
    const names = new Set(passing.map(({ name }) => name));
    let killer;
    await runTests(subject, {
      only: ({ name }) => names.has(name),
      before: () => {},
      after: (test, fault) => {
        if (fault) killer ??= test.name;
        return fault === undefined;
      },
    });
    return killer;
  }
}

/** Our own modules are loaded anew, what lies in node_modules is not: it has no mutants, and takes long. */
const forget = (runtime, root) => {
  const registry = runtime.registries?.getActiveCjsRegistry?.();
  if (!registry) return runtime.resetModules();
  for (const path of [...registry.keys()]) if (path.startsWith(`${root}/libs/`)) registry.delete(path);
};

const emptyResult = (testFilePath, numPassingTests) => ({
  leaks: false,
  numFailingTests: 0,
  numPassingTests,
  numPendingTests: 0,
  numTodoTests: 0,
  openHandles: [],
  perfStats: {
    start: 0,
    end: 0,
    runtime: 0,
    slow: false,
    loadTestEnvironmentStart: 0,
    loadTestEnvironmentEnd: 0,
    setupAfterEnvStart: 0,
    setupAfterEnvEnd: 0,
    setupFilesStart: 0,
    setupFilesEnd: 0,
  },
  skipped: false,
  snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
  testFilePath,
  testResults: [],
});
