import { code, codeAround, prose, type Piece } from './visible.js';

const ghosts = (pieces: Piece[]): string[] => pieces.filter(({ kind }) => kind === 'ghost').map(({ text }) => text);
const foreign = (pieces: Piece[]): string[] => pieces.filter(({ kind }) => kind === 'foreign').map(({ text }) => text);

describe('Text that others wrote', () => {
  it('is left alone where every character can be seen', () => {
    const text = 'Plain words,\nan é, 日本語, العربية, and <b>markup</b>.';
    expect(prose(text)).toEqual([{ kind: 'text', text }]);
  });

  it.each([
    ['a right-to-left override', 'a\u202Eb', 'U+202E'],
    ['an isolate', 'a\u2066b', 'U+2066'],
    ['a zero-width space', 'a\u200Bb', 'U+200B'],
    ['a zero-width joiner between letters', 'a\u200Db', 'U+200D'],
    ['a soft hyphen', 'a\u00ADb', 'U+00AD'],
    ['a byte order mark', 'a\uFEFFb', 'U+FEFF'],
    ['a Hangul filler', 'a\u3164b', 'U+3164'],
    ['a tag character', 'a\u{E0041}b', 'U+E0041'],
    ['a variation selector on a letter', 'a\uFE0Fb', 'U+FE0F'],
    ['a no-break space', 'a\u00A0b', 'U+00A0'],
    ['an escape', 'a\u001Bb', 'U+001B'],
    ['a private character', 'a\uE000b', 'U+E000'],
    ['half a character', 'a\uD83Db', 'U+D83D'],
  ])('writes out %s', (_, text, point) => {
    expect(ghosts(prose(text))).toEqual([point]);
    expect(ghosts(code(text))).toEqual([point]);
  });

  it('names what it writes out', () =>
    expect(prose('\u202E')).toEqual([{ kind: 'ghost', text: 'U+202E', name: 'right-to-left override' }]));
  it('counts a run of the same', () => expect(ghosts(prose(`a${'\u200B'.repeat(500)}b\u200B`))).toEqual(['U+200B ×500', 'U+200B']));
  it('keeps emoji whole', () => expect(ghosts(prose('👩‍💻 👩🏽‍🚀 🏳️‍🌈 ❤️'))).toEqual([]));
  it('writes out marks that pile up on a letter', () => expect(ghosts(prose('e\u0301\u0302\u0303\u0304'))).toEqual(['U+0303', 'U+0304']));
});

describe('A command or path', () => {
  it('is left alone where it is plain ASCII', () => expect(code('npm run lint -- --max-warnings 0')).toHaveLength(1));
  it('tells apart what is not ASCII', () => expect(foreign(code('src/аpp.ts'))).toEqual(['а']));
  it('tells apart white space that hides', () => expect(ghosts(code(' a  b '))).toEqual(['U+0020', 'U+0020 ×2', 'U+0020']));
  it('shows a second line as one', () => {
    expect(code('echo one\nrm two')).toEqual([
      { kind: 'text', text: 'echo one' },
      { kind: 'ghost', text: 'U+000A', name: 'line feed' },
      { kind: 'text', text: '\nrm two' },
    ]);
  });
  it('tells emoji parts apart too', () => expect(ghosts(code('👩‍💻'))).toEqual(['U+200D']));
});

describe('A span within a command', () => {
  const joined = (pieces: Piece[]): string => pieces.map(({ text }) => text).join('');

  it('is told apart from what stands around it, and nothing is lost', () => {
    const [before, marked, after] = codeAround('git push --force origin', { start: 9, end: 16 });
    expect([before, marked, after].map(joined)).toEqual(['git push ', '--force', ' origin']);
  });

  it('judges each character in its place in the whole: a space at its edge hides nothing', () => {
    for (const part of codeAround('a b c', { start: 1, end: 4 })) expect(ghosts(part)).toEqual([]);
    expect(ghosts(codeAround('a  b', { start: 0, end: 2 })[0])).toEqual([]);
    expect(codeAround('a  b', { start: 0, end: 2 }).flatMap(ghosts)).toEqual(['U+0020', 'U+0020']);
  });

  it('may hold what hides', () => {
    expect(ghosts(codeAround('a \u202Erm b', { start: 2, end: 5 })[1])).toEqual(['U+202E']);
  });

  it.each([
    ['empty', { start: 2, end: 2 }],
    ['past the end', { start: 1, end: 99 }],
    ['backwards', { start: 2, end: 1 }],
  ])('that is %s leaves the text whole', (_, span) => {
    expect(codeAround('rm x', span).map(joined).join('')).toBe('rm x');
  });
});
