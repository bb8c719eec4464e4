/** Why a text is refused; `offset` counts UTF-16 units from the start, `pointer` is the value concerned. */
export class JsonFault extends Error {
  constructor(
    readonly code: JsonFaultCode,
    readonly detail: string,
    readonly pointer: string,
    readonly offset: number,
  ) {
    super(code);
  }
}

export type JsonFaultCode =
  | 'json/malformed'
  | 'json/duplicate-key'
  | 'json/unsafe-number'
  | 'json/prototype-key'
  | 'json/nul'
  | 'json/lone-surrogate'
  | 'json/too-deep';

/** How many arrays and objects may lie in each other. */
export const MAX_DEPTH = 32;

/** One strict pass over a JSON text (RFC 8259). Throws the first JsonFault, in the order of the text. */
export const scanJson = (text: string): void => {
  let at = 0;
  const path: (string | number)[] = [];

  const fail = (code: JsonFaultCode, detail: string, offset = at): never => {
    throw new JsonFault(code, detail, pointerTo(path), offset);
  };
  const malformed = (): never => fail('json/malformed', at >= text.length ? 'The text ends too early.' : 'This is not JSON.');

  const skipSpace = (): void => {
    for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; code = text.charCodeAt(at)) at++;
  };
  const take = (word: string): void => {
    for (const char of word) {
      if (text[at] !== char) malformed();
      at++;
    }
  };

  const string = (): string => {
    const start = at++;
    let escaped = false;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      if (!(code >= 32)) malformed();
      at++;
      if (code !== BACKSLASH) continue;
      escaped = true;
      if (text[at] === 'u') {
        at++;
        for (let digit = 0; digit < 4; digit++, at++) if (!isHex(text.charCodeAt(at))) malformed();
      } else if ('"\\/bfnrt'.includes(text[at] ?? ' ')) at++;
      else malformed();
    }
    at++;
    const value = escaped ? (JSON.parse(text.slice(start, at)) as string) : text.slice(start + 1, at - 1);
    if (!value.isWellFormed()) fail('json/lone-surrogate', 'A text holds half of a surrogate pair. Send whole characters.', start);
    if (value.includes('\0')) fail('json/nul', 'A text holds the character NUL. Leave it out.', start);
    return value;
  };

  const number = (): void => {
    NUMBER.lastIndex = at;
    const literal = NUMBER.exec(text)?.[0];
    if (literal === undefined) return malformed();
    if (!isExact(literal)) fail('json/unsafe-number', 'This number does not survive as a 64-bit float. Send it as a string.');
    at += literal.length;
  };

  const enter = (depth: number): void => {
    if (depth > MAX_DEPTH) fail('json/too-deep', `Arrays and objects may lie in each other at most ${MAX_DEPTH} deep.`);
    at++;
    skipSpace();
  };
  /** Whether another item follows; takes the comma or the closing bracket. */
  const another = (close: string): boolean => {
    skipSpace();
    const char = text[at];
    if (char !== ',' && char !== close) malformed();
    at++;
    return char === ',';
  };

  const array = (depth: number): void => {
    enter(depth);
    if (text[at] === ']') return void at++;
    let index = 0;
    do {
      path.push(index++);
      value(depth);
      path.pop();
    } while (another(']'));
  };

  const object = (depth: number): void => {
    enter(depth);
    if (text[at] === '}') return void at++;
    const owner = path.at(-1);
    const keys = new Set<string>();
    do {
      skipSpace();
      if (text[at] !== '"') malformed();
      const offset = at;
      const key = string();
      path.push(key);
      if (keys.has(key)) fail('json/duplicate-key', 'This key occurs twice. Send it once.', offset);
      if (key === '__proto__' || (owner === 'constructor' && key === 'prototype'))
        fail('json/prototype-key', 'This key would reach into prototypes. Choose another.', offset);
      keys.add(key);
      skipSpace();
      take(':');
      value(depth);
      path.pop();
    } while (another('}'));
  };

  const value = (depth: number): void => {
    skipSpace();
    switch (text[at]) {
      case '{':
        return object(depth + 1);
      case '[':
        return array(depth + 1);
      case '"':
        return void string();
      case 't':
        return take('true');
      case 'f':
        return take('false');
      case 'n':
        return take('null');
      default:
        return number();
    }
  };

  value(0);
  skipSpace();
  if (at < text.length) malformed();
};

/** RFC 6901, each part cut to 100 characters: a pointer is for people and logs, and a key may fill a whole body. */
export const pointerTo = (path: readonly (string | number)[], base = ''): string =>
  base + path.map((part) => `/${shorten(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const shorten = (part: string): string => (part.length > 100 ? `${part.slice(0, 100).toWellFormed()}…` : part);

const QUOTE = 34;
const BACKSLASH = 92;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const isHex = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

/** Whether reading and writing the number again gives the same number, and every reader can hold it. */
const isExact = (literal: string): boolean => {
  const value = Number(literal);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return normalise(literal) === normalise(String(value));
};

/** The digits that count and the power of ten they stand before. */
const normalise = (literal: string): string => {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === '0') first++;
  let last = digits.length;
  while (last > first && digits[last - 1] === '0') last--;
  if (first === last) return '0';
  return `${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`;
};
