import type { Plant } from './run/product-copy.js';
import { runFaults } from './run/run-faults.js';

/** With fewer faults, so that most of the time goes to what the bug would spoil. */
const KINDS = ['cut'] as const;

describe('A run on a product whose guard was taken out', () => {
  it.each<[Plant, string, string[]]>([
    ['fence', 'a write under a lost lease is stored', ['stale-fence']],
    ['decision', 'a proposal is decided twice', ['one-decision']],
  ])(
    'finds that without the guard of the %s, %s',
    async (plant, _, rules) => {
      const report = await runFaults({ minutes: 2, seed: 1, kinds: KINDS, plant, width: 8 });
      expect(report.foundAfterMs).toBeDefined();
      expect(report.violations.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules));
    },
    600_000,
  );
});
