import type { Event, Recorded } from '#libs/kernel';
import { applyChanges, type Fields, type RecordKind } from './fields.js';

/** Where a change of a record comes from: every one was proposed and decided. `at` is RFC 3339 UTC. */
type Origin = Readonly<{ proposalId: string; operation: string; reason: string; requester: string; approvedBy: string; at: string }>;

// Events: these shapes are stored forever.
/** A governed record came to be, with all its fields. */
export type RecordCreated = Event<'RecordCreated', Origin & Readonly<{ kind: RecordKind; fields: Fields }>>;
/** Fields of a record changed; `null` where a field was absent before or was taken away. */
export type RecordChanged = Event<
  'RecordChanged',
  Origin & Readonly<{ changes: Readonly<Record<string, Readonly<{ before: unknown; after: unknown }>>> }>
>;
/** A record left the working set; its history stays readable. */
export type RecordArchived = Event<'RecordArchived', Origin>;
export type RecordEvent = RecordCreated | RecordChanged | RecordArchived;

export type GovernedRecord =
  Readonly<{ status: 'none' }> | Readonly<{ status: 'active' | 'archived'; kind: RecordKind; fields: Fields; revision: bigint }>;

export const evolve = (state: GovernedRecord, event: Recorded<RecordEvent>): GovernedRecord => {
  switch (event.type) {
    case 'RecordCreated':
      return { status: 'active', kind: event.data.kind, fields: event.data.fields, revision: event.revision };
    case 'RecordChanged': {
      if (state.status === 'none') return state;
      const after = Object.fromEntries(Object.entries(event.data.changes).map(([name, change]) => [name, change.after]));
      return { ...state, fields: applyChanges(state.fields, after), revision: event.revision };
    }
    case 'RecordArchived':
      return state.status === 'none' ? state : { ...state, status: 'archived', revision: event.revision };
    default:
      return state;
  }
};
