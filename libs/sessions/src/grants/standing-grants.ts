import type { CommandMeta } from '#libs/kernel';
import type { HeldCall, Party } from '../session-events.js';

/** A call of a session, with what its runtime calls the agent and where it works. */
export type StandingCall = Pick<HeldCall, 'approvalId' | 'tool' | 'toolInput'> &
  Readonly<{ sessionId: string; agentId: string; cwd?: string }>;
/** Ids of the grants whose use was noted, and the owner that gave them. */
export type StandingCoverage = Readonly<{ grants: readonly string[]; by: Party }>;

/**
 * What the runner's owner allows for good, which others keep: where that covers the call, its use is noted and told. Whatever fails in it
 * is a no, and the owner is asked.
 */
export type StandingGrants = (meta: CommandMeta, call: StandingCall) => Promise<StandingCoverage | undefined>;
export const STANDING_GRANTS = Symbol('standing grants of owners');
