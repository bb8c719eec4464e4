import ts from 'typescript';

/**
 * All mutants of one source text in one program: where a mutant is, `__mutant(id) ? changed : original` asks whether it is alive. So
 * a spec file is loaded once, and its tests run once a mutant. `mutants` says what each one changes, `key` stays the same when lines move.
 */
export const mutate = (text, file, firstId = 0) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const mutants = [];
  const seen = new Map();

  const note = (node, to, shown) => {
    const from = node.getText(source);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const what = shown ?? `${oneLine(from)} → ${oneLine(to) || 'nothing'}`;
    const count = (seen.get(what) ?? 0) + 1;
    seen.set(what, count);
    const id = firstId + mutants.length;
    mutants.push({ id, file, line: line + 1, what, key: `${file}: ${what}${count > 1 ? ` (${count})` : ''}` });
    return id;
  };

  const render = (node, inChain = false) => {
    if (isBeyond(node)) return node.getText(source);
    const inner = () => renderChildren(node);
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return `if (!__mutant(${note(node, '')})) ${inner()}`;
    if (inChain || !ts.isExpression(node)) return inner();
    const changed = changesOf(node, source).map(([to, shown]) => `__mutant(${note(node, to, shown)}) ? (${to}) : `);
    return changed.length === 0 ? inner() : `(${changed.join('')}${inner()})`;
  };

  const renderChildren = (node) => {
    let out = '';
    let at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      if (child.getFullText(source) === '') return;
      out += text.slice(at, child.getStart(source)) + render(child, child === node.expression && isChain(node));
      at = child.end;
    });
    return out + text.slice(at, node.end);
  };

  let code = '';
  let at = 0;
  for (const statement of source.statements) {
    code += text.slice(at, statement.getStart(source)) + render(statement);
    at = statement.end;
  }
  return { code: code + text.slice(at), mutants };
};

/** Names, types and what people read are not rules. */
const isBeyond = (node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isDecorator(node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node && !ts.isComputedPropertyName(node)) ||
  (isText(node) && isSentence(node));

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const isSentence = (node) => {
  const parts = ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map(({ literal }) => literal)] : [node];
  return /\p{L}[,:;]? \p{L}|\p{L}\.$/u.test(parts.map(({ text }) => text).join('\0'));
};
const isChain = (node) => (node.flags & ts.NodeFlags.OptionalChain) !== 0;
const oneLine = (text) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 110 ? `${line.slice(0, 70)} … ${line.slice(-35)}` : line;
};

const OPPOSITE = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
const OTHER_METHOD = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  max: 'min',
  min: 'max',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
};
const DROPPED_METHODS = new Set(['filter', 'sort', 'toSorted', 'toLowerCase', 'trim', 'slice', 'reverse']);

/** Pairs of the changed text and, where the node's own texts would say too little or too much, how it is shown. */
const changesOf = (node, source) => {
  const of = (child) => child.getText(source);
  const all = [];
  const parent = node.parent;
  if (isCondition(node)) all.push(['true'], ['false']);

  if (ts.isBinaryExpression(node)) {
    const operator = of(node.operatorToken);
    const [left, right] = [of(node.left), of(node.right)];
    if (['&&', '||', '??'].includes(operator) && !isSpread(parent)) all.push([left], [right]);
    // Texts are joined, not added.
    if (operator !== '+' || ![node.left, node.right].some(isText))
      for (const other of OPPOSITE[operator] ?? []) all.push([`${left} ${other} ${right}`]);
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) all.push([of(node.operand)]);
  if (node.kind === ts.SyntaxKind.TrueKeyword && !isCondition(node)) all.push(['false']);
  if (node.kind === ts.SyntaxKind.FalseKeyword && !isCondition(node)) all.push(['true']);
  if (ts.isNumericLiteral(node)) all.push([String(Number(node.text) + 1)]);
  if (ts.isBigIntLiteral(node)) all.push([`${BigInt(node.text.replace(/n$/, '')) + 1n}n`]);
  if (isText(node) && !ts.isTaggedTemplateExpression(parent)) all.push([of(node).length > 2 ? "''" : "'changed'"]);
  if (ts.isRegularExpressionLiteral(node)) {
    const regex = of(node);
    if (regex.startsWith('/^')) all.push([`/${regex.slice(2)}`]);
    const end = regex.lastIndexOf('$/');
    if (end > 0) all.push([regex.slice(0, end) + regex.slice(end + 1)]);
  }
  if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) {
    const parts = ts.isObjectLiteralExpression(node) ? node.properties : node.elements;
    const [open, close] = ts.isObjectLiteralExpression(node) ? '{}' : '[]';
    if (!isPattern(node))
      parts.forEach((part, index) =>
        all.push([
          `${open} ${without(parts, index).map(of).join(', ')} ${close}`,
          `without ${oneLine(of(part))} in ${oneLine(of(node)).slice(0, 60)}`,
        ]),
      );
  }
  if (ts.isCallExpression(node)) {
    const { expression: callee, arguments: given } = node;
    if (ts.isIdentifier(callee) && callee.text === 'accept')
      given.forEach((part, index) =>
        all.push([`accept(${without(given, index).map(of).join(', ')})`, `accept without ${oneLine(of(part))}`]),
      );
    if (ts.isPropertyAccessExpression(callee) && !isChain(node)) {
      const [subject, method] = [of(callee.expression), callee.name.text];
      const other = Object.hasOwn(OTHER_METHOD, method) ? OTHER_METHOD[method] : undefined;
      const rest = of(node).slice(of(callee).length);
      if (other) all.push([`${subject}.${other}${rest}`]);
      if (DROPPED_METHODS.has(method)) all.push([subject]);
    }
  }
  if (ts.isNewExpression(node) && of(node.expression) === 'Set' && ts.isSpreadElement(parent)) all.push([of(node.arguments[0])]);
  // At the root of a chain: each of its question marks taken away.
  if (isChain(node) && !(isChain(parent) && parent.expression === node)) {
    const start = node.getStart(source);
    for (let link = node; link && isChain(link); link = link.expression)
      if (link.questionDotToken) {
        const at = link.questionDotToken.getStart(source) - start;
        const text = of(node);
        all.push([text.slice(0, at) + (ts.isPropertyAccessExpression(link) ? '.' : '') + text.slice(at + 2)]);
      }
  }
  return all.filter(([to]) => to !== of(node));
};

const without = (parts, index) => parts.filter((_, at) => at !== index);
const isSpread = (node) =>
  ts.isSpreadAssignment(node) || ts.isSpreadElement(node) || (ts.isParenthesizedExpression(node) && isSpread(node.parent));
const isPattern = (node) =>
  ts.isBinaryExpression(node.parent) && node.parent.left === node && node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
const isCondition = (node) =>
  ((ts.isIfStatement(node.parent) || ts.isWhileStatement(node.parent)) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);
