import { type Command, type CommandNode, type Redirection, type Script, type Statement } from 'unbash';
import { DEEP } from './guards.js';
import { NO_INPUT, type Field, type Input, type Scope } from './scope.js';
import { concat, CWD, isKnown, NUMBER, slice, spanOf, textAt, type Text } from './text.js';

/** What a script would print, where that can be told without running it: echo, printf, cat, decoders, and a few that print numbers. */
export const outputOf = (script: Script, scope: Scope): Text | undefined => {
  if (scope.depth >= DEEP || --scope.report.effort < 0) return undefined;
  const printed = outputOfList(script.commands, { ...scope, depth: scope.depth + 1 }, NO_INPUT);
  return printed && slice(printed, 0, printed.value.replace(/\n+$/, '').length);
};

const outputOfList = (statements: readonly Statement[], scope: Scope, input: Input): Text | undefined => {
  if (statements.length > 8 || statements.length === 0) return undefined;
  const printed: Text[] = [];
  for (const { command } of statements) {
    const text =
      command.type === 'AndOr'
        ? undefined
        : command.type === 'Pipeline'
          ? outputOfPipeline(command.commands, scope, input)
          : outputOfCommand(command, scope, input);
    if (!text) return undefined;
    printed.push(text);
  }
  return concat(printed);
};

const outputOfPipeline = (commands: readonly CommandNode[], scope: Scope, input: Input): Text | undefined => {
  let text = input.text;
  for (const [index, command] of commands.entries())
    text = outputOfCommand(command, scope, index === 0 ? input : { kind: 'piped', ...(text && { text }) });
  return text;
};

/** What one command of a pipeline hands to the next. */
export const outputOfCommand = (node: CommandNode, scope: Scope, input: Input): Text | undefined => {
  switch (node.type) {
    case 'Command':
      return outputOfSimple(node, scope, input);
    case 'Subshell':
    case 'BraceGroup':
      return outputOfList(node.body.commands, scope, input);
    default:
      return undefined;
  }
};

/** The text of a here-document or here-string, if one feeds the standard input. */
export const fedBy = (redirects: readonly Redirection[], scope: Scope): Text | undefined => {
  const last = redirects
    .filter((redirect) => !redirect.descriptor || (redirect.descriptor.type === 'FileDescriptor' && redirect.descriptor.value === 0))
    .at(-1);
  if (last?.type === 'HereString' && last.target) return scope.engine.text(last.target, scope, new Map());
  if (last?.type !== 'HereDoc') return undefined;
  const { body, delimiter } = last;
  if (delimiter?.quoted || !body.parts) return textAt(body.text, scope.source.origin(body.pos, body.end));
  return scope.engine.text(
    { ...body, type: 'Word', value: body.text } as unknown as Parameters<Scope['engine']['text']>[0],
    scope,
    new Map(),
  );
};

const outputOfSimple = (node: Command, scope: Scope, piped: Input): Text | undefined => {
  if (!node.name) return undefined;
  // Where its output goes is judged elsewhere; here a file may feed it, and its errors may go anywhere.
  if (node.redirects.some((redirect) => redirect.type === 'Redirect' && !feedsOrComplains(redirect))) return undefined;
  const text = node.redirects.some(({ type }) => type === 'Redirect')
    ? undefined
    : node.redirects.length > 0
      ? fedBy(node.redirects, scope)
      : piped.text;
  const fields = [node.name, ...node.args].flatMap((word) => (word.type === 'Word' ? scope.engine.fields(word, scope, new Map()) : []));
  const [name, ...args] = unwrapped(fields);
  if (!name || !isKnown(name.value)) return undefined;
  return printed(baseName(name), args, text, name);
};

const baseName = ({ value }: Field): string => value.slice(value.lastIndexOf('/') + 1);

const WRAPPERS = new Set([
  'timeout',
  'gtimeout',
  'nice',
  'nohup',
  'env',
  'command',
  'builtin',
  'stdbuf',
  'setsid',
  'ionice',
  'busybox',
  'time',
]);
const PRINTERS = new Set(['echo', 'printf', 'cat', 'tee', 'base64', 'rev', 'xxd', 'tr', 'find']);

/** What a wrapper runs prints the same with and without it. */
const unwrapped = (fields: readonly Field[]): readonly Field[] => {
  if (!fields[0] || !WRAPPERS.has(baseName(fields[0]))) return fields;
  const at = fields.slice(0, 8).findIndex((field) => PRINTERS.has(baseName(field)));
  return at < 0 ? fields : fields.slice(at);
};

const feedsOrComplains = ({ operator, descriptor }: Extract<Redirection, { type: 'Redirect' }>): boolean =>
  operator === '<' || (descriptor?.type === 'FileDescriptor' && descriptor.value === 2);

