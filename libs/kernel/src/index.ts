export { Batched } from './batched.js';
export { canonicalJson, digestOf, sha256 } from './canonical.js';
export { accept, record, refuse, type Command, type CommandMeta, type Decider, type Decision } from './decider.js';
export { EventTypes, MAX_EVENT_BYTES, UnstorableError, eventTypes, type EncodedEvent, type EventShape } from './encoding.js';
export { recordedFrom, type EventRow } from './event-row.js';
export { Doorbell } from './doorbell.js';
export { ConcurrencyError, DuplicateEventError, EventStore, NO_STREAM, type Appended } from './event-store.js';
export {
  categoryOf,
  idOf,
  streamName,
  type Author,
  type Event,
  type EventMeta,
  type NewEvent,
  type Position,
  type Recorded,
} from './event.js';
export { findOutcome, handleCommand, type Handled } from './handle-command.js';
export { derivedId, isId, newId, timedId } from './ids.js';
export { remember } from './known-streams.js';
export { InMemoryEventStore } from './in-memory.event-store.js';
export { prepareAppend } from './prepare-append.js';
export { readState } from './read-state.js';
export { SYSTEM_ID, systemPrincipal, type Lineage, type Principal, type Role } from './principal.js';
export { DomainError, isTransient, refusal, type FieldError, type Refusal, type RefusalKind } from './refusal.js';
