import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROOT, ensureBuilt, fail } from './prepare.mjs';

// npm run fuzz:shell -- [--seconds 60] [--seed N]: looks for an input that the classifier throws on, or that takes it too long.
const USAGE = 'Give seconds and a whole number as the seed: npm run fuzz:shell -- --seconds 60 --seed 1';
const options = () => {
  try {
    const { values, positionals } = parseArgs({
      options: { seconds: { type: 'string' }, seed: { type: 'string' } },
      allowPositionals: true,
    });
    return { seconds: Number(values.seconds ?? positionals[0] ?? 60), seed: Number(values.seed ?? positionals[1] ?? Date.now() % 2 ** 31) };
  } catch {
    return fail(USAGE, 2);
  }
};
const { seconds, seed } = options();
if (!(seconds > 0) || !Number.isInteger(seed)) fail(USAGE, 2);
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
  for (let attempt = 0; attempt < 4 && millis > 20; attempt++) {
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
    `slowest: ${slowest.millis.toFixed(1)} ms for ${slowest.command.length} characters: ${JSON.stringify(slowest.command.slice(0, 120))}`,
    '',
  ].join('\n'),
);
process.exitCode = faults.length > 0 || slowest.millis > 50 ? 1 : 0;
