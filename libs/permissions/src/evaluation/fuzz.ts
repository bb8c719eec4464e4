/** A small generator of numbers that look random and are the same for the same seed. */
export const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
};

const PIECES = [
  ...[
    'ls',
    'rm',
    'git',
    'find',
    'sed',
    'awk',
    'curl',
    'bash',
    'sh',
    'xargs',
    'env',
    'eval',
    'docker',
    'kubectl',
    'echo',
    'printf',
    'tar',
    'chmod',
    'sudo',
    'psql',
  ],
  ...[
    '-rf',
    '-c',
    '-e',
    '-exec',
    '-delete',
    '--',
    '--output=',
    '-',
    '--help',
    '-X',
    '-i',
    '{}',
    '+',
    '\\;',
    '/',
    '/*',
    '~',
    '*',
    '.',
    '..',
    '.env',
    '$HOME',
  ],
  ...[
    '$(',
    ')',
    '`',
    '${',
    '}',
    '"',
    "'",
    "$'",
    '$"',
    '\\',
    '\\\n',
    '$((',
    '))',
    '[[',
    ']]',
    '[',
    ']',
    '((',
    '{',
    '}',
    '(',
    ')',
    '<(',
    '>(',
    '${ ',
    '${!x}',
    '${x@P}',
  ],
  ...[
    '|',
    '||',
    '&&',
    '&',
    ';',
    ';;',
    '\n',
    '<',
    '>',
    '>>',
    '<<EOF\n',
    'EOF\n',
    '<<<',
    '2>&1',
    '&>',
    '>|',
    '<>',
    '{fd}>',
    '!',
    '#',
    '=',
    '+=',
    ',',
  ],
  ...[
    'if',
    'then',
    'else',
    'elif',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'while',
    'until',
    'case',
    'esac',
    'function',
    'select',
    'coproc',
    'time',
    'f()',
    'x=',
    'a[0]=',
    'x=(',
    '$x',
    '"$@"',
  ],
  ...[
    'é',
    '\u200b',
    '\u00a0',
    '\u202e',
    '😀',
    '\t',
    '\r',
    '\u0001',
    '\u0005',
    '{a,b}',
    '{1..9}',
    '?(a)',
    '@(',
    's/a/b/w f',
    '{print > "f"}',
    'DROP TABLE x',
    "';",
  ],
];

/** Some text that has much of a shell command and may be none. */
export const someCommand = (below: (n: number) => number, seeds: readonly string[]): string => {
  if (seeds.length > 0 && below(2) === 0) return mutated(seeds[below(seeds.length)]!, below);
  let text = '';
  for (let count = 1 + below(24); count > 0; count--) text += PIECES[below(PIECES.length)]! + (below(3) === 0 ? '' : ' ');
  return below(40) === 0 ? text.repeat(1 + below(200)) : text;
};

const mutated = (seed: string, below: (n: number) => number): string => {
  let text = seed;
  for (let count = 1 + below(5); count > 0; count--) {
    const at = below(text.length + 1);
    const piece = PIECES[below(PIECES.length)]!;
    const kind = below(4);
    if (kind === 0) text = text.slice(0, at) + piece + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + below(4));
    else if (kind === 2) text = text.slice(0, at) + piece + text.slice(at + piece.length);
    else text = text.slice(at) + text.slice(0, at);
  }
  return text;
};

/** Inputs that are made to take long: deep, wide, repetitive, just below the limit. */
export const HARD: readonly string[] = [
  '('.repeat(8000),
  '$('.repeat(5000),
  '`'.repeat(9000),
  '"$('.repeat(4000),
  '${x:-'.repeat(3000),
  '{'.repeat(16_000),
  '{a,b}'.repeat(3000),
  `echo ${'{a,b}'.repeat(12)}`,
  `echo ${'{1..9}'.repeat(8)}`,
  'a|'.repeat(8000),
  'ls;'.repeat(5000),
  `${'x=$x$x;'.repeat(2000)} $x`,
  `x=a;${'x=$x$x;'.repeat(3)}${'$x '.repeat(2000)}`,
  Array.from({ length: 900 }, (_, i) => `v${i}=$v${Math.max(0, i - 1)}$v${Math.max(0, i - 1)}`).join(';') + ';$v899',
  `for a in ${'x '.repeat(32)};do for b in ${'y '.repeat(32)};do for c in ${'z '.repeat(32)};do $a $b $c;done;done;done`,
  `bash -c ${"'bash -c ".repeat(1000)}`,
  `eval ${'eval '.repeat(3000)}`,
  `eval "${'$(echo '.repeat(1500)}`,
  `sed '${'s/a/b/;'.repeat(2200)}' f`,
  `awk '${'{print $1}'.repeat(1500)}' f`,
  `awk '${'/'.repeat(16_000)}' f`,
  `sed '${'/a/,/b/{'.repeat(1900)}' f`,
  `psql -c "${"select 'x';".repeat(1400)}"`,
  `psql -c "${'/*'.repeat(7000)}"`,
  `python3 -c '${'"rm -rf /" '.repeat(1400)}'`,
  `python3 -c '${'["rm",'.repeat(2500)}'`,
  `fzf --bind '${'a:execute('.repeat(1500)}'`,
  `find . ${'-exec '.repeat(2500)}`,
  `find . ${'-exec ls {} ; '.repeat(1000)}`,
  `xargs ${'xargs '.repeat(2500)}`,
  `env ${'env '.repeat(3500)}`,
  `timeout 1 ${'timeout 1 '.repeat(1500)}ls`,
  `strace ${'strace '.repeat(2200)}`,
  `parallel ls ::: ${'x '.repeat(7000)}`,
  `cat ${'<<A '.repeat(3000)}`,
  `cat ${'< <(cat '.repeat(1800)}`,
  `echo ${'*'.repeat(16_000)}`,
  `cat .${'*e'.repeat(7000)}`,
  `rm -rf ${'../'.repeat(5000)}`,
  `echo "${'\\'.repeat(16_000)}"`,
  `f(){ ${'f|f&'.repeat(3000)}};f`,
  `git ${'-c a=b '.repeat(1900)}log`,
  `curl ${'https://a.b/ '.repeat(1200)}`,
  `${'a=1 '.repeat(3800)}ls`,
  `x=${'a'.repeat(190)};${'${x##*a*a*a*a*b} '.repeat(700)}`,
  `(( ${'('.repeat(7000)}1`,
  `[[ ${'( '.repeat(7000)}`,
  `echo ${'a\\\n'.repeat(5000)}`,
  '<<EOF\n $( -delete{a,b}" '.repeat(66),
  '<<EOF\n $( -delete{a,b}" '.repeat(8),
  'echo x=0gLXJmIC8= | base64 -d | sh',
  'é'.repeat(8000),
  '\u200b'.repeat(5000),
];
