import type { FieldError } from '#libs/kernel';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * How one field of a kind is typed. Text lengths are in code points. `onlyBy` names the operations that may set the
 * field (or, in `reservedValues`, that value of it): a plain change of the record may not.
 */
export type FieldDefinition = Readonly<{
  label: string;
  type: 'line' | 'prose' | 'choice' | 'lines' | 'messages' | 'amount';
  required?: boolean;
  initial?: unknown;
  values?: readonly string[];
  max?: number;
  onlyBy?: readonly string[];
  reservedValues?: Readonly<Record<string, readonly string[]>>;
}>;

export type KindDefinition = Readonly<{
  label: string;
  fields: Readonly<Record<string, FieldDefinition>>;
  /** From which statuses a status may be reached, where not from every one. */
  transitions?: Readonly<Record<string, readonly string[]>>;
  /** What must hold over all fields together; the sentence says what is wrong. */
  invariant?: (fields: Fields) => string | undefined;
}>;

const title: FieldDefinition = { label: 'Title', type: 'line', required: true, max: 200 };

/** The governed records of the workbench (seed 002) and the budget that financial operations spend from. */
export const kinds = {
  work_item: {
    label: 'Work item',
    fields: {
      title,
      description: { label: 'Description', type: 'prose', max: 20_000 },
      status: { label: 'Status', type: 'choice', values: ['open', 'in_progress', 'done'], initial: 'open' },
      priority: { label: 'Priority', type: 'choice', values: ['low', 'normal', 'high'], initial: 'normal' },
      labels: { label: 'Labels', type: 'lines', max: 20, initial: [] },
      acceptanceCriteria: { label: 'Acceptance criteria', type: 'lines', max: 50, initial: [] },
    },
  },
  thread: {
    label: 'Thread',
    fields: {
      title,
      status: { label: 'Status', type: 'choice', values: ['open', 'closed'], initial: 'open' },
      messages: { label: 'Messages', type: 'messages', max: 1_000, initial: [], onlyBy: ['thread.reply'] },
    },
  },
  decision: {
    label: 'Decision',
    fields: {
      title,
      question: { label: 'Question', type: 'prose', required: true, max: 5_000 },
      options: { label: 'Options', type: 'lines', max: 20, initial: [] },
      choice: { label: 'Choice', type: 'line', max: 500 },
      rationale: { label: 'Rationale', type: 'prose', max: 20_000 },
    },
    invariant: ({ choice, options, rationale }) => {
      if (choice === undefined) return undefined;
      if (!(options as string[]).includes(choice as string)) return 'The choice must be one of the options.';
      return rationale === undefined ? 'A choice needs its rationale.' : undefined;
    },
  },
  proposal: {
    label: 'Written proposal',
    fields: {
      title,
      summary: { label: 'Summary', type: 'prose', required: true, max: 5_000 },
      body: { label: 'Body', type: 'prose', max: 50_000 },
      status: { label: 'Status', type: 'choice', values: ['draft', 'submitted', 'accepted', 'rejected'], initial: 'draft' },
    },
  },
  graph_reference: {
    label: 'Graph reference',
    fields: {
      title,
      source: { label: 'Source', type: 'line', required: true, max: 500 },
      target: { label: 'Target', type: 'line', required: true, max: 500 },
      relation: { label: 'Relation', type: 'line', required: true, max: 100 },
      note: { label: 'Note', type: 'prose', max: 5_000 },
    },
    invariant: ({ source, target }) => (source === target ? 'Source and target must differ.' : undefined),
  },
  content_brief: {
    label: 'Content brief',
    fields: {
      title,
      audience: { label: 'Audience', type: 'line', required: true, max: 500 },
      outline: { label: 'Outline', type: 'lines', max: 100, initial: [] },
      acceptanceCriteria: { label: 'Acceptance criteria', type: 'lines', max: 50, initial: [] },
      status: {
        label: 'Status',
        type: 'choice',
        values: ['draft', 'accepted', 'dispatched'],
        initial: 'draft',
        reservedValues: { dispatched: ['brief.dispatch'] },
      },
    },
    transitions: { dispatched: ['accepted'] },
    invariant: ({ status, acceptanceCriteria }) =>
      status !== 'draft' && (acceptanceCriteria as string[]).length === 0
        ? 'A brief is accepted only with acceptance criteria.'
        : undefined,
  },
  budget: {
    label: 'Budget',
    fields: {
      title,
      currency: { label: 'Currency', type: 'choice', values: ['EUR', 'USD', 'GBP', 'CHF', 'JPY'], required: true },
      limit: { label: 'Limit (minor units)', type: 'amount', required: true },
      spent: { label: 'Spent (minor units)', type: 'amount', initial: '0', onlyBy: ['studio.generate'] },
    },
    invariant: ({ limit, spent }) => (BigInt(spent as string) > BigInt(limit as string) ? 'The budget does not cover this.' : undefined),
  },
} as const satisfies Readonly<Record<string, KindDefinition>>;

