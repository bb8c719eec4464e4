/** A stretch of a text that stayed, or that only this side has. */
export type Stretch = { text: string; changed: boolean };
export type Diff = { before: Stretch[]; after: Stretch[] };

// Past this the table of comparisons would be felt; such texts are shown as replaced whole, which is never wrong.
const MOST_CELLS = 12_000_000;
// Below this share in common, marking single words is confetti.
const LEAST_COMMON = 0.3;

/** Word by word, what went and what came. Joining either side's stretches gives that side back, character for character. */
export const diffWords = (before: string, after: string): Diff => {
  const a = words(before);
  const b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = common(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const inA = new Set(middle.map(([i]) => i + start));
  const inB = new Set(middle.map(([, j]) => j + start));
  const stays = (set: Set<number>, all: string[]) => (i: number) => i < start || i >= all.length - end || set.has(i);
  const left = stretches(a, stays(inA, a));
  const right = stretches(b, stays(inB, b));
  const longer = Math.max(before.length, after.length);
  const kept = left.reduce((sum, stretch) => sum + (stretch.changed ? 0 : stretch.text.trim().length), 0);
  return longer > 0 && kept / longer < LEAST_COMMON ? { before: whole(before), after: whole(after) } : { before: left, after: right };
};

const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
const whole = (text: string): Stretch[] => (text === '' ? [] : [{ text, changed: true }]);

const stretches = (tokens: string[], stays: (i: number) => boolean): Stretch[] => {
  const result: Stretch[] = [];
  tokens.forEach((text, i) => {
    const changed = !stays(i);
    const last = result.at(-1);
    if (last?.changed === changed) last.text += text;
    else result.push({ text, changed });
  });
  return result.flatMap(withoutEdges);
};

// The blank beside a changed word belongs to the sentence; marked, it is a sliver that says nothing.
const withoutEdges = ({ text, changed }: Stretch): Stretch[] => {
  const [, start = '', middle = '', end = ''] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? [];
  if (!changed || middle === '') return [{ text, changed }];
  return [
    { text: start, changed: false },
    { text: middle, changed },
    { text: end, changed: false },
  ].filter((stretch) => stretch.text !== '');
};

/** Index pairs of a longest common subsequence. */
const common = (a: string[], b: string[]): [number, number][] => {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST_CELLS) return [];
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j] ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
};
