import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT, ensureBuilt, fail } from './prepare.mjs';

// npm run eval:shell -- FILE…: recall, misses, false prompts, blocked safe commands, latency.
const files = process.argv.slice(2);
if (files.length === 0) fail('Name a corpus: npm run eval:shell -- FILE.jsonl', 2);
const from = process.env.INIT_CWD ?? process.cwd();
process.chdir(ROOT);
await ensureBuilt();
const { classifyShell } = await import('../dist/libs/permissions/src/shell/classify-shell.js');
const { evaluate, report } = await import('../dist/libs/permissions/src/evaluation/evaluate.js');

/** The fastest of several runs: what the work takes, whatever else the machine does meanwhile. */
const RUNS = 5;
const timed = (command) => {
  let micros = Infinity;
  let verdict;
  for (let run = 0; run < RUNS; run++) {
    const start = process.hrtime.bigint();
    verdict = classifyShell(command);
    micros = Math.min(micros, Number(process.hrtime.bigint() - start) / 1000);
  }
  return { verdict, micros };
};
for (const file of files) {
  const rows = readFileSync(resolve(from, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
  for (const { command } of rows) classifyShell(command);
  process.stdout.write(`${file}\n${report(evaluate(rows, timed))}\n`);
}
