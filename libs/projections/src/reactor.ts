import type { EventStore, Recorded } from '#libs/kernel';

/** What a reactor or a deadline's handler works with. `signal` aborts when this server no longer leads. */
export type WorkContext = Readonly<{ store: EventStore; now(): string; signal: AbortSignal }>;

/**
 * Event → command, one event after the other, at least once: ids of what it does derive from `(event.id, name, …)`. A new
 * reactor starts with the first event of the store. It swallows the refusals it expects; one it throws is tried again and
 * then parked, with the later events of the same stream, while other streams go on.
 */
export type Reactor = Readonly<{
  name: string;
  types: readonly string[];
  react(event: Recorded, context: WorkContext): Promise<void>;
}>;
