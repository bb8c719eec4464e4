import type { CommandBus } from '@nestjs/cqrs';
import { idOf, isTransient } from '#libs/kernel';
import type { DeadlineSource } from '#libs/projections';
import { timeOutOf } from './approvals/timeout.js';
import { HandleSession } from './session.handler.js';
import type { SessionEvent } from './session-events.js';

/** An approval that nobody resolves is denied by itself, whether or not its runner still waits. */
export const sessionDeadlines = (commands: CommandBus): DeadlineSource<SessionEvent> => ({
  name: 'session-approvals',
  version: 1,
  types: ['ApprovalRequested', 'ApprovalResolved'],
  deadline: ({ type, data, stream, meta: { tenantId, workspaceId } }) => {
    if (type === 'ApprovalResolved') return { clear: [keyOf(stream, data.approvalId)] };
    return type === 'ApprovalRequested' && data.timeoutAt !== null
      ? { set: [{ key: keyOf(stream, data.approvalId), stream, kind: 'session-approval', dueAt: data.timeoutAt, tenantId, workspaceId }] }
      : {};
  },
  handlers: {
    'session-approval': async ({ key, stream, tenantId, workspaceId }, at) => {
      const sessionId = idOf(stream);
      const approvalId = key.slice(stream.length + 1);
      try {
        await commands.execute(new HandleSession(sessionId, timeOutOf({ tenantId, workspaceId, sessionId, approvalId, at })));
      } catch (error) {
        // Resolved meanwhile: the event that says so clears this deadline.
        if (isTransient(error)) throw error;
      }
    },
  },
});

const keyOf = (stream: string, approvalId: string): string => `${stream}:${approvalId}`;
