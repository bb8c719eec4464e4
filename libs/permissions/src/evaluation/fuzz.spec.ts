import { classifyShell, NOT_JUDGED } from '../shell/classify-shell.js';
import { corpusCommands } from '../testing/corpora.js';
import { HARD, randomFrom, someCommand } from './fuzz.js';

const judged = (command: string): string => classifyShell(command).reason;

describe('Whatever text comes', () => {
  it('gets a verdict, and the same one the next time', () => {
    const below = randomFrom(42);
    const seeds = corpusCommands();
    const faults: string[] = [];
    for (let count = 0; count < 4000; count++) {
      const command = someCommand(below, seeds);
      const verdict = classifyShell(command);
      if (verdict.reason === '' || verdict.reason.startsWith(NOT_JUDGED)) faults.push(command);
      if (count % 50 === 0) expect(classifyShell(command)).toEqual(verdict);
    }
    expect(faults).toEqual([]);
  });

  it.each(HARD.map((command) => [command.slice(0, 40), command] as const))(
    'is judged without a fault, however hard: %s',
    (_name, command) => {
      const start = process.cpuUsage();
      expect(judged(command)).not.toMatch(new RegExp(`^${NOT_JUDGED}`));
      // The bar is 50 ms; a machine under load, and code that was never run before, get much more.
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500);
    },
  );

  it('is judged to its end, however much stands before what destroys, and refused where nobody could read it (A11)', () => {
    expect(classifyShell(`${'echo n; '.repeat(300)}rm -rf /`)).toMatchObject({ tier: 'destructive' });
    expect(classifyShell('echo n; '.repeat(300)).tier).not.toBe('destructive');
    expect(classifyShell('a'.repeat(1024 * 1024))).toMatchObject({ tier: 'dangerous', refused: true });
  });

  it.each([
    ['brackets that nobody closes', '>( @( x=( '.repeat(1000)],
    ['braces that nobody closes', '${a '.repeat(3000)],
    ['arithmetic that nobody closes, beside brackets that were never opened', '$(( '.repeat(1000) + ') '.repeat(2000)],
    ['far more commands than anybody reads', 'f|f&'.repeat(2000)],
  ])('is refused for %s', (_, command) => expect(classifyShell(command)).toMatchObject({ tier: 'dangerous', refused: true }));

  it('is judged where long text closes its brackets', () => {
    const closed = 'case x in a) echo $((1 + 1)); esac; (cd /tmp && ls); f() { ls "${HOME}"; }; ';
    expect(classifyShell(closed.repeat(100)).refused).toBeUndefined();
    expect(classifyShell(`${closed.repeat(100)}rm -rf /`)).toMatchObject({ tier: 'destructive' });
  });
});