export type RecordKind = keyof typeof kinds;
export const recordKinds = Object.keys(kinds) as readonly RecordKind[];
export const kindOf = (kind: RecordKind): KindDefinition => kinds[kind];

/** The fields of a new record: what was given, and the initial value of the rest. */
export const initialFields = (kind: RecordKind, given: Fields): Fields => {
  const initials = Object.entries(kindOf(kind).fields).filter(([, field]) => field.initial !== undefined);
  return applyChanges(Object.fromEntries(initials.map(([name, field]) => [name, field.initial])), given);
};

/** `null` takes an optional field away. */
export const applyChanges = (fields: Fields, changes: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null && value !== undefined));

/** Every fault of the values that `operation` would set, each with a pointer below `base`. */
export const faultsOf = (kind: RecordKind, changes: Fields, operation: string, base: string): FieldError[] =>
  Object.entries(changes).flatMap(([name, value]) => {
    const field = Object.hasOwn(kindOf(kind).fields, name) ? kindOf(kind).fields[name] : undefined;
    const pointer = `${base}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!field)
      return [
        {
          pointer,
          detail: `A ${kindOf(kind).label.toLowerCase()} has no such field. It has: ${Object.keys(kindOf(kind).fields).join(', ')}.`,
        },
      ];
    const detail = faultOf(field, value, operation);
    return detail ? [{ pointer, detail }] : [];
  });

/** Required fields that are missing from the whole. */
export const missingFrom = (kind: RecordKind, fields: Fields, base: string): FieldError[] =>
  Object.entries(kindOf(kind).fields)
    .filter(([name, field]) => field.required && (fields[name] === undefined || fields[name] === null))
    .map(([name]) => ({ pointer: `${base}/${name}`, detail: 'This field is required.' }));

const faultOf = (field: FieldDefinition, value: unknown, operation: string): string | undefined => {
  if (field.onlyBy && !field.onlyBy.includes(operation)) return `Only ${field.onlyBy.join(' or ')} sets this field.`;
  if (value === null) return field.required || field.initial !== undefined ? 'This field cannot be taken away.' : undefined;
  switch (field.type) {
    case 'line':
      return isText(value, field.max) && !/[\r\n]/.test(value) ? undefined : `Must be one line of 1 to ${field.max} characters.`;
    case 'prose':
      return isText(value, field.max) ? undefined : `Must be a text of 1 to ${field.max} characters.`;
    case 'choice':
      if (typeof value !== 'string' || !field.values!.includes(value)) return `Must be one of: ${field.values!.join(', ')}.`;
      return field.reservedValues?.[value]?.includes(operation) === false
        ? `Only ${field.reservedValues[value].join(' or ')} sets ${value}.`
        : undefined;
    case 'lines':
      return Array.isArray(value) && value.length <= field.max! && value.every((line) => isText(line, 1_000) && !/[\r\n]/.test(line))
        ? undefined
        : `Must be a list of at most ${field.max} lines of 1 to 1000 characters.`;
    case 'messages':
      return Array.isArray(value) && value.length <= field.max! ? undefined : `Must be a list of at most ${field.max} messages.`;
    case 'amount':
      return typeof value === 'string' && /^(0|[1-9]\d{0,17})$/.test(value)
        ? undefined
        : 'Must be a whole number of minor units, as a string of at most 18 digits.';
    default:
      return field.type satisfies never;
  }
};

const isText = (value: unknown, max = Infinity): value is string =>
  typeof value === 'string' && value.trim() !== '' && [...value].length <= max;
