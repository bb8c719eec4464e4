import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const PLACES = ['test/eventstoredb', 'libs/event-store/src/eventstoredb', 'libs/event-store/src/postgres', 'libs/kernel/src/testing'];
const sources = new Map(
  PLACES.flatMap((place) =>
    readdirSync(path.join(root, place))
      .filter((file) => /\.spec\.ts$|-contract\.ts$/.test(file))
      .map((file) => [file.replace(/(?:\.db)?(?:\.spec)?\.ts$/, ''), readFileSync(path.join(root, place, file), 'utf8')] as const),
  ),
);
const rows = readFileSync(path.join(root, 'docs/stores.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| (?<number>\d+b?) +\| (?<trap>.*?) +\| (?<tests>.*?) *\|$/.exec(line)?.groups)
  .filter((row) => row !== undefined);

describe('The traps that docs/stores.md lists', () => {
  it('are ten', () => expect(new Set(rows.map(({ number }) => parseInt(number!)))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])));

  it.each(rows.map(({ number, trap, tests }) => [number!, trap!, tests!]))(
    'have tests of the names that it gives: %s, %s',
    (_, __, tests) => {
      let file = '';
      let named = 0;
      for (const [, of, name] of tests.matchAll(/`([\w-]+)`: |"([^"]+)"/g)) {
        if (of !== undefined) file = of;
        else {
          named++;
          expect([file, sources.get(file)]).toEqual([file, expect.stringContaining(name!)]);
        }
      }
      expect(named).toBeGreaterThan(0);
    },
  );
});
