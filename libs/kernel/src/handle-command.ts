import type { Command, Decider } from './decider.js';
import { ConcurrencyError, DuplicateEventError, type EventStore } from './event-store.js';
import { streamName, type Event, type NewEvent, type Position, type Recorded } from './event.js';
import { derivedId } from './ids.js';
import { advanced, knownStreams, unknown, type KnownStream } from './known-streams.js';
import { DomainError, refusal } from './refusal.js';

/** What a command leaves: where it was written, the events that it wrote, and the state after them and all else that is known. */
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
 *
 * A stream that is known from before is not read first: it is decided on as it was then, and what that gives counts only if it
 * could be appended at that very revision. Whatever else comes of it (a refusal, a conflict, an answer of before) is found
 * out again from what the stream holds now.
 */
export async function handleCommand<C extends Command, S, E extends Event>(
  store: EventStore,
  decider: Decider<C, S, E>,
  id: string,
  command: C,
): Promise<Handled<S, E>> {
  const stream = streamName(decider.category, id);
  const streams = knownStreams(store, decider);
  let known = streams.get(stream);
  let duplicate = false;
  for (let attempt = known ? 0 : 1; ; attempt++) {
    if (attempt > 0) known = await readOn(store, decider, stream, known);
    const { state, revision, first, commands } = known!;
    if (first) assertReachable(decider.category, first, command);

    if (commands.has(command.meta.commandId)) {
      const { events } = await store.readStream<E>(stream);
      const prior = events.filter(({ meta }) => meta.commandId === command.meta.commandId);
      known = advanced(decider, unknown(decider.initialState), events);
      streams.put(stream, known);
      if (prior.length === 0) continue; // a store that was taken back to an earlier state
      return outcome(decider, id, command, prior, known.state);
    }

    const decision = decider.decide(command, state);
    if (decision.events.length === 0) {
      if (attempt === 0) continue;
      streams.put(stream, known!);
      if (decision.refusal) throw new DomainError(decision.refusal);
      throw new Error(`${decider.category} decided nothing on ${command.type}.`);
    }
    let added;
    try {
      ({ events: added } = await store.append(
        stream,
        decision.events.map((event, index) => toNew(event, index, command, first)),
        revision,
      ));
    } catch (error) {
      // A duplicate is this very command, stored by another server meanwhile: the next read finds what it left, or it is a fault.
      if (error instanceof DuplicateEventError && !duplicate) {
        duplicate = true;
        continue;
      }
      if (!(error instanceof ConcurrencyError)) throw error;
      if (attempt >= ATTEMPTS)
        throw new DomainError(refusal('conflict', 'stream/busy', 'Others write here right now. Read again and retry.'));
      continue;
    }
    known = advanced(decider, known!, added);
    streams.put(stream, known);
    const handled = outcome(decider, id, command, added, known.state);
    if (decision.refusal) throw new DomainError(decision.refusal);
    return handled;
  }
}

/** The stream as it is now: only what is newer than what is known of it is read. */
const readOn = async <C extends Command, S, E extends Event>(
  store: EventStore,
  decider: Decider<C, S, E>,
  stream: string,
  known: KnownStream<S> = unknown(decider.initialState),
): Promise<KnownStream<S>> => {
  const { events, revision } = await store.readStream<E>(stream, known.revision + 1n);
  // Shorter than it was: the store was taken back to an earlier state, and what was known of it is void.
  if (revision < known.revision) return readOn(store, decider, stream);
  return advanced(decider, known, events);
};

/** The events that a command left in a stream; empty where it never got that far. For reactors, which look before they judge again. */
export async function findOutcome(store: EventStore, stream: string, commandId: string): Promise<readonly Recorded[]> {
  const { events } = await store.readStream(stream);
  return events.filter((event) => event.meta.commandId === commandId);
}

type First = NonNullable<KnownStream<unknown>['first']>;

const assertReachable = (category: string, first: First, { meta }: Command): void => {
  const reachable =
    first.tenantId === meta.tenantId && meta.actor.tenantId === meta.tenantId && meta.actor.workspaceIds.includes(first.workspaceId);
  if (!reachable)
    throw new DomainError(
      refusal('not_found', `${category}/not-found`, `There is no such ${category} here. Check the id and the workspace.`),
    );
};

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

const toNew = <E extends Event>(event: E, index: number, { meta }: Command, first: First | undefined): NewEvent<E> => ({
  ...event,
  id: derivedId(meta.commandId, String(index)),
  meta: {
    tenantId: meta.tenantId,
    workspaceId: first?.workspaceId ?? meta.workspaceId,
    actor: { id: meta.actor.id, kind: meta.actor.kind },
    credentialId: meta.actor.credentialId,
    ...(meta.onBehalfOf && { onBehalfOf: meta.onBehalfOf }),
    auditId: meta.auditId ?? first?.auditId ?? derivedId(meta.commandId, 'audit'),
    commandId: meta.commandId,
    requestDigest: meta.requestDigest,
    correlationId: meta.correlationId,
    causationId: meta.causationId,
    ...(meta.policyVersion && { policyVersion: meta.policyVersion }),
    ...(meta.policies && meta.policies.length > 0 && { policies: meta.policies }),
  },
});
