/** A stretch of text: as it is, an invisible character written out, or one that looks like ASCII but may not be. */
export type Piece = { kind: 'text' | 'ghost' | 'foreign'; text: string; name?: string };

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

const split = (text: string, pattern: RegExp): Piece[] => {
  const pieces: Piece[] = [];
  const push = (kind: Piece['kind'], part: string): void => {
    const last = pieces.at(-1);
    if (part === '') return;
    if (kind === 'text' && last?.kind === 'text') last.text += part;
    else pieces.push({ kind, text: part });
  };
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    push('text', text.slice(from, match.index));
    from = match.index + match[0].length;
    if (match.groups?.ghost !== undefined) ghosts(match[0]).forEach((ghost) => pieces.push(ghost));
    else push(match.groups?.foreign === undefined ? 'text' : 'foreign', match[0]);
  }
  push('text', text.slice(from));
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
