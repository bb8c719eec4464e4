import { holdsHiddenCharacters } from './hidden-characters.js';

describe('Text on a card', () => {
  it.each([
    ['a right-to-left override', 'abc\u202edef'],
    ['a zero-width space', 'ab\u200bc'],
    ['a zero-width joiner between letters', 'a\u200db'],
    ['a byte order mark', '\ufeffabc'],
    ['a soft hyphen', 'ab\u00adc'],
    ['tag characters', 'abc\u{e0041}'],
    ['joiners that join no emoji', '©\u200d\ufe0f\u200d\u200d'],
  ])('with %s warns', (_, text) => expect(holdsHiddenCharacters({ nested: [text] })).toBe(true));

  it.each(['plain', 'Ünïcödé', '\u05d0\u05d1\u05d2', '👩‍👩‍👧 ❤️ 👍🏽 👩🏽‍🚀 🏳️‍🌈 🧑🏿‍❤️‍💋‍🧑🏻', 'tab\tand\nline'])('like %s does not', (text) =>
    expect(holdsHiddenCharacters(text)).toBe(false),
  );
});
