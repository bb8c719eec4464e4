export { taskDecider, type TaskCommand } from './task.decider.js';
export { HandleTask } from './task.handler.js';
export {
  taskEvents,
  type Artifact,
  type ChangedPath,
  type EvidenceAtom,
  type Finding,
  type Holder,
  type LeaseKind,
  type Provenance,
  type Relation,
  type TaskEvent,
} from './task-events.js';
export type { Task, TaskStatus } from './task.js';
export { differences, outOfScope } from './reports/changed-paths.js';
export { missingEvidence } from './verifications/evidence.js';
export { sharedLineage } from './verifications/independence.js';
