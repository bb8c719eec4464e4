import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, ensureBuilt, fail } from './prepare.mjs';

// npm run classify -- 'command': explains one. npm run classify -- --jsonl FILE: for each line {"command": …} one line
// {command, tier, ladder, reason, span, effects, grantable, micros}, in the same order; blank lines are passed over.
const [first, second] = process.argv.slice(2);
if (first === undefined || (first === '--jsonl' && second === undefined))
  fail("Say what to classify: npm run classify -- 'command', or npm run classify -- --jsonl FILE.", 2);
const from = process.env.INIT_CWD ?? process.cwd();
process.chdir(ROOT);
await ensureBuilt();
const { classifyShell } = await import('../dist/libs/permissions/src/shell/classify-shell.js');
const { explain, lineOf } = await import('../dist/libs/permissions/src/evaluation/explain.js');

/** The faster of two runs: what the judgement takes, whatever else the machine does meanwhile. */
const timed = (command) => {
  let micros = Infinity;
  let verdict;
  for (let run = 0; run < 2; run++) {
    const start = process.hrtime.bigint();
    verdict = classifyShell(command);
    micros = Math.min(micros, Number(process.hrtime.bigint() - start) / 1000);
  }
  return { verdict, micros };
};

/** The commands of a file, or the end of the process with a sentence that names the line. Nothing is written before all lines are read. */
const commandsIn = async (file) => {
  const commands = [];
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      line++;
      if (text.trim() === '') continue;
      let row;
      try {
        row = JSON.parse(text);
      } catch {
        fail(`Line ${line} of ${file} is not JSON.`);
      }
      if (typeof row?.command !== 'string') fail(`Line ${line} of ${file} has no text as its command.`);
      commands.push(row.command);
    }
  } catch (error) {
    fail(`${file} cannot be read: ${error.message}`);
  }
  return commands;
};

if (first === '--jsonl') {
  const commands = await commandsIn(resolve(from, second));
  process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  for (const command of commands.slice(0, 2000)) classifyShell(command);
  for (const command of commands) {
    const { verdict, micros } = timed(command);
    if (!process.stdout.write(`${JSON.stringify(lineOf(command, verdict, micros))}\n`))
      await new Promise((drained) => process.stdout.once('drain', drained));
  }
} else process.stdout.write(explain(first, classifyShell(first)));
