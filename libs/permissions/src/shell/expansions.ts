import { type ArithmeticExpression, type DoubleQuotedChild, type TestExpression, type Word, type WordPart } from 'unbash';
import { judgeArithmetic } from './arithmetic.js';
import { add, onlyOnce, type Draft, type ParsedScript, type Scope } from './scope.js';
import { textAt, type Source } from './text.js';
import { textOf } from './words.js';

type Parts = readonly (WordPart | DoubleQuotedChild)[];

/** Judges what a word runs while it is expanded, however deep it is buried. */
export const walkWord = (word: Word | undefined, scope: Scope, draft: Draft, source = scope.source): void => {
  if (word?.parts) walkParts(word.parts, scope, draft, source);
  if (word && !word.parts && breaksInside(word.text)) odd(draft, source, word, 'A line break inside a word hides what the word is.');
};

const odd = (draft: Draft, source: Source, at: { pos: number; end: number }, reason: string): void => {
  add(draft, 'obfuscated', reason, source.origin(at.pos, at.end));
  onlyOnce(draft, reason);
};

export const walkParts = (parts: Parts, scope: Scope, draft: Draft, source = scope.source): void => {
  for (const part of parts) walkPart(part, scope, draft, source);
};

const walkPart = (part: WordPart | DoubleQuotedChild, scope: Scope, draft: Draft, source: Source): void => {
  switch (part.type) {
    case 'Literal':
      if (breaksInside(part.text)) odd(draft, source, part, 'A line break inside a word hides what the word is.');
      return;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'SimpleExpansion':
      return;
    case 'Glob':
    case 'BraceExpansion':
      if (part.parts) walkParts(part.parts, scope, draft, source);
      return;
    case 'ExtendedGlob':
      odd(draft, source, part, 'Extended patterns are not parsed by the shell that runs it as they are here.');
      if (part.parts) walkParts(part.parts, scope, draft, source);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      // Text in quotes may run over lines.
      for (const child of part.parts) if (child.type !== 'Literal') walkPart(child, scope, draft, source);
      return;
    case 'ParameterExpansion': {
      const { index, operation } = part;
      if (part.prefix === '!' && index?.value !== '@' && index?.value !== '*' && operation?.type !== 'Names')
        odd(draft, source, part, 'An indirect expansion hides which variable is meant.');
      walkWord(index, scope, draft, source);
      if (index && !/^[@*]$/.test(index.value)) subscript(index, scope, draft, source);
      if (!operation) return;
      if (operation.type === 'Transform' && operation.operand.value === 'P')
        odd(draft, source, part, 'The @P expansion runs what the variable holds.');
      if (operation.type === 'Unknown') odd(draft, source, part, 'This expansion is not known.');
      if ('operand' in operation) walkWord(operation.operand, scope, draft, source);
      if (operation.type === 'Replace') {
        walkWord(operation.pattern, scope, draft, source);
        walkWord(operation.replacement, scope, draft, source);
      }
      if (operation.type === 'Slice')
        for (const word of [operation.offset, operation.length]) {
          walkWord(word, scope, draft, source);
          if (word) subscript(word, scope, draft, source);
        }
      return;
    }
    case 'CommandExpansion':
      if (part.text.startsWith('${'))
        odd(draft, source, part, 'A substitution in braces is new, and other shells read it as something else.');
      return walkScript(part.script, scope, source, part);
    case 'ProcessSubstitution':
      return walkScript(part.script, { ...scope, input: part.operator === '>' ? { kind: 'piped' } : scope.input }, source, part);
    case 'ArithmeticExpansion':
      return walkArithmetic(part.expression, scope, draft, source, { assigns: false });
    default:
      odd(draft, source, part, 'The shell syntax here is not known.');
  }
};

/** A backslash before a line break, between two letters of the same word. */
const breaksInside = (text: string): boolean => /(?:^|[^\\])(?:\\\\)*\\\n./s.test(text) && !text.startsWith('\\\n');

const walkScript = (script: ParsedScript | undefined, scope: Scope, source: Source, at: { pos: number; end: number }): void => {
  if (!script) return;
  const span = source.origin(at.pos, at.end);
  const own: Source = script.source === undefined ? source : { text: script.source, origin: () => span };
  scope.engine.walk(script, { ...scope, source: own, cwd: { ...scope.cwd }, depth: scope.depth + 1 });
};

/** `assigns`: whether it may give a variable a number without that being something to ask about. */
export const walkArithmetic = (
  expression: ArithmeticExpression | undefined,
  scope: Scope,
  draft: Draft,
  source: Source,
  rules: { assigns: boolean },
): void => {
  if (!expression) return;
  const visit = (node: ArithmeticExpression): void => {
    switch (node.type) {
      case 'ArithmeticBinary':
        visit(node.left);
        visit(node.right);
        return;
      case 'ArithmeticUnary':
        return visit(node.operand);
      case 'ArithmeticTernary':
        visit(node.test);
        visit(node.consequent);
        visit(node.alternate);
        return;
      case 'ArithmeticGroup':
        return visit(node.expression);
      case 'ArithmeticWord':
        if (node.parts) walkParts(node.parts, scope, draft, source);
        return;
      case 'ArithmeticCommandExpansion':
        return walkScript(node.script, scope, source, node);
      default:
        odd(draft, source, node, 'The arithmetic here is not known.');
    }
  };
  visit(expression);
  judgeArithmetic(expression, scope, draft, source, rules);
};

/** Subscripts, offsets and lengths are arithmetic to bash, quoted or not. */
const subscript = (word: Word, scope: Scope, draft: Draft, source: Source): void => {
  const { value } = textOf(word, scope, new Map(), source);
  judgeArithmetic(textAt(value, source.origin(word.pos, word.end)), scope, draft, source, { assigns: false });
};

/** `[[ … ]]`: numbers compared are arithmetic, and `-v` looks up a variable by an expression. */
export const walkTest = (test: TestExpression, scope: Scope, draft: Draft, source = scope.source): void => {
  switch (test.type) {
    case 'TestUnary':
      walkWord(test.operand, scope, draft, source);
      if (test.operator === '-v' || test.operator === '-R') subscript(test.operand, scope, draft, source);
      return;
    case 'TestBinary':
      for (const word of [test.left, test.right]) {
        walkWord(word, scope, draft, source);
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(test.operator)) subscript(word, scope, draft, source);
      }
      return;
    case 'TestLogical':
      for (const operand of test.operands) walkTest(operand, scope, draft, source);
      return;
    case 'TestNot':
      return walkTest(test.operand, scope, draft, source);
    case 'TestGroup':
      return walkTest(test.expression, scope, draft, source);
    default:
      odd(draft, source, test, 'The test here is not known.');
  }
};
