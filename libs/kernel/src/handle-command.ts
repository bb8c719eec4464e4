import type { Command, Decider } from './decider.js';
import { ConcurrencyError, DuplicateEventError, type EventStore } from './event-store.js';
import { streamName, type Event, type NewEvent, type Position, type Recorded } from './event.js';
import { derivedId } from './ids.js';
import { DomainError, refusal } from './refusal.js';

/** What a command leaves: where it was written, the events that it wrote, and the state after all that is known. */
export type Handled<S = unknown, E extends Event = Event> = Readonly<{
  id: string;
  revision: bigint;
  position: Position;
  auditId: string;
  events: readonly Recorded<E>[];
  state: S;
}>;

const ATTEMPTS = 3;

/**
 * Load, decide, append. A command whose `commandId` the stream holds already is answered as it was the first time (another
 * body is 422 `idempotency/other-body`); a stream of another tenant or workspace is not found; on a conflict it is
 * decided again, at most 3 times, then 409 `stream/busy`. A refusal that is a fact is appended before it is thrown.
 */
export async function handleCommand<C extends Command, S, E extends Event>(
  store: EventStore,
  decider: Decider<C, S, E>,
  id: string,
  command: C,
): Promise<Handled<S, E>> {
  const stream = streamName(decider.category, id);
  for (let attempt = 1; ; attempt++) {
    const { events, revision } = await store.readStream<E>(stream);
    const first = events[0];
    if (first) assertReachable(decider.category, first, command);

    const prior = of(command, events);
    if (prior.length > 0) return outcome(decider, id, command, prior, fold(decider, decider.initialState, events));

    const state = fold(decider, decider.initialState, events);
    const decision = decider.decide(command, state);
    if (decision.events.length === 0) {
      if (decision.refusal) throw new DomainError(decision.refusal);
      throw new Error(`${decider.category} decided nothing on ${command.type}.`);
    }
    try {
      await store.append(
        stream,
        decision.events.map((event, index) => toNew(event, index, command, first)),
        revision,
      );
    } catch (error) {
      // A duplicate is this very command, stored by another server meanwhile: the next read finds what it left.
      if (error instanceof DuplicateEventError && attempt < ATTEMPTS) continue;
      if (!(error instanceof ConcurrencyError)) throw error;
      if (attempt === ATTEMPTS)
        throw new DomainError(refusal('conflict', 'stream/busy', 'Others write here right now. Read again and retry.'));
      continue;
    }
    // Read back, but only from here on: the answer is what is stored, with the places and the time that the store gave.
    const { events: added } = await store.readStream<E>(stream, revision + 1n);
    const handled = outcome(decider, id, command, of(command, added), fold(decider, state, added));
    if (decision.refusal) throw new DomainError(decision.refusal);
    return handled;
  }
}

/** The events that a command left in a stream; empty where it never got that far. For reactors, which look before they judge again. */
export async function findOutcome(store: EventStore, stream: string, commandId: string): Promise<readonly Recorded[]> {
  const { events } = await store.readStream(stream);
  return events.filter((event) => event.meta.commandId === commandId);
}

const assertReachable = (category: string, first: Recorded, { meta }: Command): void => {
  const reachable =
    first.meta.tenantId === meta.tenantId &&
    meta.actor.tenantId === meta.tenantId &&
    meta.actor.workspaceIds.includes(first.meta.workspaceId);
  if (!reachable)
    throw new DomainError(
      refusal('not_found', `${category}/not-found`, `There is no such ${category} here. Check the id and the workspace.`),
    );
};

const of = <E extends Event>({ meta }: Command, events: readonly Recorded<E>[]): Recorded<E>[] =>
  events.filter((event) => event.meta.commandId === meta.commandId);

const fold = <C extends Command, S, E extends Event>(decider: Decider<C, S, E>, state: S, events: readonly Recorded<E>[]): S =>
  events.reduce((folded, event) => decider.evolve(folded, event), state);

const outcome = <C extends Command, S, E extends Event>(
  decider: Decider<C, S, E>,
  id: string,
  command: C,
  own: readonly Recorded<E>[],
  state: S,
): Handled<S, E> => {
  const last = own.at(-1)!;
  if (last.meta.requestDigest !== command.meta.requestDigest)
    throw new DomainError(
      refusal('invalid', 'idempotency/other-body', 'This Idempotency-Key was used with another body. Use a new key for a new wish.'),
    );
  const refused = own.map((event) => decider.refusalOf?.(event)).find((no) => no !== undefined);
  if (refused) throw new DomainError(refused);
  return { id, revision: last.revision, position: last.position, auditId: last.meta.auditId, events: own, state };
};

const toNew = <E extends Event>(event: E, index: number, { meta }: Command, first: Recorded | undefined): NewEvent<E> => ({
  ...event,
  id: derivedId(meta.commandId, String(index)),
  meta: {
    tenantId: meta.tenantId,
    workspaceId: first?.meta.workspaceId ?? meta.workspaceId,
    actor: { id: meta.actor.id, kind: meta.actor.kind },
    credentialId: meta.actor.credentialId,
    ...(meta.onBehalfOf && { onBehalfOf: meta.onBehalfOf }),
    auditId: meta.auditId ?? first?.meta.auditId ?? derivedId(meta.commandId, 'audit'),
    commandId: meta.commandId,
    requestDigest: meta.requestDigest,
    correlationId: meta.correlationId,
    causationId: meta.causationId,
    ...(meta.policyVersion && { policyVersion: meta.policyVersion }),
    ...(meta.policies && meta.policies.length > 0 && { policies: meta.policies }),
  },
});
