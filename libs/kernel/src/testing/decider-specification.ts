import { isDeepStrictEqual } from 'node:util';
import type { Command, CommandMeta, Decider } from '../decider.js';
import { streamName, type Event, type EventMeta, type Recorded } from '../event.js';
import { derivedId } from '../ids.js';
import type { Principal } from '../principal.js';

/** `given(decider, …events).when(command).then(…events)`: a rule as a sentence, without a store. */
export const given = <C extends Command, S, E extends Event>(decider: Decider<C, S, E>, ...history: readonly E[]) => ({
  when: (command: C) => {
    const state = fold(decider, history);
    const decision = decider.decide(command, state);
    const decided = {
      decision,
      /** Exactly these events, and no refusal. */
      then: (...expected: readonly E[]): void => {
        equal(decision.refusal, undefined);
        equal(decision.events, expected);
      },
      /** Accepted, with events of these types in this order. */
      thenTypes: (...expected: readonly E['type'][]): void => {
        equal(decision.refusal, undefined);
        equal(
          decision.events.map(({ type }) => type),
          expected,
        );
      },
      /** Refused, and nothing appended. */
      thenRefused: (code: string): void => {
        equal(decision.refusal?.code, code);
        equal(decision.events, []);
      },
      /** Refused, and the refusal itself recorded so that a retry is answered the same. */
      thenRefusedAndRecorded: (code: string, ...expected: readonly E['type'][]): void => {
        equal(decision.refusal?.code, code);
        const { id: actor, kind } = command.meta.actor;
        const answers = decision.events.map((event) =>
          decider.refusalOf?.(recorded(event, { meta: { actor: { id: actor, kind } } as EventMeta })),
        );
        equal(answers.find(Boolean), decision.refusal);
        equal(
          decision.events.map(({ type }) => type),
          expected,
        );
      },
      /** The state once the decided events are folded in. */
      state: (): S => fold(decider, [...history, ...decision.events]),
    };
    return decided;
  },
});

/** The state that a history leads to. */
export const fold = <C extends Command, S, E extends Event>(decider: Decider<C, S, E>, history: readonly E[]): S =>
  history.reduce(
    (state, event, index) =>
      decider.evolve(state, recorded(event, { revision: BigInt(index), stream: streamName(decider.category, 'test') })),
    decider.initialState,
  );

/** An event as if read from a store; what its meta or its place should be may be given. */
export const recorded = <E extends Event>(event: E, place: Partial<Recorded> = {}): Recorded<E> => ({
  id: derivedId('test-event', event.type, String(place.revision ?? 0n)),
  stream: 'test-1',
  revision: 0n,
  position: String((place.revision ?? 0n) + 1n),
  recordedAt: AT,
  ...place,
  ...event,
  meta: {
    tenantId: TENANT,
    workspaceId: WORKSPACE,
    actor: { id: 'test', kind: 'service' },
    credentialId: 'test',
    auditId: 'audit-test',
    commandId: 'past',
    requestDigest: '',
    correlationId: '',
    causationId: '',
    schemaVersion: 1,
    contentHash: '',
    ...(event as Partial<Recorded>).meta,
    ...place.meta,
  },
});

export const TENANT = '0192f0c1-0000-7000-8000-00000000000a';
export const WORKSPACE = '0192f0c1-0000-7000-8000-00000000000b';
export const AT = '2026-01-05T09:00:00.000Z';

/** A principal of the test tenant; a human is accountable for itself. */
export const principal = (id: string, over: Partial<Principal> = {}): Principal => {
  const kind = over.kind ?? 'human';
  const accountableHuman = over.accountableHuman ?? (kind === 'human' ? id : `human-of-${id}`);
  return {
    id,
    kind,
    name: id,
    tenantId: TENANT,
    workspaceIds: [WORKSPACE],
    roles: [],
    credentialId: `credential-of-${id}`,
    accountableHuman,
    capabilities: [],
    lineage: { accountableHuman, sessions: [`session-of-${id}`] },
    ...over,
  };
};

/** Meta of a command that `actor` sends at `at`. */
export const metaOf = (actor: Principal, over: Partial<CommandMeta> = {}): CommandMeta => ({
  tenantId: actor.tenantId,
  workspaceId: WORKSPACE,
  actor,
  at: AT,
  commandId: derivedId('test-command', actor.id, over.at ?? AT),
  requestDigest: 'digest',
  correlationId: 'correlation',
  causationId: 'cause',
  ...over,
});

const equal = (actual: unknown, expected: unknown): void => {
  // Not assert: its message for nested objects hides the difference that a reader needs.
  if (!isDeepStrictEqual(plain(actual), plain(expected))) throw new Error(`Expected ${show(expected)}\n but got ${show(actual)}`);
};
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(show(value)));
const show = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item), 1) ?? 'undefined';
