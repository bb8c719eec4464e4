import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** docs/events.md from the types themselves: every event, its docstring, its fields, the version in force and the stream that it lies in. */
export const eventsDocument = (root) => {
  const program = programOf(root);
  const checker = program.getTypeChecker();
  const sources = program
    .getSourceFiles()
    .filter(({ fileName }) => /\/libs\/[^/]+\/src\//.test(fileName) && !/(\.spec\.ts$|\/testing\/)/.test(fileName));
  const events = new Map();
  const versions = new Map();
  const categories = new Map();
  for (const source of sources)
    source.forEachChild((node) => {
      if (ts.isTypeAliasDeclaration(node)) {
        const event = eventIn(node, checker, root);
        if (event) events.set(event.type, event);
      }
      if (ts.isVariableStatement(node))
        for (const declaration of node.declarationList.declarations) readConstant(declaration, checker, versions, categories);
    });
  const unregistered = [...events.keys()].filter((type) => !versions.has(type));
  const undeclared = [...versions.keys()].filter((type) => !events.has(type));
  if (unregistered.length + undeclared.length > 0)
    throw new Error(
      `Events without a version: ${unregistered.join(', ') || 'none'}; versions without an event type: ${undeclared.join(', ') || 'none'}.`,
    );
  // In the order in which each context registers them.
  return render([...versions].map(([type, version]) => ({ ...events.get(type), version, category: categories.get(type) })));
};

const programOf = (root) => {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .sort()
    .map((name) => join(root, 'libs', name));
  return ts.createProgram(files, { ...options, noEmit: true, incremental: false, tsBuildInfoFile: undefined });
};

/** `type X = Event<'Name', Data>`, exported. */
const eventIn = (node, checker, root) => {
  const { type } = node;
  if (!ts.isTypeReferenceNode(type) || type.typeName.getText() !== 'Event' || type.typeArguments?.length !== 2) return undefined;
  const [name, data] = type.typeArguments;
  if (!ts.isLiteralTypeNode(name) || !ts.isStringLiteral(name.literal)) return undefined;
  return {
    type: name.literal.text,
    file: relative(root, node.getSourceFile().fileName),
    says: ts.displayPartsToString(checker.getSymbolAtLocation(node.name).getDocumentationComment(checker)),
    fields: checker
      .getTypeFromTypeNode(data)
      .getProperties()
      .map((property) => ({
        name: property.name,
        optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
        type: shown(checker, checker.getTypeOfSymbolAtLocation(property, node), node),
        says: ts.displayPartsToString(property.getDocumentationComment(checker)),
      })),
  };
};

const shown = (checker, type, node) =>
  checker
    .typeToString(
      checker.getNonNullableType(type),
      node,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    )
    .replace(/import\("[^"]*"\)\./g, '');

/** `eventTypes<…>({ Name: version })`, and deciders: `Decider<Command, State, Event>` with their category. */
const readConstant = ({ type, initializer }, checker, versions, categories) => {
  if (initializer && ts.isCallExpression(initializer) && initializer.expression.getText() === 'eventTypes') {
    const [shapes] = initializer.arguments;
    for (const { name, initializer: shape } of shapes.properties) {
      const version = ts.isObjectLiteralExpression(shape)
        ? shape.properties.find((property) => property.name?.getText() === 'version').initializer.getText()
        : shape.getText();
      versions.set(name.getText(), Number(version));
    }
  }
  if (
    type &&
    ts.isTypeReferenceNode(type) &&
    type.typeName.getText() === 'Decider' &&
    initializer &&
    ts.isObjectLiteralExpression(initializer)
  ) {
    const category = initializer.properties.find((property) => property.name?.getText() === 'category')?.initializer;
    if (!category || !ts.isStringLiteral(category)) return;
    const union = checker.getTypeFromTypeNode(type.typeArguments[2]);
    for (const member of union.isUnion() ? union.types : [union]) {
      const name = checker.getTypeOfSymbol(member.getProperty('type'));
      if (name.isStringLiteral()) categories.set(name.value, category.text);
    }
  }
};

const render = (events) => {
  const categories = [...new Set(events.map(({ category }) => category ?? 'other'))];
  const lines = [
    '# Events',
    '',
    'Generated from the event types by `npm run docs`; CI fails when it is stale. Every event also carries `meta`: tenant, workspace, actor,',
    'credential, on whose behalf, audit id, command, correlation and causation ids, the version of its shape, and the hash of its content.',
    '',
    ...categories.map(
      (category) =>
        `- [${category}](#${category}): ${events
          .filter((event) => (event.category ?? 'other') === category)
          .map(({ type }) => `\`${type}\``)
          .join(', ')}`,
    ),
  ];
  for (const category of categories) {
    lines.push('', `## ${category}`);
    for (const event of events.filter((one) => (one.category ?? 'other') === category)) lines.push('', ...section(event));
  }
  return `${lines.join('\n')}\n`;
};

const section = ({ type, version, file, says, fields }) => [
  `### ${type}`,
  '',
  `Version ${version}, [${file}](../${file}).${says ? ` ${oneLine(says)}` : ''}`,
  ...(fields.length > 0
    ? [
        '',
        '| field | type | |',
        '|---|---|---|',
        ...fields.map(
          (field) => `| \`${field.name}${field.optional ? '?' : ''}\` | ${cell(`\`${field.type}\``)} | ${cell(oneLine(field.says))} |`,
        ),
      ]
    : []),
];

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
const cell = (text) => text.replaceAll('|', '\\|');
