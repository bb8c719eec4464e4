/** A stretch of text: as it is, an invisible character written out, or one that looks like ASCII but may not be. */
export type Piece = { kind: 'text' | 'ghost' | 'foreign'; text: string; name?: string };
type Span = { start: number; end: number };

const NAMES: Record<string, string> = {
  '0009': 'tab',
  '000A': 'line feed',
  '000D': 'carriage return',
  '001B': 'escape',
  '0020': 'space',
  '00A0': 'no-break space',
  '00AD': 'soft hyphen',
  '061C': 'Arabic letter mark',
  '200B': 'zero-width space',
  '200C': 'zero-width non-joiner',
  '200D': 'zero-width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '2028': 'line separator',
  '2029': 'paragraph separator',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '202F': 'narrow no-break space',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  '3000': 'ideographic space',
  '3164': 'Hangul filler',
  FEFF: 'byte order mark',
};

// All that draws nothing or changes how its neighbours are drawn; marks beyond the second on one letter bury the line above.
const unseen = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u1680\u00A0\u2000-\u200A\u202F\u205F\u2800\u3000]|(?<=\p{M}\p{M})\p{M}`;
// In an emoji these two are part of the picture.
const inEmoji = String.raw`(?<=\p{Emoji})\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)\u200D(?=\p{Extended_Pictographic})`;
const PROSE = new RegExp(String.raw`(?<plain>${inEmoji})|(?<ghost>${unseen}|[\u0000-\u0008\u000B-\u001F\u007F-\u009F])`, 'gu');
const CODE = new RegExp(
  String.raw`(?<ghost>${unseen}|[\u0000-\u001F\u007F-\u009F]|^ +| +$| {2,})|(?<foreign>[^\u0000-\u007F]+?(?=[\u0000-\u007F]|${unseen}|$))`,
  'gu',
);

/** Prose: newlines and emoji stay as they are; every other character that cannot be seen is written out. */
export const prose = (text: string): Piece[] => split(text, PROSE);
/** Commands, paths, names: by character; what is not ASCII is told apart, and so is white space that hides. */
export const code = (text: string): Piece[] => split(text, CODE);

/** As `code`, in three: before the span, what it holds, and after it. Each character is judged in its place in the whole. */
export const codeAround = (text: string, { start, end }: Span): [Piece[], Piece[], Piece[]] => {
  const bounds = [0, start, Math.max(start, end), text.length];
  return [0, 1, 2].map((part) => split(text, CODE, bounds[part], bounds[part + 1])) as [Piece[], Piece[], Piece[]];
};

/** Of the pieces of the whole text, those from one place to another. */
const split = (text: string, pattern: RegExp, first = 0, last = text.length): Piece[] => {
  const pieces: Piece[] = [];
  const push = (kind: Piece['kind'], start: number, end: number): void => {
    const part = text.slice(Math.max(start, first), Math.min(end, last));
    const before = pieces.at(-1);
    if (part === '' || end <= first) return;
    if (kind === 'ghost') pieces.push(...ghosts(part));
    else if (kind === 'text' && before?.kind === 'text') before.text += part;
    else pieces.push({ kind, text: part });
  };
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    push('text', from, match.index);
    from = match.index + match[0].length;
    push(match.groups?.ghost !== undefined ? 'ghost' : match.groups?.foreign !== undefined ? 'foreign' : 'text', match.index, from);
  }
  push('text', from, text.length);
  return pieces.reduce(merged, []);
};

const ghosts = (text: string): Piece[] =>
  [...text].flatMap((character) => {
    const point = hex(character);
    const ghost: Piece = { kind: 'ghost', text: `U+${point}`, name: NAMES[point] };
    return character === '\n' ? [ghost, { kind: 'text', text: '\n' }] : [ghost];
  });
const hex = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

// Five hundred of the same are one mark with a count.
const merged = (pieces: Piece[], piece: Piece): Piece[] => {
  const last = pieces.at(-1);
  const before = last?.kind === 'ghost' ? /^(U\+[0-9A-F]+)(?: ×(\d+))?$/.exec(last.text) : null;
  if (piece.kind === 'ghost' && before?.[1] === piece.text) {
    pieces[pieces.length - 1] = { ...piece, text: `${piece.text} ×${Number(before[2] ?? 1) + 1}` };
  } else pieces.push(piece);
  return pieces;
};
