import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** Guards that are taken out on purpose, to see that a run finds it: the built file, what stands there, and what is put in its place. */
export const PLANTS = {
  fence: ['libs/work/src/leases/fence.js', '!isHeld(state) || state.lease.fence !== fence', '!isHeld(state)'],
  decision: ['libs/proposals/src/confirmations/decision.js', "if (state.status !== 'pending')", "if (state.status === 'none')"],
} as const;
export type Plant = keyof typeof PLANTS;

export type ProductCopy = Readonly<{ main: string; mainWithClockOff: string; remove(): void }>;

/** The built product in a place of its own, so that a build beside does not change it under a run; with a bug, where one is planted. */
export const copyProduct = (plant?: Plant): ProductCopy => {
  const cache = path.join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(path.join(cache, 'faults-'));
  cpSync(path.join(root, 'dist'), path.join(directory, 'dist'), { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(directory, 'package.json'));
  cpSync(path.join(root, 'test/faults/clock-off.mjs'), path.join(directory, 'test/faults/clock-off.mjs'));
  if (plant !== undefined) {
    const [file, guard, without] = PLANTS[plant];
    const target = path.join(directory, 'dist', file);
    const code = readFileSync(target, 'utf8');
    if (!code.includes(guard)) throw new Error(`${file} has no ${guard} to take out.`);
    writeFileSync(target, code.replaceAll(guard, without));
  }
  return {
    main: path.join(directory, 'dist/apps/server/src/main.js'),
    mainWithClockOff: path.join(directory, 'test/faults/clock-off.mjs'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
