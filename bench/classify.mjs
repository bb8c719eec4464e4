import { readFileSync } from 'node:fs';
import path from 'node:path';
import { below, compete, figureRow, quantile, ratioRow } from './harness.mjs';
import { ensurePeers, startPeer } from './peers.mjs';
import { ROOT } from '../scripts/prepare.mjs';

const { classifyShell } = await import('../dist/libs/permissions/src/index.js');
const CORPUS = path.join(ROOT, 'libs/permissions/corpus/adversarial.jsonl');

/**
 * `classify`: the whole verdict on each command of our corpus, against tree-sitter's parse of the same text alone, which is what others build
 * on (a tree that is thrown away). Both in WebAssembly or JavaScript, in one process each, warm.
 */
export const run = async ({ rounds, quick, say }) => {
  ensurePeers();
  const commands = readFileSync(CORPUS, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).command);
  const peer = await startPeer('tree-sitter.mjs', JSON.stringify(commands));
  const passes = quick ? 5 : 30;
  const slowest = [];
  try {
    const contestants = {
      workbench: () => {
        const took = classifyAll(commands, passes);
        slowest.push(quantile(took, 0.99));
        return (took.reduce((sum, each) => sum + each, 0) / took.length) * 1_000;
      },
      'tree-sitter parse': () => peer.ask({ passes }),
    };
    for (const measure of Object.values(contestants)) await measure();
    slowest.length = 0;
    const values = await compete(contestants, rounds, say);
    return [
      ratioRow({
        what: 'classify a shell command',
        unit: 'µs a command',
        values,
        ours: 'workbench',
        against: 'tree-sitter parse',
        bar: below(1),
      }),
      figureRow({ what: 'classify a shell command, p99', unit: 'ms', values: { p99: slowest }, of: 'p99', bar: below(1, ' ms') }),
    ];
  } finally {
    await peer.stop();
  }
};

/** Milliseconds of each. */
const classifyAll = (commands, passes) => {
  const took = [];
  for (let pass = 0; pass < passes; pass++)
    for (const command of commands) {
      const began = performance.now();
      classifyShell(command);
      took.push(performance.now() - began);
    }
  return took;
};
