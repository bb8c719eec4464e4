import { accept, refuse, SYSTEM_ID, type Command, type Decider, type Decision, type Principal } from '#libs/kernel';
import { requestApproval, type RequestApproval } from './approvals/request.js';
import { resolveApproval, timeOutApproval, type ResolveApproval, type TimeOutApproval } from './approvals/resolve.js';
import { inForce } from './grants/session-grant.js';
import { cancelled, ownerOnly, refusalOf, sessionNotFound } from './refusals.js';
import { evolve, grantOf, pendingIn, type KnownSession, type SessionState } from './session.js';
import type { Party, SessionEvent, SessionOptions } from './session-events.js';

/** `parent` is the session that this one works for, as it stood; `operator` is whether whoever starts it operates the workbench. */
export type StartSession = Command<
  'StartSession',
  Readonly<{
    owner: string;
    runner: Party;
    options: SessionOptions;
    title: string;
    operator: boolean;
    conversationId?: string;
    agentId?: string;
    cwd?: string;
    parent?: Readonly<{ sessionId: string; unattended: boolean; running: boolean }>;
  }>
>;
/** Of the parent, before the child begins. `owner` is the human accountable for the child's runner. */
export type AddChildSession = Command<'AddChildSession', Readonly<{ childSessionId: string; owner: string }>>;
export type CancelSession = Command<'CancelSession', Readonly<{ reason: string }>>;
export type RevokeSessionGrant = Command<'RevokeSessionGrant', Readonly<{ grantId: string }>>;
export type SessionCommand =
  StartSession | AddChildSession | RequestApproval | ResolveApproval | TimeOutApproval | CancelSession | RevokeSessionGrant;

export const decide = (command: SessionCommand, state: SessionState): Decision<SessionEvent> => {
  if (command.type === 'StartSession') return start(command, state);
  if (command.type === 'AddChildSession') return addChild(command, state);
  if (state.status === 'none' || !reaches(command.meta.actor, state)) return { events: [], refusal: sessionNotFound() };
  switch (command.type) {
    case 'RequestApproval':
      return requestApproval(command, state);
    case 'ResolveApproval':
      return resolveApproval(command, state);
    case 'TimeOutApproval':
      return timeOutApproval(command, state);
    case 'CancelSession':
      return cancel(command, state);
    case 'RevokeSessionGrant':
      return revoke(command, state);
    default:
      return command satisfies never;
  }
};

/** Its runner, the human accountable for it, and the product for what nobody decides. */
export const reaches = ({ id }: Principal, { owner, runner }: KnownSession): boolean => [owner, runner.id, SYSTEM_ID].includes(id);

const start = ({ data, meta }: StartSession, state: SessionState): Decision<SessionEvent> => {
  if (state.status !== 'none') return refuse('conflict', 'session/exists', 'This session was started already. Start another one.');
  const { owner, runner, title, parent, conversationId, agentId, cwd } = data;
  const { amendmentPolicy, escalationPolicy } = data.options;
  if (!data.operator && (amendmentPolicy === 'approve' || escalationPolicy === 'approve'))
    return refuse('forbidden', 'session/policy-not-yours', 'Only an operator lets a run approve something itself. Start it without.');
  if (parent && !parent.running) return parentOver();
  const options = { ...data.options, unattended: data.options.unattended || parent?.unattended === true };
  return accept({
    type: 'SessionStarted',
    data: {
      owner,
      runner,
      startedBy: partyOf(meta.actor),
      options,
      title,
      at: meta.at,
      ...(parent && { parentSessionId: parent.sessionId }),
      ...(conversationId !== undefined && { conversationId }),
      ...(agentId !== undefined && { agentId }),
      ...(cwd !== undefined && { cwd }),
    },
  });
};

/** Whoever starts the child may be an operator, who does not reach the parent: what counts is that both have one owner. */
const addChild = ({ data, meta: { at } }: AddChildSession, state: SessionState): Decision<SessionEvent> => {
  if (state.status === 'none' || state.owner !== data.owner) return { events: [], refusal: sessionNotFound() };
  if (state.status === 'cancelled') return parentOver();
  return accept({ type: 'ChildSessionStarted', data: { childSessionId: data.childSessionId, at } });
};

const parentOver = (): Decision<never> =>
  refuse('conflict', 'session/parent-over', 'The parent session was cancelled. Nothing more is started in it.');

const cancel = ({ data: { reason }, meta: { actor, at } }: CancelSession, state: KnownSession): Decision<SessionEvent> => {
  if (state.status === 'cancelled') return { events: [], refusal: cancelled(state.cancelled) };
  const denied = pendingIn(state).map(({ approvalId }): SessionEvent => ({
    type: 'ApprovalResolved',
    data: { approvalId, allow: false, via: 'auto', cause: 'cancelled', by: null, at },
  }));
  return accept<SessionEvent>({ type: 'SessionCancelled', data: { by: partyOf(actor), at, reason } }, ...denied);
};

const revoke = ({ data: { grantId }, meta: { actor, at } }: RevokeSessionGrant, state: KnownSession): Decision<SessionEvent> => {
  const grant = grantOf(state, grantId);
  if (actor.id !== state.owner) return { events: [], refusal: ownerOnly() };
  if (!grant) return refuse('not_found', 'session-grant/not-found', 'There is no such grant in this session.');
  if (!inForce(grant, at))
    return refuse('conflict', 'session-grant/over', 'It was revoked or has expired before.', { revokedAt: grant.revokedAt ?? null });
  return accept({ type: 'SessionGrantRevoked', data: { grantId, by: partyOf(actor), at } });
};

const partyOf = ({ id, name }: Principal): Party => ({ id, name });

export const sessionDecider: Decider<SessionCommand, SessionState, SessionEvent> = {
  category: 'session',
  initialState: { status: 'none' },
  decide,
  evolve,
  refusalOf,
};
