import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyShell } from './shell/classify-shell.js';

const FILE = join(__dirname, '../../../../shared/cases/public-bugs.json');
type Case = Readonly<{ id: string; input: string; expect: string }>;

/** Inputs of the list are commands, except where they are told in words: those have tests of their own. */
const commands = (): Case[] => {
  const { entries } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    entries: { id: string; area: string; cases: { input: string; expect: string }[] }[];
  };
  return entries
    .filter(({ area, id }) => area === 'A' && !['A14', 'A15', 'A16'].includes(id))
    .flatMap(({ id, cases }) => cases.map(({ input, expect }) => ({ id, input, expect })))
    .filter(({ input }) => !/^(with grant|approve_always|one 1 MiB|'echo n; ')/.test(input))
    .map((one) => ({ ...one, input: one.input.replace(' (platform=win32)', '') }));
};

const allowed = (expected: string): readonly string[] => {
  if (expected.startsWith('>=dangerous')) return ['dangerous', 'destructive'];
  if (expected.startsWith('safe or dangerous') || expected === 'not destructive') return ['safe', 'dangerous'];
  if (expected.startsWith('dangerous')) return ['dangerous'];
  return [expected.startsWith('destructive') ? 'destructive' : expected];
};

const reports = existsSync(FILE) ? describe : describe.skip;
reports(`What public bug reports ask of a classifier${existsSync(FILE) ? '' : ' (skipped: the list of reports is not here)'}`, () => {
  it.each((existsSync(FILE) ? commands() : []).map(({ id, input, expect: expected }) => [id, input, expected] as const))(
    '%s: `%s` is %s',
    (_id, input, expected) => expect(allowed(expected)).toContain(classifyShell(input).tier),
  );
});
