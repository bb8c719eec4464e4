import type { Fields, RecordKind } from '#libs/records';
import type { Image, Mode, RiskClass } from '../proposal.js';
import type { WorkScope } from '../work-scope.js';

/** Seed 000: how much a person must look at it. Confirmation is required of every proposal; the level orders the inbox. */
export const riskLevels = { read: 0, write: 1, unknown: 2, financial: 3, destructive: 4, bulk: 5 } as const satisfies Readonly<
  Record<RiskClass, number>
>;

/** One change of one record, as the operation would make it. */
export type Effect =
  | Readonly<{ type: 'create'; recordId: string; kind: RecordKind; fields: Fields }>
  | Readonly<{ type: 'change'; recordId: string; changes: Fields }>
  | Readonly<{ type: 'archive'; recordId: string }>;

/** Which records an operation reads before it is planned: those it changes, and those it only names. */
export type Named = Readonly<{ targets: readonly string[]; references: readonly string[] }>;

/** What an operation would do to the records as they are. Pure: the same arguments and images give the same plan at execution. */
export type Plan = Readonly<{
  summary: string;
  effects: readonly Effect[];
  warnings: readonly string[];
  outcomes: Readonly<{ approve: string; decline: string }>;
  work?: Readonly<{ title: string; brief: string; scope: WorkScope }>;
}>;

export type PlanInput<A> = Readonly<{
  arguments: A;
  proposalId: string;
  targets: readonly Image[];
  references: readonly Image[];
  requester: string;
  at: string;
}>;

/** A row of the table. `arguments` is the DTO class that validates what was proposed. */
export type Operation<A extends object = object> = Readonly<{
  title: string;
  arguments: new () => A;
  risk: Exclude<RiskClass, 'read' | 'unknown'>;
  why: string;
  mode: Mode;
  /** Kinds of the records that it may change; every kind where absent. */
  targetKinds?: readonly RecordKind[];
  /** Kinds of the records that its arguments may name besides. */
  referenceKinds?: readonly RecordKind[];
  /** The queue that its work goes to, for operations that queue work. */
  queue?: 'code' | 'content' | 'studio';
  reversible: boolean;
  names(args: A): Named;
  plan(input: PlanInput<A>): Plan;
}>;
