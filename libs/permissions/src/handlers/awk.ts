import { judge } from '../rules/judge.js';
import { reads, writes } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { find, type Call, type Field } from '../shell/scope.js';
import { isKnown, slice, type Text } from '../shell/text.js';
import { judgeCode } from './code.js';

/** awk: its program may run commands and write files; that is read from its tokens, not from its text. */
export const awk = (call: Call, rule: Rule): void => {
  const { used, operands, help } = judge(call, rule);
  if (help) return;
  const given = used.filter(({ option }) => /^(-e|--source)$/.test(option.name)).flatMap(({ value }) => (value ? [value] : []));
  const fromFile = used.some(({ option }) => /^(-f|--file|-E|--exec)$/.test(option.name));
  const own = given.length === 0 && !fromFile ? operands.slice(0, 1) : [];
  for (const program of [...given, ...own]) judgeProgram(call, program);
  for (const file of operands.slice(own.length)) if (!/^[A-Za-z_]\w*=/.test(file.value)) reads(call, file);
};

type Token = Readonly<{ kind: 'word' | 'string' | 'regex' | 'number' | 'mark' | 'end'; text: string; start: number; end: number }>;

const judgeProgram = (call: Call, program: Text & Partial<Field>): void => {
  if (!isKnown(program.value) || program.certain === false)
    find(call, 'obfuscated', `${call.program} runs a program that is computed`, program);
  const tokens = tokensOf(program.value);
  const at = (token: Token): Text => slice(program, token.start, token.end);
  const runs = (token: Token, how: string): void => {
    find(call, 'exec.inline', `${call.program} runs a command by ${how}`, at(token));
    judgeCode(call, program);
  };
  let printing = -1;
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (token.text === '(' || token.text === '[') depth++;
    else if (token.text === ')' || token.text === ']') depth--;
    else if (token.kind === 'end' || token.text === '{' || token.text === '}') printing = -1;
    if (token.kind === 'word') {
      if (token.text === 'print' || token.text === 'printf') printing = depth;
      if (token.text === 'system' && next?.text === '(') runs(token, 'system');
      if (token.text === 'getline') readFrom(call, program, tokens.slice(i + 1, i + 8));
    }
    if (token.kind === 'regex' && /system\s*\(/.test(token.text)) runs(token, 'system');
    if (token.kind === 'string' && /^"\/inet[46]?\//.test(token.text))
      find(call, 'net.send', `${call.program} opens a network connection`, at(token));
    if (token.kind !== 'mark') continue;
    if (token.text === '|' || token.text === '|&') runs(token, 'a pipe');
    else if (token.text === '@') find(call, 'obfuscated', `${call.program} loads or calls what is named elsewhere`, at(token));
    else if ((token.text === '>' || token.text === '>>') && printing === depth) writeTo(call, program, token, next, tokens[i + 2]);
  }
};

/** `getline < "file"`, `getline line < "file"`. */
const readFrom = (call: Call, program: Text, following: readonly Token[]): void => {
  const token = following[following.findIndex(({ text }) => text === '<') + 1];
  if (token?.kind === 'string' && following[0] !== token)
    reads(call, { ...slice(program, token.start + 1, token.end - 1), certain: true, glob: false, splits: false });
};

const writeTo = (call: Call, program: Text, mark: Token, target: Token | undefined, following: Token | undefined): void => {
  const whole = target?.kind === 'string' && (following === undefined || following.kind === 'end' || following.text === '}');
  if (whole) writes(call, { ...slice(program, target.start + 1, target.end - 1), certain: true, glob: false, splits: false });
  else
    find(
      call,
      'write.outside',
      `${call.program} writes a file whose name it computes`,
      slice(program, mark.start, target?.end ?? mark.end),
    );
};

/** Words after which a slash begins a pattern; after any other word it divides. */
const BEFORE_PATTERN = new Set(['print', 'printf', 'return', 'in', 'case', 'getline', 'delete', 'exit', 'else', 'do', 'if', 'while']);

const tokensOf = (program: string): Token[] => {
  const tokens: Token[] = [];
  let i = 0;
  const push = (kind: Token['kind'], end: number): void => {
    tokens.push({ kind, text: program.slice(i, end), start: i, end });
    i = end;
  };
  const closing = (quote: string): number => {
    let j = i + 1;
    while (j < program.length && program[j] !== quote) j += program[j] === '\\' ? 2 : 1;
    return Math.min(j + 1, program.length);
  };
  while (i < program.length) {
    const letter = program[i]!;
    const last = tokens.at(-1);
    if (letter === '\n' || letter === ';') push('end', i + 1);
    else if (letter === '\\' && program[i + 1] === '\n') i += 2;
    else if (/\s/.test(letter)) i++;
    else if (letter === '#') i = program.indexOf('\n', i) < 0 ? program.length : program.indexOf('\n', i);
    else if (letter === '"') push('string', closing('"'));
    else if (/[A-Za-z_]/.test(letter)) push('word', i + /^\w+/.exec(program.slice(i))![0].length);
    else if (/[0-9]/.test(letter)) push('number', i + /^[\w.]+/.exec(program.slice(i))![0].length);
    else if (
      letter === '/' &&
      !(
        last &&
        (last.kind === 'number' ||
          last.kind === 'string' ||
          /^[)\]$]$/.test(last.text) ||
          (last.kind === 'word' && !BEFORE_PATTERN.has(last.text)))
      )
    )
      push('regex', closing('/'));
    else if (
      program.startsWith('||', i) ||
      program.startsWith('&&', i) ||
      program.startsWith('|&', i) ||
      program.startsWith('>>', i) ||
      program.startsWith('>=', i)
    )
      push('mark', i + 2);
    else push('mark', i + 1);
  }
  return tokens;
};
