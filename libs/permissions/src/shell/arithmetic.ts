import { type ArithmeticExpression, type WordPart } from 'unbash';
import { add, onlyOnce, type Draft, type Scope } from './scope.js';
import { NUMBER, UNKNOWN, type Source, type Text } from './text.js';

/**
 * Bash evaluates the *text* of a variable in arithmetic, and a subscript in that text may run a command. So every name has to hold a
 * number for sure, or come from outside the script, where this command has no say over it.
 */
export const judgeArithmetic = (
  expression: ArithmeticExpression | Text,
  scope: Scope,
  draft: Draft,
  source: Source,
  rules: { assigns: boolean },
): void => {
  const doubt = (reason: string, at: { start: number; end: number }): void => {
    add(draft, 'obfuscated', reason, at);
    onlyOnce(draft, reason);
  };
  const check = (text: string, at: { start: number; end: number }): void => {
    if (/[`$]|\[[^\]]*\[/.test(text) || /\[\s*['"]/.test(text)) return doubt('Arithmetic runs the command that stands in its text.', at);
    if (text.includes(UNKNOWN)) return doubt('Arithmetic evaluates a computed text.', at);
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g))
      if (!holdsNumber(name, scope, 0)) doubt(`Arithmetic evaluates the text in ${name}, which may run a command.`, at);
  };
  if ('runs' in expression) {
    const { value, runs } = expression;
    return check(value.replaceAll(NUMBER, '1'), { start: runs[0]?.from ?? 0, end: runs.at(-1)?.to ?? 0 });
  }
  const visit = (node: ArithmeticExpression): void => {
    const at = source.origin(node.pos, node.end);
    switch (node.type) {
      case 'ArithmeticBinary':
        if (/^(?:[-+*/%&^|]|<<|>>)?=$/.test(node.operator) && !rules.assigns)
          add(draft, 'shell.state', 'Arithmetic assigns to a variable.', at);
        visit(node.left);
        return visit(node.right);
      case 'ArithmeticUnary':
        if ((node.operator === '++' || node.operator === '--') && !rules.assigns)
          add(draft, 'shell.state', 'Arithmetic assigns to a variable.', at);
        return visit(node.operand);
      case 'ArithmeticTernary':
        return [node.test, node.consequent, node.alternate].forEach(visit);
      case 'ArithmeticGroup':
        return visit(node.expression);
      case 'ArithmeticWord':
        if (!node.parts) return check(node.value, at);
        for (const part of node.parts) check(textOfPart(part, scope), at);
        return;
      default:
        return doubt('Arithmetic evaluates the output of a command.', at);
    }
  };
  visit(expression);
};

/** Literal text as it stands; a variable by its name, which is then looked up; anything else is not known. */
const textOfPart = (part: WordPart, scope: Scope): string => {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return part.value;
  if (part.type === 'SimpleExpansion') {
    const name = part.text.slice(1);
    if (/^[#?$!]$/.test(name)) return '1';
    return /^\w+$/.test(name) && !/^\d/.test(name) ? name : UNKNOWN;
  }
  if (part.type === 'ParameterExpansion')
    return part.prefix === '#'
      ? '1'
      : part.operation || part.index || part.prefix
        ? UNKNOWN
        : /^\d/.test(part.parameter)
          ? UNKNOWN
          : part.parameter;
  if (part.type === 'ArithmeticExpansion') return '1';
  if (part.type === 'CommandExpansion') return part.script && scope.engine.output(part.script, scope)?.value === NUMBER ? '1' : UNKNOWN;
  return UNKNOWN;
};

const holdsNumber = (name: string, scope: Scope, depth: number): boolean => {
  const definitions = scope.variables.definitions.get(name) ?? [];
  if (depth > 4 || definitions.length > 8) return false;
  return definitions.every((definition) => {
    const at: Scope = { ...scope, source: definition.source };
    const numeric = (value: string): boolean =>
      value === '' || /^[-+]?[\w\u0003]*$/.test(value) // eslint-disable-line no-control-regex
        ? !/^[A-Za-z_]/.test(value) || holdsNumber(value, scope, depth + 1)
        : false;
    switch (definition.kind) {
      case 'arithmetic':
        return true;
      case 'word': {
        if (scope.variables.resolving.has(name)) return true;
        scope.variables.resolving.add(name);
        try {
          return numeric(scope.engine.text(definition.word, at, new Map()).value);
        } finally {
          scope.variables.resolving.delete(name);
        }
      }
      case 'loop':
        return definition.words.every((word) => scope.engine.fields(word, at, new Map()).every(({ value }) => numeric(value)));
      default:
        return false;
    }
  });
};
