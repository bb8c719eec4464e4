import type { Event, Recorded } from './event.js';
import type { Principal } from './principal.js';
import { refusal, type Refusal } from './refusal.js';

/** Who asks, when, and why; `at` is RFC 3339 UTC with milliseconds, from PostgreSQL's clock. */
export type CommandMeta = Readonly<{
  tenantId: string;
  workspaceId: string;
  actor: Principal;
  at: string;
  commandId: string;
  requestDigest: string;
  correlationId: string;
  causationId: string;
  /** Absent: that of the stream's first event. A command that starts a stream, or acts on a record, names it. */
  auditId?: string;
  onBehalfOf?: string;
  policyVersion?: string;
  /** Ids of the policies that allowed it. */
  policies?: readonly string[];
}>;

/** A request that may be refused, imperative. */
export type Command<T extends string = string, D = unknown> = Readonly<{ type: T; data: D; meta: CommandMeta }>;

/** A refusal beside events is a fact as well: the events are appended, then the refusal is answered. */
export type Decision<E> = Readonly<{ events: readonly E[]; refusal?: Refusal }>;

export const accept = <E>(...events: E[]): Decision<E> => ({ events });
export const refuse = <E = never>(...args: Parameters<typeof refusal>): Decision<E> => ({ events: [], refusal: refusal(...args) });
export const record = <E>(events: readonly E[], no: Refusal): Decision<E> => ({ events, refusal: no });

/** The whole business logic of one kind of stream, as plain data and pure functions. */
export interface Decider<C extends Command, S, E extends Event> {
  readonly category: string;
  readonly initialState: S;
  decide(command: C, state: S): Decision<E>;
  evolve(state: S, event: Recorded<E>): S;
  /** The refusal that was answered when this event was appended, for events that record one; a retry answers the same. */
  refusalOf?(event: Recorded<E>): Refusal | undefined;
}
