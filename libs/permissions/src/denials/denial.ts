import { accept, derivedId, refuse, type Command, type Decider, type Decision, type Event, type Recorded } from '#libs/kernel';
import type { Effect, Ladder, Tier } from '../effects.js';
import type { Party, Proof } from '../requests/permission.js';

/** What somebody tried with a request that is not theirs. */
export type Attempt = 'read' | 'decide' | 'run' | 'take back' | 'preview';

// Events: these shapes are stored forever. Times are RFC 3339 UTC.
/**
 * A call was denied without anybody being asked. `command` is shortened and has hidden characters made visible; `callDigest` is that of
 * the whole call.
 */
export type CallBlocked = Event<
  'CallBlocked',
  Readonly<{
    owner: string;
    agent: Party;
    agentId: string;
    sessionId?: string;
    toolName: string;
    command: string;
    callDigest: string;
    tier: Tier;
    ladder: Ladder;
    reason: string;
    effects: readonly Effect[];
    proof: Proof;
    at: string;
  }>
>;
/** Somebody reached for a request that is there and not theirs: it was neither shown nor changed. */
export type ForeignPermissionReached = Event<
  'ForeignPermissionReached',
  Readonly<{ by: Party; requestId: string; attempt: Attempt; at: string }>
>;
/** More was denied on this day than is written down. */
export type DenialsOmitted = Event<'DenialsOmitted', Readonly<{ by: string; at: string; recorded: number }>>;
export type DenialEvent = CallBlocked | ForeignPermissionReached | DenialsOmitted;

/** What was denied to one principal on one day: each once, and at most `MOST` of them. */
export type Denials = Readonly<{ known: readonly string[]; omitted: boolean }>;
/** So that nobody fills the store with what is denied. */
export const MOST = 200;

const nameOf = (event: CallBlocked | ForeignPermissionReached): string =>
  event.type === 'CallBlocked' ? event.data.callDigest : `${event.data.attempt} ${event.data.requestId}`;

/** One stream for each principal and day in a workspace: what others may see and write is not touched. */
export const denialId = (workspaceId: string, principalId: string, at: string): string =>
  derivedId('denial', workspaceId, principalId, at.slice(0, 10));

const evolve = (state: Denials, event: Recorded<DenialEvent>): Denials => {
  switch (event.type) {
    case 'CallBlocked':
    case 'ForeignPermissionReached':
      return { ...state, known: [...state.known, nameOf(event)] };
    case 'DenialsOmitted':
      return { ...state, omitted: true };
    default:
      return state;
  }
};

export type RecordDenial = Command<'RecordDenial', Readonly<{ denial: CallBlocked | ForeignPermissionReached }>>;

const decide = ({ data: { denial }, meta: { actor, at } }: RecordDenial, { known, omitted }: Denials): Decision<DenialEvent> => {
  if (omitted || known.includes(nameOf(denial))) return refuse('conflict', 'denial/recorded', 'This is on record.');
  return known.length < MOST ? accept(denial) : accept({ type: 'DenialsOmitted', data: { by: actor.id, at, recorded: known.length } });
};

export const denialDecider: Decider<RecordDenial, Denials, DenialEvent> = {
  category: 'denial',
  initialState: { known: [], omitted: false },
  decide,
  evolve,
};
