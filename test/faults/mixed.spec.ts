import { writeFileSync, writeSync } from 'node:fs';
import { allKinds, type Kind } from './run/kinds.js';
import { PLANTS, type Plant } from './run/product-copy.js';
import { reportText } from './run/report.js';
import { runFaults } from './run/run-faults.js';

// `npm run faults` sets these; a plain test run is short, and each time another.
const MINUTES = Number(process.env['FAULT_MINUTES'] ?? 0.4);
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const KINDS = (process.env['FAULT_KINDS']?.split(',').filter((kind) => kind !== 'none') ?? allKinds) as Kind[];
const PLANT = process.env['FAULT_PLANT'] as Plant | undefined;
const JSON_FILE = process.env['FAULT_JSON'];

describe(`Servers and their database under everything that can go wrong (FAULT_SEED=${SEED})`, () => {
  it(
    'lose nothing that was acknowledged, do nothing twice, and come to the same end',
    async () => {
      const unknown = KINDS.filter((kind) => !allKinds.includes(kind));
      if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}. Name some of ${allKinds.join(', ')}.`);
      if (PLANT && !Object.hasOwn(PLANTS, PLANT))
        throw new Error(`There is no planted bug ${PLANT}. Name one of ${Object.keys(PLANTS).join(', ')}.`);
      // Past Jest, which holds back what a test prints until it has ended.
      const tell = (line: string) => void (JSON_FILE !== undefined && writeSync(1, `${line}\n`));
      const report = await runFaults({ minutes: MINUTES, seed: SEED, kinds: KINDS, ...(PLANT && { plant: PLANT }), tell });
      tell(reportText(report));
      if (JSON_FILE !== undefined) writeFileSync(JSON_FILE, `${JSON.stringify(report, null, 2)}\n`);
      expect(report.violations).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(0);
    },
    MINUTES * 60_000 + 600_000,
  );
});
