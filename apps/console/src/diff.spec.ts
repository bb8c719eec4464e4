import { diffWords, type Stretch } from './diff.js';

const join = (stretches: Stretch[]): string => stretches.map(({ text }) => text).join('');
const marked = (stretches: Stretch[]): string[] => stretches.filter(({ changed }) => changed).map(({ text }) => text);

describe('A before and after', () => {
  it('marks the words that went and came, and leaves the rest alone', () => {
    const diff = diffWords('Show the time under the title, rounded up.', 'Show the time beside the date, rounded up.');
    expect(marked(diff.before)).toEqual(['under', 'title']);
    expect(marked(diff.after)).toEqual(['beside', 'date']);
  });

  it('gives each side back character for character', () => {
    const before = 'one\n two\u202E  three 👩‍💻 \uD800 four';
    const after = ' zero one\ttwo three, five\n';
    const diff = diffWords(before, after);
    expect(join(diff.before)).toBe(before);
    expect(join(diff.after)).toBe(after);
  });

  it('marks nothing where nothing changed', () => {
    expect(marked(diffWords('same words', 'same words').after)).toEqual([]);
    expect(diffWords('', '')).toEqual({ before: [], after: [] });
  });

  it('marks a value that came or went whole', () => {
    expect(diffWords('', 'Ann').after).toEqual([{ text: 'Ann', changed: true }]);
    expect(diffWords('Ann', '').before).toEqual([{ text: 'Ann', changed: true }]);
  });

  it('shows texts with little in common as replaced, not as confetti', () => {
    const diff = diffWords('a cat sat on a mat by the door', 'we think the budget is a matter of trust');
    expect(diff.before).toHaveLength(1);
    expect(diff.after).toHaveLength(1);
  });

  it('shows texts too long to compare word by word as replaced', () => {
    const diff = diffWords('left word '.repeat(4000), 'right word '.repeat(4000));
    expect(join(diff.after)).toBe('right word '.repeat(4000));
    expect(diff.before.some(({ changed }) => changed)).toBe(true);
  });

  it('shows a change of white space only', () => {
    expect(marked(diffWords('a b c d', 'a  b c d').after)).toEqual(['  ']);
  });
});
