import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, exitLike, fail, ROOT } from './prepare.mjs';

// npm run faults -- --minutes N [--seed S] [--kinds a,b] [--plant fence] [--json FILE]: a long run of faults under load, and what the checker says.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kinds: { type: 'string' },
    plant: { type: 'string' },
    json: { type: 'string' },
  },
});
if (!(Number(values.minutes) > 0) || !/^\d+$/.test(values.seed)) fail('Give --minutes a number above 0 and --seed a whole number.');
await ensureBuilt();
mkdirSync(join(ROOT, '.data'), { recursive: true });
Object.assign(process.env, {
  FAULT_MINUTES: values.minutes,
  FAULT_SEED: values.seed,
  FAULT_JSON: values.json ?? join(ROOT, '.data', `faults-${values.seed}.json`),
  ...(values.kinds && { FAULT_KINDS: values.kinds }),
  ...(values.plant && { FAULT_PLANT: values.plant }),
});
await exitLike(['node_modules/jest/bin/jest.js', 'test/faults/mixed', '--selectProjects', 'db', '--runInBand', '--silent=false']);
