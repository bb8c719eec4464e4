// node bench/area.mjs <area> [--rounds N] [--quick] [--tasks N]: one area, in this very process (so `node --cpu-prof bench/area.mjs claim`
// profiles it). `npm run bench` starts one of these for each, and is told the rows.
import { ensureBuilt } from '../scripts/prepare.mjs';
import { table } from './harness.mjs';
import { optionsFrom } from './options.mjs';

const [area, ...flags] = process.argv.slice(2);
await ensureBuilt();
await import('reflect-metadata');
const { run } = await import(`./${area}.mjs`);
const rows = await run({ ...optionsFrom(flags), say: (line) => process.stderr.write(`  ${area}: ${line}\n`) });
if (process.send) process.send(rows, () => process.exit(0));
else {
  console.log(table(rows));
  process.exit(0);
}
