export {
  applyChanges,
  kindOf,
  kinds,
  recordKinds,
  type FieldDefinition,
  type Fields,
  type KindDefinition,
  type RecordKind,
} from './fields.js';
export {
  evolve as evolveRecord,
  type GovernedRecord,
  type RecordArchived,
  type RecordChanged,
  type RecordCreated,
  type RecordEvent,
} from './record.js';
export { recordDecider, type RecordCommand } from './record.decider.js';
export { HandleRecord } from './record.handler.js';
export { RecordRow, records, RecordsQuery } from './read-models/records.js';
export { recordEvents } from './record-events.js';
export { RecordsModule } from './records.module.js';
