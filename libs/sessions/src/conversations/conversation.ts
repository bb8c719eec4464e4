import { accept, derivedId, refuse, type Command, type Decider, type Decision, type Event, type Recorded } from '#libs/kernel';
import { inForce, matches, type GrantedCall } from '../grants/session-grant.js';
import type { Party, SessionGrantStored } from '../session-events.js';
import { grantOf, type KnownSession, type SessionGrant } from '../session.js';

// Events: these shapes are stored forever. Times are RFC 3339 UTC.
/** Calls like this one are not asked about again in any task of the conversation. `sessionId` is where that was decided. */
export type ConversationGrantStored = Event<
  'ConversationGrantStored',
  SessionGrantStored['data'] & Readonly<{ conversationId: string; sessionId: string }>
>;
/** A call of one of its sessions ran by it. */
export type ConversationGrantUsed = Event<
  'ConversationGrantUsed',
  Readonly<{ grantId: string; sessionId: string; approvalId: string; at: string }>
>;
/** It covers nothing from this moment on: each use lies in the same stream, after it there is none. */
export type ConversationGrantRevoked = Event<'ConversationGrantRevoked', Readonly<{ grantId: string; by: Party; at: string }>>;
export type ConversationEvent = ConversationGrantStored | ConversationGrantUsed | ConversationGrantRevoked;

/** What an owner allows for all tasks of one conversation of one runner. */
export type Conversation = Readonly<{ grants: Readonly<Record<string, SessionGrant>> }>;

/** One stream for each; undefined for a session of none. Another runner, owner or tenant has another, whatever it calls its own. */
export const conversationIdOf = (
  { conversationId, owner, runner }: Pick<KnownSession, 'conversationId' | 'owner' | 'runner'>,
  workspaceId: string,
): string | undefined =>
  conversationId === undefined ? undefined : derivedId('conversation', workspaceId, owner, runner.id, conversationId);

const evolve = (state: Conversation, event: Recorded<ConversationEvent>): Conversation => {
  switch (event.type) {
    case 'ConversationGrantStored':
      return { grants: { ...state.grants, [event.data.grantId]: event.data } };
    case 'ConversationGrantRevoked': {
      const { grantId, by, at } = event.data;
      const grant = grantOf(state, grantId);
      return grant ? { grants: { ...state.grants, [grantId]: { ...grant, revokedAt: at, revokedBy: by } } } : state;
    }
    default:
      return state;
  }
};

export type StoreConversationGrant = Command<'StoreConversationGrant', ConversationGrantStored['data']>;
/** Whichever covers the call. */
export type UseConversationGrant = Command<'UseConversationGrant', Readonly<{ call: GrantedCall; sessionId: string; approvalId: string }>>;
export type RevokeConversationGrant = Command<'RevokeConversationGrant', Readonly<{ grantId: string }>>;
export type ConversationCommand = StoreConversationGrant | UseConversationGrant | RevokeConversationGrant;

const decide = (command: ConversationCommand, state: Conversation): Decision<ConversationEvent> => {
  const { actor, at } = command.meta;
  switch (command.type) {
    case 'StoreConversationGrant':
      return accept({ type: 'ConversationGrantStored', data: command.data });
    case 'UseConversationGrant': {
      const { call, sessionId, approvalId } = command.data;
      const grant = Object.values(state.grants).find((one) => inForce(one, at) && matches(one, call));
      if (!grant) return refuse('not_found', 'session-grant/not-found', 'No grant of this conversation covers the call.');
      return accept({ type: 'ConversationGrantUsed', data: { grantId: grant.grantId, sessionId, approvalId, at } });
    }
    case 'RevokeConversationGrant': {
      const { grantId } = command.data;
      const grant = grantOf(state, grantId);
      if (!grant) return refuse('not_found', 'session-grant/not-found', 'There is no such grant in this session.');
      if (actor.id !== grant.by.id)
        return refuse('forbidden', 'session/owner-only', 'Only the human who is accountable for the run decides in it.');
      if (!inForce(grant, at))
        return refuse('conflict', 'session-grant/over', 'It was revoked or has expired before.', { revokedAt: grant.revokedAt ?? null });
      return accept({ type: 'ConversationGrantRevoked', data: { grantId, by: { id: actor.id, name: actor.name }, at } });
    }
    default:
      return command satisfies never;
  }
};

export const conversationDecider: Decider<ConversationCommand, Conversation, ConversationEvent> = {
  category: 'conversation',
  initialState: { grants: {} },
  decide,
  evolve,
};
