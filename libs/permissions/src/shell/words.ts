import { parse, type BraceExpansionPart, type DoubleQuotedChild, type Word, type WordPart } from 'unbash';
import { expandBraces } from './brace.js';
import { expandParameter } from './parameters.js';
import { type Choices, type Expansion, type Field, type Scope } from './scope.js';
import { CWD, DESCRIPTOR, HOME, NUMBER, sourceOf, spanOf, textAt, UNKNOWN, type Run, type Source, type Text } from './text.js';
import { type Span } from '../verdict.js';

/** The words that bash makes of one word: braces, expansions, splitting. Patterns stay patterns. */
export const fieldsOf = (word: Word, scope: Scope, choices: Choices, source = scope.source): Field[] => {
  if (word.parts?.some((part) => part.type === 'BraceExpansion')) return braced(word, scope, choices, source);
  const building = start(source.origin(word.pos, word.end));
  addWord(building, word, scope, choices, source);
  return finish(building);
};

/** The word as one text: the value of an assignment, the target of a redirection, the body of a heredoc. */
export const textOf = (
  word: Word | { parts?: readonly WordPart[] | undefined; text: string; pos: number; end: number },
  scope: Scope,
  choices: Choices,
  source = scope.source,
): Field => {
  const building = start(source.origin(word.pos, word.end));
  building.whole = true;
  if ('type' in word && word.type === 'Word') addWord(building, word, scope, choices, source);
  else if (word.parts) for (const part of word.parts) addPart(building, part, scope, choices, source, true);
  else put(building, word.text, source.origin(word.pos, word.end), true);
  building.open = true;
  return finish(building)[0]!;
};

const braced = (word: Word, scope: Scope, choices: Choices, source: Source): Field[] => {
  const span = source.origin(word.pos, word.end);
  const texts = scope.report.effort > 0 ? expandBraces(word.text) : undefined;
  // Each of them is read again, with all that it holds.
  scope.report.effort -= (texts?.length ?? 1) * (1 + (word.text.length >> 2));
  if (!texts) return [{ ...textAt(UNKNOWN, span), certain: false, glob: false, splits: true }];
  return texts.flatMap((text) => {
    const parsed = parse(`: ${text}`).commands[0]?.command;
    const one = parsed?.type === 'Command' ? parsed.args[0] : undefined;
    if (one?.type !== 'Word') return text === '' ? [] : [{ ...textAt(text, span), certain: true, glob: false, splits: false }];
    const inner: Source = { text: `: ${text}`, origin: () => span };
    if (one.parts?.some((part): part is BraceExpansionPart => part.type === 'BraceExpansion'))
      return [{ ...textAt(UNKNOWN, span), certain: false, glob: false, splits: true }];
    return fieldsOf(one, scope, choices, inner);
  });
};

type Building = {
  readonly span: Span;
  readonly done: Field[];
  value: string;
  runs: Run[];
  certain: boolean;
  glob: boolean;
  splits: boolean;
  /** Something of the present word was there, if only empty quotes. */
  open: boolean;
  /** No splitting: all of it is one text. */
  whole: boolean;
};

const start = (span: Span): Building => ({
  span,
  done: [],
  value: '',
  runs: [],
  certain: true,
  glob: false,
  splits: false,
  open: false,
  whole: false,
});

const put = (building: Building, value: string, span: Span, quoted: boolean): void => {
  if (value !== '' || quoted) building.open = true;
  if (value === '') return;
  building.runs.push({ at: building.value.length, from: span.start, to: span.end });
  building.value += value;
};

const close = (building: Building): void => {
  if (building.open) {
    const { value, runs, certain, glob, splits, span } = building;
    building.done.push({ value, runs: runs.length > 0 ? runs : [{ at: 0, from: span.start, to: span.end }], certain, glob, splits });
  }
  Object.assign(building, { value: '', runs: [], certain: true, glob: false, splits: false, open: false });
};

const finish = (building: Building): Field[] => {
  close(building);
  return building.done;
};

const addWord = (building: Building, word: Word, scope: Scope, choices: Choices, source: Source): void => {
  if (word.parts) for (const part of word.parts) addPart(building, part, scope, choices, source, false);
  else literal(building, word.text, source, word.pos, word.end, false);
};

