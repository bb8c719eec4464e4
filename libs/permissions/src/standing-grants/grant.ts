import type { Event, Recorded } from '#libs/kernel';
import type { Effect, Tier } from '../effects.js';
import type { Constraints } from '../verdict.js';

/** What a standing approval covers: calls of this tool whose every word of `prefix`, tier, effects and constraints fit. */
export type GrantScope = Readonly<{
  tool: string;
  /** Program and the words that name what it does, never flags; never empty. */
  prefix: readonly string[];
  tier: Tier;
  effects: readonly Effect[];
  constraints: Constraints;
}>;

/**
 * For whom and where: calls of this principal, under the name that its runtime gave it then, in the workspace that it stated then, and of
 * one session where it names one.
 */
export type GrantHolder = Readonly<{ principalId: string; agentId: string; workspace?: string; sessionId?: string }>;

// Events: these shapes are stored forever. Times are RFC 3339 UTC.
/** Its owner lets calls like this one run without being asked again, until `expiresAt`, at most `maxUses` times. `from` is the id of the request. */
export type GrantCreated = Event<
  'GrantCreated',
  Readonly<{
    owner: string;
    ownerName: string;
    holder: GrantHolder;
    scope: GrantScope;
    from: string;
    at: string;
    expiresAt: string;
    maxUses: number;
  }>
>;
/** A call ran by it. `requestId` is that of the call's own permission. */
export type GrantUsed = Event<'GrantUsed', Readonly<{ at: string; by: string; requestId: string; callDigest: string }>>;
/** It covers nothing any more, from this moment on, on every server. `by` is a principal id. */
export type GrantRevoked = Event<'GrantRevoked', Readonly<{ by: string; at: string; reason: string }>>;
/** Its time ended, or its uses did. */
export type GrantExpired = Event<'GrantExpired', Readonly<{ at: string; why: 'time' | 'uses' }>>;
export type GrantEvent = GrantCreated | GrantUsed | GrantRevoked | GrantExpired;

export type Grant =
  | Readonly<{ status: 'none' }>
  | (Readonly<{ status: 'active' | 'revoked' | 'expired'; uses: number; endedAt?: string; endedBy?: string }> & GrantCreated['data']);
export type KnownGrant = Exclude<Grant, { status: 'none' }>;
export const grantStatuses = ['active', 'revoked', 'expired'] as const satisfies readonly KnownGrant['status'][];

export const evolve = (state: Grant, event: Recorded<GrantEvent>): Grant => {
  if (event.type === 'GrantCreated') return state.status === 'none' ? { ...event.data, status: 'active', uses: 0 } : state;
  if (state.status !== 'active') return state;
  switch (event.type) {
    case 'GrantUsed':
      return { ...state, uses: state.uses + 1 };
    case 'GrantRevoked':
      return { ...state, status: 'revoked', endedAt: event.data.at, endedBy: event.data.by };
    case 'GrantExpired':
      return { ...state, status: 'expired', endedAt: event.data.at };
    default:
      return state;
  }
};
