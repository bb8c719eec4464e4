import type { Event, Recorded } from '#libs/kernel';
import type { WorkContext } from './reactor.js';

/** Something that has to happen at `dueAt` (RFC 3339 UTC) unless an event clears it before. `key` is unique among all deadlines. */
export type Deadline = Readonly<{ key: string; stream: string; kind: string; dueAt: string; tenantId: string; workspaceId: string }>;

/** Called when its time has come, by PostgreSQL's clock (`now`), at least once: ids derive from the deadline. */
export type DeadlineHandler = (deadline: Deadline, now: string, context: WorkContext) => Promise<void>;

/**
 * Which events set and clear deadlines (pure; setting a key again moves it), and what is done when one is due. A handler
 * that leaves no event which clears its deadline is called again later. Raise `version` when `deadline` would give others.
 */
export type DeadlineSource<
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list holds sources of all events
  E extends Event = any,
> = Readonly<{
  name: string;
  version: number;
  types: readonly E['type'][];
  deadline(event: Recorded<E>): Readonly<{ set?: readonly Deadline[]; clear?: readonly string[] }>;
  handlers: Readonly<Record<string, DeadlineHandler>>;
}>;