const printed = (program: string, args: readonly Field[], input: Text | undefined, name: Text): Text | undefined => {
  const first = args[0]?.value;
  const option = first?.startsWith('-') ? first : undefined;
  const number = textAt(NUMBER, spanOf(name));
  switch (program) {
    case 'echo':
      return echoed(args);
    case 'printf':
      return option && option !== '--' ? undefined : formatted(option ? args.slice(1) : args);
    case 'cat':
      return args.length === 0 || first === '-' ? input : undefined;
    case 'tee':
      return input;
    case 'base64':
      return /^(-d|-D|-di|--decode)$/.test(first ?? '') && args.length === 1 && input ? rewritten(input, decodeBase64) : undefined;
    case 'rev':
      return (
        input &&
        rewritten(input, (text) =>
          text
            .split('\n')
            .map((line) => [...line].reverse().join(''))
            .join('\n'),
        )
      );
    case 'xxd':
      return /^-(r|p|rp|pr)$/.test(first ?? '') &&
        args
          .map(({ value }) => value)
          .join('')
          .includes('r') &&
        input
        ? rewritten(input, decodeHex)
        : undefined;
    case 'tr':
      return input && args.length === 2 && !option
        ? rewritten(input, (text) => translated(text, args[0]!.value, args[1]!.value))
        : undefined;
    case 'pwd':
      return textAt(CWD, spanOf(name));
    case 'git':
      return args.map(({ value }) => value).join(' ') === 'rev-parse --show-toplevel' ? textAt(CWD, spanOf(name)) : undefined;
    case 'find': {
      const name = args[args.findIndex(({ value }) => value === '-name') + 1];
      return name && args[0] !== name && !/[*?[]/.test(name.value) ? name : undefined;
    }
    case 'which':
    case 'whence':
      return args.length === 1 && !option ? args[0] : undefined;
    case 'command':
    case 'type':
      return args.length === 2 && /^-[vP]$/.test(option ?? '') ? args[1] : undefined;
    case 'wc':
      return args.every(({ value }) => value.startsWith('-')) ? number : undefined;
    case 'nproc':
    case 'seq':
      return number;
    case 'id':
      return /^-[ug]$/.test(first ?? '') ? number : undefined;
    case 'grep':
      return option?.includes('c') ? number : undefined;
    case 'date':
      return /^\+%[YFsHMSjdmyu]/.test(first ?? '') ? number : undefined;
    default:
      return undefined;
  }
};

const echoed = (args: readonly Field[]): Text => {
  let escapes = false;
  let line = true;
  let from = 0;
  for (; /^-[neE]+$/.test(args[from]?.value ?? ''); from++) {
    escapes = args[from]!.value.includes('e') || (escapes && !args[from]!.value.includes('E'));
    line &&= !args[from]!.value.includes('n');
  }
  const texts: Text[] = [];
  for (const [index, field] of args.slice(from).entries()) {
    if (index > 0) texts.push(textAt(' ', spanOf(field)));
    texts.push(escapes && field.value.includes('\\') ? rewritten(field, unescaped)! : field);
  }
  if (line && texts.length > 0) texts.push(textAt('\n', spanOf(texts.at(-1)!)));
  return concat(texts);
};

const formatted = ([format, ...args]: readonly Field[]): Text | undefined => {
  if (!format) return undefined;
  const texts: Text[] = [];
  let rest = args;
  do {
    const before = rest.length;
    let at = 0;
    for (const match of format.value.matchAll(/%(%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])/g)) {
      texts.push(rewritten(slice(format, at, match.index), unescaped)!);
      at = match.index + match[0].length;
      if (match[1] === '%') texts.push(textAt('%', spanOf(format)));
      else if (rest[0]) {
        texts.push(match[1]!.endsWith('b') ? rewritten(rest[0], unescaped)! : rest[0]);
        rest = rest.slice(1);
      }
    }
    texts.push(rewritten(slice(format, at), unescaped)!);
    if (rest.length === before) break;
  } while (rest.length > 0 && texts.length < 500);
  return concat(texts);
};

/** The same text, otherwise written: it keeps its place as a whole. */
const rewritten = (text: Text, by: (value: string) => string | undefined): Text | undefined => {
  const value = by(text.value);
  if (value === undefined) return undefined;
  return value === text.value ? text : textAt(value, spanOf(text));
};

const unescaped = (value: string): string =>
  value.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|(.))/gs,
    (whole, hex?: string, octal?: string, unicode?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      if (unicode !== undefined) return String.fromCharCode(parseInt(unicode, 16));
      const known: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };
      return known[letter ?? ''] ?? whole;
    },
  );

const decodeBase64 = (value: string): string | undefined => {
  if (!isKnown(value) || !/^[A-Za-z0-9+/=\s]*$/.test(value)) return undefined;
  const digits = value.replace(/\s/g, '').replace(/=+$/, '');
  // A padding inside ends what can be decoded; a last digit alone says nothing.
  if (digits.includes('=')) return undefined;
  const decoded = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
  return decoded.includes('\0') ? undefined : decoded;
};

const decodeHex = (value: string): string | undefined => {
  const digits = value.replace(/\s/g, '');
  if (!/^([0-9a-fA-F]{2})+$/.test(digits)) return undefined;
  const decoded = digits.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16)));
  return decoded.includes('\0') ? undefined : decoded;
};

const translated = (text: string, from: string, to: string): string | undefined => {
  const [source, target] = [from, to].map((set) => set.replace(/(.)-(.)/g, (_, a: string, b: string) => range(a, b)));
  if (!isKnown(text) || /[[\\]/.test(from + to) || source!.length === 0 || target!.length === 0) return undefined;
  return [...text]
    .map((letter) => (source!.includes(letter) ? (target![Math.min(source!.lastIndexOf(letter), target!.length - 1)] ?? letter) : letter))
    .join('');
};

const range = (from: string, to: string): string => {
  const [a, b] = [from.charCodeAt(0), to.charCodeAt(0)];
  return b < a || b - a > 128 ? `${from}-${to}` : String.fromCharCode(...Array.from({ length: b - a + 1 }, (_, i) => a + i));
};
