import { accept, record, refusal, refuse, type Command, type Decider, type Decision, type Recorded, type Refusal } from '#libs/kernel';
import { evolve, type Grant, type GrantCreated, type GrantEvent, type GrantHolder, type KnownGrant } from './grant.js';

/** `ms` is how long it may last. `owner` is whoever approved the request that it comes from. */
export type CreateGrant = Command<'CreateGrant', Omit<GrantCreated['data'], 'at' | 'expiresAt'> & Readonly<{ ms: number }>>;
export type UseGrant = Command<'UseGrant', Readonly<{ requestId: string; callDigest: string }> & Omit<GrantHolder, 'principalId'>>;
export type RevokeGrant = Command<'RevokeGrant', Readonly<{ reason: string }>>;
export type ExpireGrant = Command<'ExpireGrant', Readonly<Record<string, never>>>;
export type GrantCommand = CreateGrant | UseGrant | RevokeGrant | ExpireGrant;

/** Whether a call under this grant and at this time is one that its owner meant; what it does is not judged here. */
export const isFor = (grant: KnownGrant, call: GrantHolder, at: string): boolean =>
  grant.status === 'active' &&
  at < grant.expiresAt &&
  grant.uses < grant.maxUses &&
  grant.holder.principalId === call.principalId &&
  grant.holder.agentId === call.agentId &&
  grant.holder.workspace === call.workspace &&
  (grant.holder.sessionId === undefined || grant.holder.sessionId === call.sessionId);

export const decide = (command: GrantCommand, state: Grant): Decision<GrantEvent> => {
  const { actor, at } = command.meta;
  switch (command.type) {
    case 'CreateGrant': {
      const { ms, ...data } = command.data;
      if (state.status !== 'none') return refuse('conflict', 'grant/exists', 'This grant was created already.');
      if (data.scope.prefix.length === 0 || data.scope.tier !== 'dangerous')
        return refuse('conflict', 'grant/ungrantable', 'This can be allowed once only.');
      return accept({ type: 'GrantCreated', data: { ...data, at, expiresAt: new Date(Date.parse(at) + ms).toISOString() } });
    }
    case 'UseGrant': {
      const { requestId, callDigest, ...caller } = command.data;
      if (state.status === 'none') return notFound();
      if (state.status === 'active' && at >= state.expiresAt)
        return record([{ type: 'GrantExpired', data: { at, why: 'time' } }], outOfTime);
      if (!isFor(state, { ...caller, principalId: actor.id }, at)) return { events: [], refusal: over(state) };
      const used: GrantEvent = { type: 'GrantUsed', data: { at, by: actor.id, requestId, callDigest } };
      return state.uses + 1 < state.maxUses ? accept(used) : accept<GrantEvent>(used, { type: 'GrantExpired', data: { at, why: 'uses' } });
    }
    case 'RevokeGrant': {
      const mayRevoke = state.status !== 'none' && actor.kind === 'human' && (actor.id === state.owner || actor.roles.includes('operator'));
      if (!mayRevoke) return notFound();
      if (state.status !== 'active') return { events: [], refusal: over(state) };
      return accept({ type: 'GrantRevoked', data: { by: actor.id, at, reason: command.data.reason } });
    }
    case 'ExpireGrant':
      if (state.status !== 'active') return { events: [], refusal: state.status === 'none' ? refusalNotFound : over(state) };
      if (at < state.expiresAt) return refuse('conflict', 'grant/not-due', `It lasts until ${state.expiresAt}.`);
      return accept({ type: 'GrantExpired', data: { at, why: 'time' } });
    default:
      return command satisfies never;
  }
};

const refusalNotFound = refusal('not_found', 'grant/not-found', 'There is no such grant here. Check the id and the workspace.');
const notFound = (): Decision<never> => ({ events: [], refusal: refusalNotFound });
const outOfTime = refusal('conflict', 'grant/over', 'This grant covers nothing any more: its time ended.', { status: 'expired' });

const over = ({ status, endedAt, endedBy }: KnownGrant): Refusal =>
  refusal(
    'conflict',
    'grant/over',
    status === 'active' ? 'This grant is not for this call.' : `This grant covers nothing any more: it is ${status}.`,
    {
      status,
      ...(endedAt !== undefined && { at: endedAt }),
      ...(endedBy !== undefined && { by: endedBy }),
    },
  );

/** A use that came too late is a fact and a refusal; a retry of it is refused the same way. */
const refusalOf = (event: Recorded<GrantEvent>): Refusal | undefined =>
  event.type === 'GrantExpired' && event.data.why === 'time' && event.meta.actor.kind !== 'service' ? outOfTime : undefined;

export const grantDecider: Decider<GrantCommand, Grant, GrantEvent> = {
  category: 'grant',
  initialState: { status: 'none' },
  decide,
  evolve,
  refusalOf,
};
