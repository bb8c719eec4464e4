import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { impurities, type Module, type Violation } from './purity.js';

const ROOT = join(__dirname, '../..');

const cruised = (baseDir: string): readonly Violation[] => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(__dirname, 'cruise.mjs'), baseDir], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  const { modules, violations } = JSON.parse(stdout) as { modules: Module[]; violations: Violation[] };
  if (modules.length === 0) throw new Error(`Nothing to judge in ${baseDir}.`);
  return [...violations, ...impurities(modules)];
};

const RULES: readonly (readonly [rule: string, sentence: string])[] = [
  ['no-cycles', 'has no cycles'],
  ['kernel-alone', 'lets the kernel stand alone'],
  ['kernel-plain', 'keeps frameworks, drivers and storage out of the kernel'],
  ['pure-deciders', 'keeps events, state and deciders pure'],
  ['meet-at-index', 'lets contexts meet at index.ts only'],
  ['nothing-imports-apps', 'lets nothing import an app'],
  ['direction', 'has imports in one direction only'],
  ['testing-in-tests', 'uses fixtures in tests only'],
];

describe('The code', () => {
  let found: readonly Violation[];
  beforeAll(() => {
    found = cruised(ROOT);
  }, 120_000);

  it.each(RULES)('%s: it %s', (rule) =>
    expect(found.filter((violation) => violation.rule === rule).map(({ from, to }) => `${from} → ${to}`)).toEqual([]),
  );
});

describe('A planted violation', () => {
  const PLANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'no-cycles': {
      'libs/work/src/one.ts': "import { two } from './two.js';\nexport const one = () => two;",
      'libs/work/src/two.ts': "import { one } from './one.js';\nexport const two = () => one;",
    },
    'kernel-alone': { 'libs/kernel/src/late.ts': "import { work } from '#libs/work';\nexport const late = work;" },
    'kernel-plain': { 'libs/kernel/src/table.ts': "import { Entity } from 'typeorm';\nexport const table = Entity;" },
    'pure-deciders': {
      'libs/work/src/lease.decider.ts': "import { dice } from './leases/dice.js';\nexport const decide = dice;",
      'libs/work/src/leases/dice.ts': "import { randomUUID } from 'node:crypto';\nexport const dice = randomUUID;",
    },
    'meet-at-index': { 'libs/audit/src/shortcut.ts': "import { inner } from '../../work/src/inner.js';\nexport const shortcut = inner;" },
    'nothing-imports-apps': { 'libs/work/src/up.ts': "import { main } from '../../../apps/server/src/main.js';\nexport const up = main;" },
    direction: { 'libs/work/src/back.ts': "import { audit } from '#libs/audit';\nexport const back = audit;" },
    'testing-in-tests': { 'libs/work/src/cheat.ts': "import { given } from './testing/given.js';\nexport const cheat = given;" },
  };
  const CLEAN: Readonly<Record<string, string>> = {
    'package.json': '{"type":"module"}',
    'apps/server/src/main.ts': "import { audit } from '#libs/audit';\nexport const main = audit;",
    'libs/kernel/src/index.ts': "import { createHash } from 'node:crypto';\nexport const kernel = createHash;",
    'libs/work/src/index.ts': "import { kernel } from '#libs/kernel';\nexport const work = kernel;\nexport { inner } from './inner.js';",
    'libs/work/src/inner.ts': 'export const inner = 1;',
    'libs/work/src/task.decider.ts': "import { kernel } from '#libs/kernel';\nexport const task = kernel;",
    'libs/work/src/testing/given.ts': 'export const given = 1;',
    'libs/audit/src/index.ts': "import { work } from '#libs/work';\nexport const audit = work;",
  };
  const cruisedWith = (files: Readonly<Record<string, string>>): readonly Violation[] => {
    const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
    try {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      return cruised(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  let planted: readonly Violation[];
  beforeAll(() => {
    planted = cruisedWith(Object.assign({}, CLEAN, ...Object.values(PLANTS)) as Record<string, string>);
  }, 60_000);

  it('is none in a clean tree', () => expect(cruisedWith(CLEAN)).toEqual([]), 60_000);
  it.each(RULES.map(([rule]) => rule))('of %s is found', (rule) =>
    expect(planted.filter((violation) => violation.rule === rule && violation.from in PLANTS[rule]!)).not.toEqual([]),
  );
  it('is found where it was planted, and nowhere else', () =>
    expect(planted.map(({ from }) => from).filter((from) => from in CLEAN)).toEqual([]));
});
