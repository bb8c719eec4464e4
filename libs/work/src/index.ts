export { TaskRow, TasksQuery, type TaskFilter } from './read-models/tasks.js';
export { Artifacts, MAX_ARTIFACT_BYTES } from './reports/artifacts.js';
export { differences, outOfScope } from './reports/changed-paths.js';
export { MAX_STATEMENT_BYTES } from './reports/statement-size.js';
export { treeOf } from './shipping/tree-of.js';
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
export { taskStatuses, type Task, type TaskStatus } from './task.js';
export { evolveView, lineOf, type ReportView, type TaskLine, type TaskView, type VerdictView } from './task-view.js';
export { Tasks, type ShownTask } from './tasks.js';
export { missingEvidence, type MissingEvidence } from './verifications/evidence.js';
export { sharedLineage } from './verifications/independence.js';
export type { Output } from './verifications/check-run.js';
export { inspectReport, type InspectedReport, type Inspection } from './verifications/git-inspection.js';
export { taskIdOf } from './when-mutation-committed.reactor.js';
export { workDeadlines, WorkModule, workProjections, workReactors } from './work.module.js';
export { WorkSettings } from './work-settings.js';
