import { refusal, type Recorded, type Refusal } from '#libs/kernel';
import type { ResolvedApproval } from './session.js';
import type { ApprovalResolved, SessionCancelled, SessionEvent } from './session-events.js';

/** As the kernel says it of another tenant's: nobody learns which sessions exist. */
export const sessionNotFound = (): Refusal =>
  refusal('not_found', 'session/not-found', 'There is no such session here. Check the id and the workspace.');

export const ownerOnly = (): Refusal =>
  refusal('forbidden', 'session/owner-only', 'Only the human who is accountable for the run decides in it.');

export const approvalNotFound = (): Refusal =>
  refusal('not_found', 'approval/not-found', 'There is no such approval in this session. Nothing was decided.');

export const cancelled = ({ by, at, reason }: SessionCancelled['data']): Refusal =>
  refusal('conflict', 'session/cancelled', `${by.name} cancelled this session at ${at}: ${reason}`, { by, at, reason });

/** How an approval that is over answers one who would still resolve it. */
export const over = ({ resolution }: ResolvedApproval): Refusal =>
  resolution.cause === 'timeout'
    ? timedOut(resolution)
    : refusal('conflict', 'approval/decided', `This was ${resolution.allow ? 'allowed' : 'denied'} at ${resolution.at}.`, told(resolution));

export const timedOut = (resolution: ApprovalResolved['data']): Refusal =>
  refusal(
    'gone',
    'approval/timed-out',
    `Time to decide ended at ${resolution.timeoutAt ?? resolution.at}; it was denied and did not run. The agent has to ask again.`,
    told(resolution),
  );

const told = ({ approvalId, allow, via, cause, by, at }: ApprovalResolved['data']) => ({ approvalId, allow, via, cause, by, at });

/** A decision that came too late is a fact and a refusal; a retry of it is refused the same way. */
export const refusalOf = ({ type, data, meta }: Recorded<SessionEvent>): Refusal | undefined =>
  type === 'ApprovalResolved' && data.cause === 'timeout' && meta.actor.kind === 'human' ? timedOut(data) : undefined;
