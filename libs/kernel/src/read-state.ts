import type { Command, Decider } from './decider.js';
import type { EventStore } from './event-store.js';
import { streamName, type Event, type Recorded } from './event.js';
import type { Principal } from './principal.js';
import { DomainError, refusal } from './refusal.js';

/**
 * One stream as its reader may see it, folded: always the newest, whatever projections know. A stream that does not
 * exist, or lies in another tenant or workspace, is 404 `<category>/not-found`.
 */
export async function readState<C extends Command, S, E extends Event>(
  store: EventStore,
  decider: Decider<C, S, E>,
  id: string,
  reader: Principal,
): Promise<Readonly<{ events: readonly Recorded<E>[]; state: S; revision: bigint }>> {
  const { events, revision } = await store.readStream<E>(streamName(decider.category, id));
  const first = events[0];
  if (!first || first.meta.tenantId !== reader.tenantId || !reader.workspaceIds.includes(first.meta.workspaceId))
    throw new DomainError(
      refusal('not_found', `${decider.category}/not-found`, `There is no such ${decider.category} here. Check the id and the workspace.`),
    );
  return { events, state: events.reduce((state, event) => decider.evolve(state, event), decider.initialState), revision };
}
