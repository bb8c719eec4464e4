import { fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt, fail } from '../scripts/prepare.mjs';
import { table } from './harness.mjs';
import { AREAS, optionsFrom } from './options.mjs';

// npm run bench [-- --only append,claim] [--rounds N] [--quick] [--tasks N]: see README.md. Each area runs in a process of its own, one after
// the other. What was measured replaces that area's part of results.json; --quick only shows that all works, and keeps nothing.
const RESULTS = path.join(import.meta.dirname, 'results.json');
const TABLE = path.join(import.meta.dirname, 'RESULTS.md');

const { areas, quick, ...options } = optionsFrom(process.argv.slice(2));
await ensureBuilt();

const measure = (area) =>
  new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'area.mjs'), [area, ...process.argv.slice(2)], { execArgv: ['--expose-gc'] });
    let rows;
    child.on('message', (message) => (rows = message));
    child.on('exit', (code) => (rows ? resolve(rows) : reject(new Error(`The bench "${area}" ended with ${code}.`))));
  });

const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
const keep = (area, measured) => {
  results[area] = measured;
  const inOrder = Object.fromEntries(AREAS.filter((each) => results[each]).map((each) => [each, results[each]]));
  writeFileSync(RESULTS, `${JSON.stringify(inOrder, undefined, 2)}\n`);
  writeFileSync(TABLE, page(inOrder));
};

const page = (measured) =>
  [
    '# What `npm run bench` measured',
    'Generated; what is measured, and how, stands in [README.md](README.md). A figure is the median over the rounds, with the least and the most in brackets.',
    ...Object.entries(measured).map(
      ([area, { at, machine, rounds, rows }]) => `## ${area}\n\n${at}, ${rounds} rounds, ${machine}\n\n${table(rows)}`,
    ),
  ].join('\n\n') + '\n';

const machine = () =>
  `Node ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0].model.trim()}, load ${os.loadavg()[0].toFixed(1)} before`;

const failed = [];
for (const area of areas) {
  const about = { at: `${new Date().toISOString().slice(0, 16)}Z`, machine: machine(), rounds: options.rounds };
  try {
    const rows = await measure(area);
    console.log(`\n${area}\n${table(rows)}`);
    if (!quick) keep(area, { ...about, rows });
  } catch (error) {
    failed.push(area);
    console.error(error.message);
  }
}
if (failed.length > 0) fail(`Not measured: ${failed.join(', ')}.`);
