type Range = readonly [from: number, to: number];

/** Characters that a screen swallows, reorders or shows as something else. Line breaks and tabs are none of them. */
const KINDS: readonly (readonly [what: string, ranges: readonly Range[]])[] = [
  [
    'a control character',
    [
      [0x00, 0x08],
      [0x0b, 0x1f],
      [0x7f, 0x9f],
    ],
  ],
  [
    'a character that changes the direction of text',
    [
      [0x061c, 0x061c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
  ],
  [
    'an invisible character',
    [
      [0x00ad, 0x00ad],
      [0x034f, 0x034f],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180f],
      [0x200b, 0x200d],
      [0x2060, 0x2065],
      [0x206a, 0x206f],
      [0x2800, 0x2800],
      [0x3164, 0x3164],
      [0xfe00, 0xfe0f],
      [0xfeff, 0xfeff],
      [0xffa0, 0xffa0],
      [0xfff0, 0xfffb],
      [0x1d173, 0x1d17a],
      [0xe0000, 0xe0fff],
    ],
  ],
  [
    'a space that is not a space to the shell',
    [
      [0x00a0, 0x00a0],
      [0x1680, 0x1680],
      [0x2000, 0x200a],
      [0x2028, 0x2029],
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
    ],
  ],
  ['half of a character', [[0xd800, 0xdfff]]],
];

/** What is odd about a character; undefined if anybody can see it. */
export const oddity = (code: number): string | undefined => {
  if (code === 0x09 || code === 0x0a || (code >= 0x20 && code < 0x7f)) return undefined;
  return KINDS.find(([, ranges]) => ranges.some(([from, to]) => code >= from && code <= to))?.[0];
};

/** As people write it: `U+200B`. */
export const codeOf = (code: number): string => `U+${hex(code)}`;

export const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');
