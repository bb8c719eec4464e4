import { forEachChild, type ArrayValue, type Command, type SyntaxNode, type Word } from 'unbash';
import { type Field } from './field.js';
import { TOO_DEEP } from './guards.js';
import { type Source } from './text.js';

type Where = Readonly<{ source: Source; /** Where the definition stands in the command. */ start: number; end: number }>;

/** One place that gives a variable a value. `certain`: bash is sure to pass it before what follows. */
export type Definition = Where &
  Readonly<{ certain: boolean }> &
  (
    | Readonly<{ kind: 'word'; word: Word; append: boolean }>
    | Readonly<{ kind: 'array'; value: ArrayValue; append: boolean }>
    | Readonly<{ kind: 'loop'; words: readonly Word[] }>
    | Readonly<{ kind: 'fields'; fields: readonly Field[] }>
    | Readonly<{ kind: 'arithmetic' }>
    | Readonly<{ kind: 'opaque' }>
  );

/** All places of the script, in its order, that give a variable a value. Names that are being looked up, against circles. */
export type Variables = Readonly<{ definitions: Map<string, Definition[]>; resolving: Set<string> }>;

export const noVariables = (): Variables => ({ definitions: new Map(), resolving: new Set() });

export const define = (variables: Variables, name: string, definition: Definition): void => {
  const known = variables.definitions.get(name);
  if (known) known.push(definition);
  else variables.definitions.set(name, [definition]);
};

/** What another shell, started by this one, may see of the variables: maybe all, maybe none. */
export const inherited = ({ definitions }: Variables): Variables => ({
  definitions: new Map([...definitions].map(([name, all]) => [name, all.map((one) => ({ ...one, certain: false }))])),
  resolving: new Set(),
});

const DECLARING = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const ASSIGNING = new Set(['=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=']);

/** Notes every definition in a script, before anything of it is judged: a value that is given twice is not a constant. */
export const collect = (script: SyntaxNode, source: Source, variables: Variables): void => {
  const note = (
    name: string,
    at: { pos: number; end: number },
    certain: boolean,
    value: Partial<Definition> & { kind: Definition['kind'] },
  ): void => {
    const { start, end } = source.origin(at.pos, at.end);
    define(variables, name, { source, start, end, certain, ...value } as Definition);
  };
  const command = (node: Command, certain: boolean): void => {
    const lasting = node.name === undefined;
    for (const item of node.prefix)
      if (item.type === 'Assignment' && !item.index) assignment(item, certain && lasting);
      else if (item.type === 'Assignment') note(item.name, item, false, { kind: 'opaque' });
    const name = node.name?.value;
    if (name === undefined) return;
    for (const arg of node.args) if (arg.type === 'Assignment') assignment(arg, certain && DECLARING.has(name));
    const given = node.args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []));
    if (name === 'read' || name === 'mapfile' || name === 'readarray' || name === 'unset' || name === 'getopts' || name === 'let')
      for (const arg of given) for (const [word] of arg.value.matchAll(/[A-Za-z_]\w*/g)) note(word, arg, false, { kind: 'opaque' });
    if (name === 'printf' && given[0]?.value.startsWith('-v'))
      note(given[0].value.slice(2) || (given[1]?.value ?? ''), node, false, { kind: 'opaque' });
    if (name === 'set' && given[0]?.value === '--') note('@', node, certain, { kind: 'loop', words: given.slice(1) });
  };
  const assignment = (node: Extract<SyntaxNode, { type: 'Assignment' }>, certain: boolean): void =>
    note(
      node.name,
      node,
      certain && !node.append,
      node.value.type === 'ArrayValue'
        ? { kind: 'array', value: node.value, append: node.append === true }
        : { kind: 'word', word: node.value, append: node.append === true },
    );
  const visit = (node: SyntaxNode, certain: boolean, depth: number): void => {
    let inside = certain;
    switch (node.type) {
      case 'Command':
        command(node, certain);
        break;
      case 'For':
      case 'Select':
        note(
          node.name.value,
          node,
          true,
          node.wordlist && node.type === 'For' ? { kind: 'loop', words: node.wordlist } : { kind: 'opaque' },
        );
        inside = false;
        break;
      case 'ArithmeticBinary':
        if (ASSIGNING.has(node.operator) && node.left.type === 'ArithmeticWord')
          note(variableIn(node.left.value), node, false, { kind: 'arithmetic' });
        break;
      case 'ArithmeticUnary':
        if (/^(\+\+|--)$/.test(node.operator) && node.operand.type === 'ArithmeticWord')
          note(variableIn(node.operand.value), node, false, { kind: 'arithmetic' });
        break;
      case 'ParameterExpansion':
        if (node.operation?.type === 'Default' && node.operation.operator.endsWith('='))
          note(node.parameter, node, false, { kind: 'word', word: node.operation.operand, append: false });
        break;
      case 'FileDescriptorVariable':
        note(node.name, node, false, { kind: 'arithmetic' });
        break;
      case 'Coproc':
        note(node.name?.value ?? 'COPROC', node, false, { kind: 'opaque' });
        inside = false;
        break;
      case 'Statement':
        inside = certain && !node.background;
        break;
      case 'AndOr':
        for (const [index, child] of node.commands.entries()) visit(child, certain && index === 0, depth);
        return;
      case 'Pipeline':
        inside = certain && node.commands.length === 1;
        break;
      case 'Script':
      case 'CompoundList':
      case 'BraceGroup':
      case 'Redirected':
        break;
      default:
        inside = false;
    }
    const below = node.type === 'Script' ? depth + 1 : depth;
    if (below <= TOO_DEEP) forEachChild(node, (child) => visit(child, inside, below));
  };
  forEachChild(script, (child) => visit(child, true, 0));
};

const variableIn = (text: string): string => /^[A-Za-z_]\w*/.exec(text)?.[0] ?? '';
