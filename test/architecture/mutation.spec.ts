import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');

describe('The mutants of the deciders', () => {
  it('change each guard, boundary, literal, event and field, one at a time', () => {
    const text = [
      'const decide = (n: number, held?: { by: string }) => {',
      "  if (n < 3 && !held) return accept({ type: 'Taken', data: { n } });",
      "  return refuse('conflict', 'task/taken', 'Somebody has it.');",
      '};',
    ].join('\n');
    const script = `
      import { mutate } from './test/mutation/mutate.mjs';
      process.stdout.write(JSON.stringify(mutate(${JSON.stringify(text)}, 'some.ts').mutants.map(({ line, what }) => line + ': ' + what)));
    `;
    const mutants = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }),
    ) as string[];
    expect(mutants).toEqual([
      '2: n < 3 && !held → true',
      '2: n < 3 && !held → false',
      '2: n < 3 && !held → n < 3',
      '2: n < 3 && !held → !held',
      '2: n < 3 → n <= 3',
      '2: n < 3 → n >= 3',
      '2: 3 → 4',
      '2: !held → held',
      "2: accept without { type: 'Taken', data: { n } }",
      "2: without type: 'Taken' in { type: 'Taken', data: { n } }",
      "2: without data: { n } in { type: 'Taken', data: { n } }",
      "2: 'Taken' → ''",
      '2: without n in { n }',
      "3: 'conflict' → ''",
      "3: 'task/taken' → ''",
    ]);
  });
});
