import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT, ensureBuilt, fail } from './prepare.mjs';

// npm run classify -- 'command': explains one. npm run classify -- --jsonl FILE: a verdict a line for each line {command}.
const [first, second] = process.argv.slice(2);
if (first === undefined || (first === '--jsonl' && second === undefined))
  fail("Say what to classify: npm run classify -- 'command', or npm run classify -- --jsonl FILE.", 2);
const from = process.env.INIT_CWD ?? process.cwd();
process.chdir(ROOT);
await ensureBuilt();
const { classifyShell } = await import('../dist/libs/permissions/src/shell/classify-shell.js');
const { explain, lineOf } = await import('../dist/libs/permissions/src/evaluation/explain.js');

/** The fastest of a few runs, once everything is loaded: what the judgement takes, whatever else the machine does meanwhile. */
const timed = (command) => {
  let micros = Infinity;
  let verdict;
  for (let run = 0; run < 3; run++) {
    const start = process.hrtime.bigint();
    verdict = classifyShell(command);
    micros = Math.min(micros, Number(process.hrtime.bigint() - start) / 1000);
  }
  return { verdict, micros };
};

if (first === '--jsonl') {
  const commands = readFileSync(resolve(from, second), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const { command } = JSON.parse(line);
      if (typeof command !== 'string') fail(`Line ${index + 1} of ${second} has no command.`);
      return [command];
    });
  for (const command of commands) classifyShell(command);
  for (const command of commands) {
    const { verdict, micros } = timed(command);
    process.stdout.write(`${JSON.stringify(lineOf(command, verdict, micros))}\n`);
  }
} else process.stdout.write(explain(first, classifyShell(first)));
