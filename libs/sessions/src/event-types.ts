import { eventTypes } from '#libs/kernel';
import type { ConversationEvent } from './conversations/conversation.js';
import type { SessionEvent } from './session-events.js';

export const sessionEvents = eventTypes<SessionEvent | ConversationEvent>({
  SessionStarted: 1,
  ChildSessionStarted: 1,
  ApprovalRequested: 1,
  ApprovalAmended: 1,
  ApprovalResolved: 1,
  SessionGrantStored: 1,
  SessionGrantRevoked: 1,
  SessionCancelled: 1,
  ConversationGrantStored: 1,
  ConversationGrantUsed: 1,
  ConversationGrantRevoked: 1,
});
