import { classifyShell } from '../shell/classify-shell.js';
import { bashParses, hasBash, probed } from '../testing/bash.js';
import { corpusCommands } from '../testing/corpora.js';
import { randomFrom, someCommand } from './fuzz.js';

const withBash = hasBash() ? describe : describe.skip;
const refusedAsText = (reason: string): boolean => reason.startsWith('It does not parse');

/** What bash accepts and the grammar here does not: each is asked about, so the difference costs a question and no safety. */
const UNREAD_HERE: readonly string[] = [];

withBash('What bash itself says of a command', () => {
  const commands = corpusCommands().filter((command) => !command.includes('\0') && command.isWellFormed());

  it('agrees on the corpora: what does not parse never runs alone, and what parses is read', () => {
    const unread: string[] = [];
    for (const command of commands) {
      const { tier, reason } = classifyShell(command);
      // Of the others there is nothing that the two could differ about.
      if (tier !== 'safe' && !refusedAsText(reason)) continue;
      if (!bashParses(command)) expect({ command, tier }).not.toMatchObject({ tier: 'safe' });
      else if (refusedAsText(reason)) unread.push(command);
    }
    expect(unread).toEqual(UNREAD_HERE);
  });

  it('agrees on random texts: what does not parse never runs alone', () => {
    const below = randomFrom(20_260_101);
    const wrong: string[] = [];
    for (let count = 0; count < 2500; count++) {
      const command = someCommand(below, commands);
      if (command.includes('\0') || classifyShell(command).tier !== 'safe') continue;
      // `{ ls; time }`: the grammar takes the brace for the end of the group, bash for a word. Either way nothing but ls runs.
      if (!bashParses(command) && !/\btime\s+[)}]/.test(command)) wrong.push(command);
    }
    expect(wrong).toEqual([]);
  });
});

/** Words in every way of writing them, of which bash makes the same whatever the machine. */
const WORDS = [
  'a',
  'b-c',
  "'d e'",
  '"f g"',
  "$'h\\ti'",
  '\\j\\ k',
  'l"m"\'n\'',
  '{o,p}',
  'q{1..3}r',
  '$x',
  '"$x"',
  '${x}y',
  '${x:-z}',
  '${x#v}',
  '${x%e}',
  '${x/a/o}',
  '${x:1:2}',
  '${x^^}',
  '"$(echo s t)"',
  '$(echo s t)',
  "$(printf '%s-%s' u v)",
  '""',
  "''",
  '$empty',
  '"$empty"',
  '$two',
  '"$two"',
  '-n',
  '--',
  '--option=$x',
  '"${array[@]}"',
  '${array[1]}',
  '$(echo `echo w`)',
  "a'b'\"c\"$'d'",
  '\\$x',
  "'$x'",
  '"\\$x"',
  '#no',
  '~+x',
  'a=b',
];
const JOINS = ['; ', '\n', ' && ', ' || ', ' | '];
const SHAPES: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `{ ${command}; }`,
  (command) => `( ${command} )`,
  (command) => `if true; then ${command}; fi`,
  (command) => `for i in 1; do ${command}; done`,
  (command) => `! ${command}`,
  (command) => `${command} 2>/dev/null`,
];
const SETTING = "x='value'; empty=''; two='one two'; array=(e1 'e 2'); ";

withBash('What bash itself makes of words', () => {
  it('is what is judged here, in every command of a script', () => {
    const below = randomFrom(7);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
    const differ: unknown[] = [];
    for (let count = 0; count < 80; count++) {
      const command = (): string => pick(SHAPES)(`probe ${Array.from({ length: 1 + below(4) }, () => pick(WORDS)).join(' ')}`);
      const script = `${SETTING}${command()}${Array.from({ length: 5 }, () => `${pick(JOINS)}${command()}`).join('')}`;
      const seen = new Set(classifyShell(script).segments.map(({ constraints }) => JSON.stringify(constraints.exact?.slice(1))));
      for (const words of probed(script)) if (!seen.has(JSON.stringify(words))) differ.push({ script, words, seen: [...seen] });
    }
    expect(differ).toEqual([]);
  });
});
