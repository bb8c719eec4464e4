import { existsSync, readFileSync } from 'node:fs';
import { ROOT, ensureBuilt, fail } from './prepare.mjs';

// npm run fuzz:shell -- [SECONDS] [SEED]: looks for an input that the classifier throws on, or that takes it too long.
const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
if (!(seconds > 0) || !Number.isInteger(seed)) fail('Give seconds and a whole number as the seed: npm run fuzz:shell -- 60 1', 2);
process.chdir(ROOT);
await ensureBuilt();
const { classifyShell, NOT_JUDGED } = await import('../dist/libs/permissions/src/shell/classify-shell.js');
const { HARD, randomFrom, someCommand } = await import('../dist/libs/permissions/src/evaluation/fuzz.js');

const corpus = 'libs/permissions/corpus/adversarial.jsonl';
const seeds = existsSync(corpus)
  ? readFileSync(corpus, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).command)
  : [];
const below = randomFrom(seed);
const slowest = { millis: 0, command: '' };
let count = 0;
const faults = [];
const run = (command) => {
  count++;
  let millis = Infinity;
  // The fastest of three: a pause of the machine is not the classifier's.
  for (let attempt = 0; attempt < 3 && millis > 20; attempt++) {
    const start = process.hrtime.bigint();
    const { reason } = classifyShell(command);
    millis = Math.min(millis, Number(process.hrtime.bigint() - start) / 1e6);
    if (reason.startsWith(NOT_JUDGED) && faults.length < 20) faults.push(`${reason} ${JSON.stringify(command)}`);
  }
  if (millis > slowest.millis) Object.assign(slowest, { millis, command });
};
for (const command of HARD) run(command);
const until = Date.now() + seconds * 1000;
while (Date.now() < until) for (let i = 0; i < 100; i++) run(someCommand(below, seeds));
process.stdout.write(
  [
    `${count} inputs in ${seconds} s, seed ${seed}`,
    `faults: ${faults.length}`,
    ...faults,
    `slowest: ${slowest.millis.toFixed(1)} ms for ${JSON.stringify(slowest.command.slice(0, 120))}`,
    '',
  ].join('\n'),
);
process.exitCode = faults.length > 0 || slowest.millis > 50 ? 1 : 0;
