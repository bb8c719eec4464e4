import type { Handled } from '#libs/kernel';
import type { ApprovalResolved, SessionEvent, SessionGrantStored } from '../session-events.js';
import type { SessionGrant, SessionState } from '../session.js';

/** `scope` is whether it is of this session alone. */
export type ListedGrant = SessionGrant & Readonly<{ scope: 'session' | 'conversation' }>;

/** `remembered` says whether a grant was stored, `why` why not where one was asked for. `resolution` is absent where it waits again. */
export type Decided = Readonly<{
  handled: Handled<SessionState, SessionEvent>;
  approvalId: string;
  resolution?: ApprovalResolved['data'];
  remembered: boolean;
  grant?: SessionGrantStored['data'];
  scope?: 'session' | 'conversation';
  why?: string;
}>;

export const decided = (handled: Handled<SessionState, SessionEvent>, asked: boolean): Decided => {
  let resolution: ApprovalResolved['data'] | undefined;
  let grant: SessionGrantStored['data'] | undefined;
  let approvalId = '';
  for (const { type, data } of handled.events) {
    if ('approvalId' in data) approvalId = data.approvalId;
    if (type === 'ApprovalResolved') resolution = data;
    if (type === 'SessionGrantStored') grant = data;
  }
  return {
    handled,
    approvalId,
    ...(resolution && { resolution }),
    remembered: grant !== undefined,
    ...(grant && { grant }),
    ...(asked &&
      !grant && {
        why: !resolution ? 'It waits for you again: what you wrote is judged worse.' : 'Calls like this one are decided every time.',
      }),
  };
};