/** Unquoted text: escapes are taken off, a tilde at the beginning is a home. */
const literal = (building: Building, text: string, source: Source, pos: number, end: number, quoted: boolean): void => {
  if (quoted) {
    const value = unescape(text, /[\\$`"\n]/);
    put(building, value, source.origin(pos, end), true);
    return;
  }
  let from = 0;
  const tilde = !building.open && building.value === '' ? /^~([A-Za-z_][\w.-]*|[+-])?(?=\/|$)/.exec(text) : null;
  if (tilde) {
    put(building, tilde[1] === '+' ? CWD : tilde[1] === '-' ? UNKNOWN : HOME, source.origin(pos, pos + tilde[0].length), true);
    from = tilde[0].length;
  }
  const rest = text.slice(from);
  if (!rest.includes('\\')) put(building, rest, source.origin(pos + from, end), rest !== '');
  else {
    // Each escape is a run of its own, so that every character keeps its place.
    let at = 0;
    for (const match of rest.matchAll(/\\([\s\S]?)/g)) {
      put(building, rest.slice(at, match.index), source.origin(pos + from + at, pos + from + match.index), false);
      const escaped = match[1] === '\n' ? '' : match[1] === '' ? '\\' : match[1]!;
      put(building, escaped, source.origin(pos + from + match.index, pos + from + match.index + match[0].length), match[1] !== '\n');
      at = match.index + match[0].length;
    }
    put(building, rest.slice(at), source.origin(pos + from + at, end), false);
  }
};

const unescape = (text: string, which: RegExp): string =>
  text.includes('\\')
    ? text.replace(/\\([\s\S])/g, (whole, letter: string) => (letter === '\n' ? '' : which.test(letter) ? letter : whole))
    : text;

/** The marks are ours: where an escape made one it is just an odd character. Written as such, a guard has seen it already. */
// eslint-disable-next-line no-control-regex
const unmarked = (value: string): string => value.replace(/[\u0000-\u0004]/g, '\ufffd');

const addPart = (
  building: Building,
  part: WordPart | DoubleQuotedChild,
  scope: Scope,
  choices: Choices,
  source: Source,
  quoted: boolean,
): void => {
  const span = source.origin(part.pos, part.end);
  switch (part.type) {
    case 'Literal':
      if (quoted && part.value.length === part.text.length) put(building, part.value, span, true);
      else literal(building, part.text, source, part.pos, part.end, quoted);
      return;
    case 'SingleQuoted':
      put(building, part.value, inner(span, part.value.length, 1), true);
      return;
    case 'AnsiCQuoted':
      put(
        building,
        unmarked(part.value.includes('\0') ? part.value.slice(0, part.value.indexOf('\0')) : part.value),
        inner(span, part.value.length, 2),
        true,
      );
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      building.open = true;
      for (const child of part.parts) addPart(building, child, scope, choices, source, true);
      return;
    case 'Glob':
      building.glob = true;
      put(building, part.text, span, true);
      return;
    case 'ExtendedGlob':
      building.glob = true;
      put(building, `${UNKNOWN}*`, span, true);
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      addExpansion(building, expandParameter(part, scope, choices, source), span, quoted, scope);
      return;
    case 'CommandExpansion': {
      const text = part.script
        ? scope.engine.output(part.script, {
            ...scope,
            source: part.script.source === undefined ? source : { text: part.script.source, origin: () => span },
          })
        : undefined;
      addExpansion(
        building,
        text ? { kind: 'text', text, certain: false } : { kind: 'text', text: textAt(UNKNOWN, span), certain: true },
        span,
        quoted,
        scope,
      );
      return;
    }
    case 'ArithmeticExpansion':
      put(building, NUMBER, span, true);
      return;
    case 'ProcessSubstitution':
      put(building, DESCRIPTOR, span, true);
      return;
    case 'BraceExpansion':
      put(building, part.text, span, true);
      return;
    default:
      put(building, UNKNOWN, span, true);
      building.certain = false;
  }
};

/** The piece between its quotes, if it is written there letter by letter. */
const inner = (span: Span, length: number, opening: number): Span =>
  span.end - span.start === length + opening + 1 ? { start: span.start + opening, end: span.end - 1 } : span;

const addExpansion = (building: Building, expansion: Expansion, span: Span, quoted: boolean, scope: Scope): void => {
  if (expansion.kind === 'list') {
    // "${a[@]}": the first joins what stands before it, the last what follows.
    if (!quoted || expansion.fields.length > 0) building.open = true;
    for (const [index, field] of expansion.fields.entries()) {
      if (index > 0 && !building.whole) close(building);
      else if (index > 0) put(building, ' ', span, true);
      addText(building, field, true);
      building.certain &&= expansion.certain && field.certain;
      building.glob ||= field.glob;
    }
    return;
  }
  building.certain &&= expansion.certain;
  if (quoted || building.whole) return addText(building, expansion.text, true);
  const { text } = expansion;
  const { value } = text;
  if (expansion.glob ?? /[*?[]/.test(value)) building.glob = true;
  let at = 0;
  for (const gap of value.matchAll(separators(scope))) {
    addText(building, piece(text, at, gap.index), gap.index > at);
    const { certain } = building;
    close(building);
    building.certain = certain && expansion.certain;
    at = gap.index + gap[0].length;
  }
  addText(building, piece(text, at, value.length), at < value.length);
  if (value.includes(UNKNOWN)) building.splits = true;
};

/** Spaces, and whatever else the script makes split words. */
const separators = (scope: Scope): RegExp => {
  const own =
    scope.variables.definitions.get('IFS')?.flatMap((definition) => (definition.kind === 'word' ? [definition.word.value] : [])) ?? [];
  const extra = own.join('').replace(/[^!-~]|[\\\]^-]/g, '');
  return extra === '' ? /[ \t\n]+/g : new RegExp(`[ \\t\\n${extra}]+`, 'g');
};

const piece = (text: Text, from: number, to: number): Text => {
  if (from === 0 && to === text.value.length) return text;
  const origin = sourceOf(text).origin(from, to);
  return textAt(text.value.slice(from, to), origin);
};

const addText = (building: Building, text: Text, quoted: boolean): void => {
  if (quoted) building.open = true;
  for (const run of text.runs) building.runs.push({ ...run, at: run.at + building.value.length });
  building.value += text.value;
  if (text.value !== '') building.open = true;
};

export const spanOfFields = (fields: readonly Field[]): Span | undefined =>
  fields.length === 0
    ? undefined
    : { start: Math.min(...fields.map((field) => spanOf(field).start)), end: Math.max(...fields.map((field) => spanOf(field).end)) };
