import { derivedId, digestOf, DomainError, streamName, type CommandMeta, type EventStore, type Handled } from '#libs/kernel';
import type { Covered } from '../approvals/request.js';
import { grantFor, ungrantable, type GrantedCall } from '../grants/session-grant.js';
import type { StandingGrants } from '../grants/standing-grants.js';
import type { HeldCall, SessionGrantStored } from '../session-events.js';
import type { KnownSession, SessionGrant } from '../session.js';
import {
  conversationDecider,
  conversationIdOf,
  type Conversation,
  type ConversationCommand,
  type ConversationEvent,
} from './conversation.js';

/** What grants beyond a session stand on. Without `standing` there are no standing ones. */
export type GrantParts = Readonly<{
  store: EventStore;
  converse(id: string, command: ConversationCommand): Promise<Handled<Conversation, ConversationEvent>>;
  standing?: StandingGrants | undefined;
}>;
type Place = Readonly<{ session: KnownSession; workspaceId: string }>;

/**
 * Grants of the conversation, else standing ones of the owner, that cover a call which no grant of the session itself does. Their use is
 * on record before it counts; a revocation lies in the same stream.
 */
export async function coveredBy(
  { converse, standing }: GrantParts,
  meta: CommandMeta,
  { session, workspaceId }: Place,
  call: Pick<HeldCall, 'approvalId' | 'tool' | 'toolInput'> & GrantedCall,
): Promise<Covered | undefined> {
  const { approvalId, tool, toolInput, judged } = call;
  if (session.status !== 'running' || session.runner.id !== meta.actor.id || ungrantable(call) || grantFor(session, call, meta.at))
    return undefined;
  const { sessionId, owner, runner, agentId = runner.id, cwd } = session;
  const conversation = conversationIdOf(session, workspaceId);
  if (conversation !== undefined) {
    const data = { call: { tool, judged }, sessionId, approvalId };
    const use = { type: 'UseConversationGrant' as const, data, meta: within(meta, 'use', { tool, toolInput }) };
    try {
      const { events, state } = await converse(conversation, use);
      const [used] = events;
      const grant = used?.type === 'ConversationGrantUsed' ? state.grants[used.data.grantId] : undefined;
      if (grant) return { grants: [grant.grantId], grantScope: 'conversation', by: grant.by };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  const coverage = await standing?.(meta, { approvalId, tool, toolInput, sessionId, agentId, ...(cwd !== undefined && { cwd }) }).catch(
    () => undefined,
  );
  return coverage && coverage.by.id === owner ? { ...coverage, grantScope: 'standing' } : undefined;
}

/** For all tasks of the conversation from now on. */
export async function storeInConversation(
  { converse }: GrantParts,
  meta: CommandMeta,
  { session, workspaceId }: Place,
  grant: SessionGrantStored['data'],
): Promise<void> {
  const id = conversationIdOf(session, workspaceId)!;
  const data = { ...grant, conversationId: session.conversationId!, sessionId: session.sessionId };
  await converse(id, { type: 'StoreConversationGrant', data, meta: within(meta, 'conversation-grant', grant) });
}

/** Those of the session's conversation, also those that are over. */
export async function grantsOfConversation({ store }: Pick<GrantParts, 'store'>, { session, workspaceId }: Place): Promise<SessionGrant[]> {
  const id = conversationIdOf(session, workspaceId);
  if (id === undefined) return [];
  const { events } = await store.readStream<ConversationEvent>(streamName(conversationDecider.category, id));
  return Object.values(events.reduce((state, event) => conversationDecider.evolve(state, event), conversationDecider.initialState).grants);
}

const within = (meta: CommandMeta, step: string, what: object): CommandMeta => ({
  ...meta,
  commandId: derivedId(meta.commandId, step),
  requestDigest: digestOf(what),
});
