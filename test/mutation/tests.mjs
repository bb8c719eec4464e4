import { createRequire } from 'node:module';
import { clearTimeout, setTimeout } from 'node:timers';

const { bind } = createRequire(import.meta.url)('jest-each');

/** Gives `global` the words that specs are written in, and returns the tests that they collect. */
export const collect = (global) => {
  const root = { name: '', blocks: [], tests: [], beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
  let block = root;
  const named = (name) => [block.name, name].filter(Boolean).join(' › ');
  const describe = (name, body) => {
    const inner = { name: named(name), parent: block, blocks: [], tests: [], beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
    block.blocks.push(inner);
    block = inner;
    body();
    block = inner.parent;
  };
  const it = (name, body, ms = 60_000) => void block.tests.push({ name: named(name), body, ms, block });
  const skip = () => {};
  describe.each = bind(describe, false);
  it.each = bind(it, true);
  describe.skip = it.skip = skip;
  skip.each = () => skip;
  Object.assign(global, { describe, it, test: it });
  for (const hook of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll']) global[hook] = (body) => void block[hook].push(body);
  return root;
};

/**
 * Runs the tests that `only` chooses, with the hooks around them. `after(test, fault)` ends the run where it answers false; what hooks
 * do around many tests is told to each of them (`inHooks`).
 */
export const runTests = async (root, { only = () => true, before, after, inHooks, hits }) => {
  let count = 0;
  let over = false;
  const chosen = (block) => [...block.tests.filter(only), ...block.blocks.flatMap(chosen)];

  const runBlock = async (block, outerEach) => {
    const tests = chosen(block);
    if (tests.length === 0 || over) return;
    const each = { before: [...outerEach.before, ...block.beforeEach], after: [...block.afterEach, ...outerEach.after] };
    before();
    const broken = await faultOf(() => inOrder(block.beforeAll));
    const seen = hits?.();
    for (const test of broken ? tests : []) if (!over) over = after(test, broken) === false;
    for (const test of broken ? [] : block.tests.filter(only)) {
      if (over) break;
      count++;
      before();
      const fault = await faultOf(async () => {
        await inOrder(each.before);
        await within(test);
      });
      const afterwards = await faultOf(() => inOrder(each.after));
      over = after(test, fault ?? afterwards) === false;
    }
    if (!broken) for (const inner of block.blocks) await runBlock(inner, each);
    await faultOf(() => inOrder(block.afterAll));
    if (seen) for (const test of tests) inHooks?.(test, seen);
  };
  await runBlock(root, { before: [], after: [] });
  return { count };
};

const inOrder = async (bodies) => {
  for (const body of bodies) await body();
};

const faultOf = async (work) => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error ?? new Error('It failed without saying why.');
  }
};

const within = async ({ body, ms }) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${ms} ms.`)), ms);
  });
  try {
    await Promise.race([body.length > 0 ? new Promise((done, fail) => body((fault) => (fault ? fail(fault) : done()))) : body(), late]);
  } finally {
    clearTimeout(timer);
  }
};
