import { type ParameterExpansionPart, type ParameterOperation, type SimpleExpansionPart } from 'unbash';
import { type Span } from '../verdict.js';
import { fitsPattern, hasGlob } from '../paths/secrets.js';
import { choose, type Choices, type Expansion, type Field, type Scope } from './scope.js';
import { concat, CWD, HOME, isKnown, NUMBER, textAt, UNKNOWN, type Source, type Text } from './text.js';
import { type Definition } from './variables.js';

const NUMBERS = new Set([
  '?',
  '#',
  '$',
  '!',
  'UID',
  'EUID',
  'PPID',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'EPOCHSECONDS',
  'COLUMNS',
  'LINES',
  'BASHPID',
  'SHLVL',
  'OPTIND',
]);
/** More values than this are not tried one by one. */
const MOST_VALUES = 32;
const MOST_DEFINITIONS = 4;
/** Variables made of variables made of variables. */
const MOST_STEPS = 16;
const LONGEST = 4096;

/** What `$x`, `${x…}` stands for, as far as the script itself says. */
export const expandParameter = (
  part: SimpleExpansionPart | ParameterExpansionPart,
  scope: Scope,
  choices: Choices,
  source: Source,
): Expansion => {
  const span = source.origin(part.pos, part.end);
  const unknown: Expansion = { kind: 'text', text: textAt(UNKNOWN, span), certain: true };
  if (part.type === 'SimpleExpansion') {
    const name = part.text.slice(1).replace(/\\\n/g, '');
    return element(name, valueOf(name, span, scope, choices), undefined, span) ?? unknown;
  }
  if (part.prefix === '#') return { kind: 'text', text: textAt(NUMBER, span), certain: true };
  if (part.prefix === '!' || part.operation?.type === 'Names' || part.operation?.type === 'Unknown') return unknown;
  const value = element(part.parameter, valueOf(part.parameter, span, scope, choices), part.index?.value, span);
  if (!part.operation) return value ?? unknown;
  return operated(value, part.operation, span, scope, choices, source) ?? unknown;
};

/** One element of an array: the first, unless an index says which. */
const element = (name: string, value: Expansion | undefined, index: string | undefined, span: Span): Expansion | undefined => {
  if (value?.kind !== 'list' || index === '@' || index === '*') return value;
  if (index === undefined && (name === '@' || name === '*')) return value;
  const field = /^\d+$/.test(index ?? '0') ? value.fields[Number(index ?? '0')] : undefined;
  return { kind: 'text', text: field ?? textAt(UNKNOWN, span), certain: value.certain };
};

const valueOf = (name: string, span: Span, scope: Scope, choices: Choices): Expansion | undefined => {
  const definitions = scope.variables.definitions.get(
    /^[1-9]\d*$/.test(name) && !scope.variables.definitions.has(name) ? '@' : name === '*' ? '@' : name,
  );
  const text = (value: string): Expansion => ({ kind: 'text', text: textAt(value, span), certain: true });
  if (!definitions) {
    if (NUMBERS.has(name)) return text(NUMBER);
    if (name === 'HOME') return text(HOME);
    if (name === 'PWD') return text(CWD);
    return name === 'IFS' ? text(' \t\n') : undefined;
  }
  if (definitions.length > MOST_DEFINITIONS || scope.variables.resolving.has(name) || scope.variables.resolving.size > MOST_STEPS)
    return undefined;
  if (--scope.report.effort < 0) return undefined;
  scope.variables.resolving.add(name);
  try {
    return fromDefinitions(name, definitions, span, scope, choices);
  } finally {
    scope.variables.resolving.delete(name);
  }
};

const fromDefinitions = (
  name: string,
  definitions: readonly Definition[],
  span: Span,
  scope: Scope,
  choices: Choices,
): Expansion | undefined => {
  const [only] = definitions;
  const inLoop = only!.kind === 'loop' && span.start >= only!.start && span.end <= only!.end;
  const certain =
    definitions.length === 1 &&
    (inLoop || (only!.certain && only!.kind !== 'loop' && only!.end <= span.start) || (name === '@' && only!.certain));
  const list = definitions.flatMap((definition) => listOf(definition, name, scope, choices));
  if (list.length > 0) {
    if (name !== '@' && !/^[1-9]\d*$/.test(name)) return { kind: 'list', fields: list, certain };
    if (/^[1-9]\d*$/.test(name)) {
      const field = list[Number(name) - 1];
      return field ? { kind: 'text', text: field, certain: certain && field.certain } : { kind: 'text', text: textAt('', span), certain };
    }
    return { kind: 'list', fields: list, certain };
  }
  if (name === '@' && definitions.every(({ kind }) => kind === 'fields')) return { kind: 'list', fields: [], certain };
  const values = definitions.flatMap((definition) => valuesOf(definition, definitions, scope, choices));
  if (values.length === 0 || values.length > MOST_VALUES) return undefined;
  const value = values[values.length === 1 ? 0 : choose(choices, name, values.length)]!;
  return { kind: 'text', text: value, certain: certain && value.certain, glob: value.glob || undefined };
};

