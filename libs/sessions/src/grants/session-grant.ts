import type { JudgedCall } from '../approvals/judged-call.js';
import type { HeldCall } from '../session-events.js';
import type { KnownSession, SessionGrant } from '../session.js';

/** A contract is changed by a human every time. */
export const UNGRANTABLE_TOOLS: readonly string[] = ['alter_verification'];
/** From here on a human decides every time. */
export const GRANT_CEILING = 4;

export type GrantedCall = Pick<HeldCall, 'tool'> & Readonly<{ judged: JudgedCall }>;

/** Why calls like this one are never remembered; undefined where they may be. */
export const ungrantable = ({ tool, judged }: GrantedCall): string | undefined => {
  if (UNGRANTABLE_TOOLS.includes(tool)) return `${tool} is decided by a person every time.`;
  if (judged.tier >= GRANT_CEILING) return 'What may destroy something is decided every time.';
  if (judged.ungrantable !== undefined) return judged.ungrantable;
  if (judged.program.length === 0 || judged.program.some((word) => word.trim() === '')) return 'It names no program.';
  return undefined;
};

/**
 * Whether the grant covers the call: the same tool and program word by word, at or below its tier and below the ceiling, with no effect
 * that the granted call did not have.
 */
export const matches = (grant: Pick<SessionGrant, 'tool' | 'program' | 'tier' | 'effects'>, call: GrantedCall): boolean =>
  ungrantable(call) === undefined &&
  grant.tool === call.tool &&
  grant.program.length === call.judged.program.length &&
  grant.program.every((word, index) => word === call.judged.program[index]) &&
  call.judged.tier <= grant.tier &&
  call.judged.effects.every((effect) => grant.effects.includes(effect));

/** The grant of this session that covers the call at that time. */
export const grantFor = ({ grants }: KnownSession, call: GrantedCall, at: string): SessionGrant | undefined =>
  Object.values(grants).find((grant) => inForce(grant, at) && matches(grant, call));

export const inForce = ({ revokedAt, expiresAt }: SessionGrant, at: string): boolean => revokedAt === undefined && at < expiresAt;
