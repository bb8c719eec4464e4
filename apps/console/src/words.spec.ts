import { age, commandLine, left } from './words.js';
import { parseRoute } from './route.js';

describe('A time', () => {
  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000 + 5 * 60_000, '1 h 05 min'],
    [49 * 3_600_000, '2 d 1 h'],
    [-5000, '0 s'],
  ])('of %d ms ago reads %s', (ms, words) => expect(age(ms)).toBe(words));
  it.each([
    [0, 'Time is up'],
    [-1, 'Time is up'],
    [1, '0:01 left'],
    [299_001, '5:00 left'],
    [3_600_000, '1 h 00 min left'],
  ])('with %d ms left reads %s', (ms, words) => expect(left(ms)).toBe(words));
});

describe('A command', () => {
  it('shows where its words end', () => {
    expect(commandLine(['npm', 'test', '--', '--grep=a b'])).toBe("npm test -- '--grep=a b'");
    expect(commandLine(['node', '-e', "exit('now')"])).toBe(`node -e "exit('now')"`);
    expect(commandLine(['echo', "it's $5"])).toBe(`echo 'it'\\''s $5'`);
    expect(commandLine(['printf', ''])).toBe("printf ''");
  });
  it('stays as it is where it is one string', () => expect(commandLine('a  && b')).toBe('a  && b'));
});

describe('An address', () => {
  it.each([
    ['', { page: 'inbox' }],
    ['#/inbox/a%2Fb', { page: 'inbox', id: 'a/b' }],
    ['#/work', { page: 'work' }],
    ['#/receipts/r', { page: 'receipts', id: 'r' }],
    ['#/nowhere/x', { page: 'inbox' }],
    ['#/inbox/%', { page: 'inbox', id: '%' }],
  ])('%s leads to its page', (hash, route) => expect(parseRoute(hash)).toEqual(route));
});
