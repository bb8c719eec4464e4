import { accept, refuse, type Command, type Decider, type Decision } from '#libs/kernel';
import { applyChanges, faultsOf, initialFields, kindOf, missingFrom, type Fields, type RecordKind } from './fields.js';
import { evolve, type GovernedRecord, type RecordEvent } from './record.js';

/** What every change names: the decided proposal that it carries out. */
export type Origin = Readonly<{ proposalId: string; operation: string; reason: string; requester: string; approvedBy: string }>;

export type CreateRecord = Command<'CreateRecord', Origin & Readonly<{ kind: RecordKind; fields: Fields }>>;
/** `expectedRevision` is the revision that the card showed; a record that moved on refuses. */
export type ChangeRecord = Command<'ChangeRecord', Origin & Readonly<{ expectedRevision: string; changes: Fields }>>;
export type ArchiveRecord = Command<'ArchiveRecord', Origin & Readonly<{ expectedRevision: string }>>;
export type RecordCommand = CreateRecord | ChangeRecord | ArchiveRecord;

export const decide = (command: RecordCommand, state: GovernedRecord): Decision<RecordEvent> => {
  const { at } = command.meta;
  switch (command.type) {
    case 'CreateRecord': {
      if (state.status !== 'none') return refuse('conflict', 'record/exists', 'This record exists already.');
      const { kind, fields: given, ...origin } = command.data;
      const fields = initialFields(kind, given);
      const faults = [...faultsOf(kind, given, command.data.operation, '/fields'), ...missingFrom(kind, fields, '/fields')];
      if (faults.length > 0) return refuse('invalid', 'record/invalid', 'Correct the named fields.', undefined, faults);
      return kept(kind, fields) ?? accept({ type: 'RecordCreated', data: { ...origin, kind, fields, at } });
    }
    case 'ChangeRecord': {
      const no = unusable(state, command.data.expectedRevision);
      if (no) return no;
      const record = state as Exclude<GovernedRecord, { status: 'none' }>;
      const { changes, expectedRevision: _, ...origin } = command.data;
      const faults = faultsOf(record.kind, changes, command.data.operation, '/changes');
      if (faults.length > 0) return refuse('invalid', 'record/invalid', 'Correct the named fields.', undefined, faults);
      const from = kindOf(record.kind).transitions?.[changes['status'] as string];
      if (from && !from.includes(record.fields['status'] as string))
        return refuse(
          'conflict',
          'record/wrong-status',
          `It becomes ${String(changes['status'])} only from ${from.join(' or ')}, and is ${String(record.fields['status'])}.`,
        );
      const diff = Object.fromEntries(
        Object.entries(changes).map(([name, after]) => [name, { before: record.fields[name] ?? null, after: after ?? null }]),
      );
      return (
        kept(record.kind, applyChanges(record.fields, changes)) ?? accept({ type: 'RecordChanged', data: { ...origin, changes: diff, at } })
      );
    }
    case 'ArchiveRecord': {
      const no = unusable(state, command.data.expectedRevision);
      if (no) return no;
      const { expectedRevision: _, ...origin } = command.data;
      return accept({ type: 'RecordArchived', data: { ...origin, at } });
    }
    default:
      return command satisfies never;
  }
};

const unusable = (state: GovernedRecord, expectedRevision: string): Decision<RecordEvent> | undefined => {
  if (state.status === 'none')
    return refuse('not_found', 'record/not-found', 'There is no such record here. Check the id and the workspace.');
  if (state.revision.toString() !== expectedRevision)
    return refuse('conflict', 'record/stale', `The record is at revision ${state.revision} by now. Look at it again and propose again.`, {
      expectedRevision,
      presentRevision: state.revision.toString(),
    });
  if (state.status === 'archived') return refuse('conflict', 'record/archived', 'The record is archived and changes no more.');
  return undefined;
};

const kept = (kind: RecordKind, fields: Fields): Decision<RecordEvent> | undefined => {
  const broken = kindOf(kind).invariant?.(fields);
  return broken === undefined ? undefined : refuse('invalid', 'record/invalid', broken);
};

export const recordDecider: Decider<RecordCommand, GovernedRecord, RecordEvent> = {
  category: 'record',
  initialState: { status: 'none' },
  decide,
  evolve,
};
