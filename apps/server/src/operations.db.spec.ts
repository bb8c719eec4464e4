import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startWorkbench, type Workbench } from '../../../test/support/workbench.js';

const root = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const document = read('docs/operations.md');

describe('The handbook for operators', () => {
  let bench: Workbench;
  beforeAll(async () => void (bench = await startWorkbench()));
  afterAll(() => bench.stop());

  it('explains every metric that there is, and none that there is not', async () => {
    const text = await (await fetch(`${bench.url}/metrics`)).text();
    const there = [...text.matchAll(/^# TYPE (workbench_\w+)/gm)].map(([, name]) => name!).sort();
    const explained = [...new Set([...document.matchAll(/`(workbench_[a-z_]+)`/g)].map(([, name]) => name!))].sort();
    expect(explained).toEqual(there);
    for (const name of there) expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
  });

  it('explains every setting that there is, and none that there is not', () => {
    const source = read('apps/server/src/settings.ts');
    const names = [...source.matchAll(/'([A-Z][A-Z_]{3,})'|\b(DATABASE_\w*URL)\b/g)].map(([, quoted, plain]) => (quoted ?? plain)!);
    const table = document.slice(document.indexOf('## Settings'), document.indexOf('## Sizing'));
    const explained = [...table.matchAll(/`([A-Z][A-Z_]{3,})`/g)].map(([, name]) => name!);
    expect(explained.toSorted()).toEqual([...new Set(names)].sort());
  });
});