const listOf = (definition: Definition, name: string, scope: Scope, choices: Choices): readonly Field[] => {
  const at: Scope = { ...scope, source: definition.source };
  if (definition.kind === 'fields') return definition.fields;
  if (definition.kind === 'array') return definition.value.elements.flatMap((word) => scope.engine.fields(word, at, choices));
  if (definition.kind === 'loop' && (name === '@' || /^[1-9]\d*$/.test(name)))
    return definition.words.flatMap((word) => scope.engine.fields(word, at, choices));
  return [];
};

const valuesOf = (definition: Definition, all: readonly Definition[], scope: Scope, choices: Choices): readonly Field[] => {
  const { values } = scope.report;
  const known = values.get(definition);
  if (known) return known;
  const before = choices.size;
  const found = workedOut(definition, all, scope, choices);
  // With other variables tried one by one, or in a circle, it may be something else the next time.
  if (choices.size === before && scope.variables.resolving.size === 1 && scope.report.effort > 0) values.set(definition, found);
  return found;
};

const workedOut = (definition: Definition, all: readonly Definition[], scope: Scope, choices: Choices): readonly Field[] => {
  const at: Scope = { ...scope, source: definition.source };
  const span = { start: definition.start, end: definition.end };
  switch (definition.kind) {
    case 'word': {
      const own = scope.engine.text(definition.word, at, choices);
      if (own.value.length > LONGEST) return [];
      scope.report.effort -= own.value.length >> 6;
      const first = all[0]!;
      if (!definition.append || first === definition || first.kind !== 'word') return [own];
      const before = scope.engine.text(first.word, { ...scope, source: first.source }, choices);
      return [{ ...own, ...concat([before, own]) }];
    }
    case 'loop':
      return definition.words.length > MOST_VALUES ? [] : definition.words.flatMap((word) => scope.engine.fields(word, at, choices));
    case 'arithmetic':
      return [{ ...textAt(NUMBER, span), certain: true, glob: false, splits: false }];
    default:
      return [{ ...textAt(UNKNOWN, span), certain: true, glob: false, splits: false }];
  }
};

const operated = (
  value: Expansion | undefined,
  operation: ParameterOperation,
  span: Span,
  scope: Scope,
  choices: Choices,
  source: Source,
): Expansion | undefined => {
  const operand = (word: Parameters<Scope['engine']['text']>[0]): Field => scope.engine.text(word, { ...scope, source }, choices);
  if (operation.type === 'Default') {
    if (operation.operator.endsWith('?')) return value;
    const given = value?.kind === 'text' && value.certain && isKnown(value.text.value) && value.text.value !== '';
    if (operation.operator.endsWith('+')) return { kind: 'text', text: operand(operation.operand), certain: false };
    return given ? value : { kind: 'text', text: operand(operation.operand), certain: false };
  }
  if (value?.kind !== 'text' || !isKnown(value.text.value) || value.glob) return undefined;
  const text = value.text.value;
  const result = (changed: string | undefined): Expansion | undefined =>
    changed === undefined ? undefined : { kind: 'text', text: textAt(changed, span), certain: value.certain };
  switch (operation.type) {
    case 'Remove':
      scope.report.effort -= text.length >> 2;
      return result(removed(text, operation.operator, operand(operation.operand)));
    case 'Replace': {
      const pattern = operand(operation.pattern).value;
      const by = operand(operation.replacement).value;
      if (!isKnown(pattern + by) || hasGlob(pattern) || pattern === '') return undefined;
      if (operation.operator === '/#') return result(text.startsWith(pattern) ? by + text.slice(pattern.length) : text);
      if (operation.operator === '/%') return result(text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text);
      return result(operation.operator === '//' ? text.replaceAll(pattern, () => by) : text.replace(pattern, () => by));
    }
    case 'Slice': {
      const [from, length] = [operation.offset, operation.length].map((word) => (word ? operand(word).value.trim() : undefined));
      if (!/^-?\d{1,6}$/.test(from ?? '') || (length !== undefined && !/^\d{1,6}$/.test(length))) return undefined;
      const begin = Number(from) < 0 ? Math.max(0, text.length + Number(from)) : Number(from);
      return result(text.slice(begin, length === undefined ? undefined : begin + Number(length)));
    }
    case 'CaseModification': {
      if (operation.operand) return undefined;
      const change = (part: string): string => (operation.operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
      return result(operation.operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1));
    }
    default:
      return undefined;
  }
};

const removed = (text: string, operator: string, { value: pattern }: Text): string | undefined => {
  if (!isKnown(pattern) || text.length > 200) return undefined;
  const front = operator.startsWith('#');
  const end = (length: number): string => (front ? text.slice(0, length) : text.slice(text.length - length));
  const lengths = Array.from({ length: text.length + 1 }, (_, i) => i);
  // One sign takes the shortest that fits, two take the longest.
  const length = (operator.length === 1 ? lengths : lengths.reverse()).find((size) => fitsPattern(pattern, end(size)));
  if (length === undefined) return text;
  return front ? text.slice(length) : text.slice(0, text.length - length);
};
