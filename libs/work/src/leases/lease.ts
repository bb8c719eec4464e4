import { accept, refuse, type Command, type Decision } from '#libs/kernel';
import { isHeld, type Held, type KnownTask } from '../task.js';
import type { LeaseKind, TaskEvent } from '../task-events.js';
import { kindOf, underFence } from './fence.js';
import { capabilitiesOf, holderOf, notEligible, type Claims } from './holder.js';

/** `amend`: the claim names this task, so that whoever reported it may take it up again to report anew. */
export type ClaimTask = Command<'ClaimTask', Claims & Readonly<{ amend: boolean }>>;
export type RenewLease = Command<'RenewLease', Readonly<{ fence: string; kind: LeaseKind }>>;
export type ReleaseLease = Command<'ReleaseLease', Readonly<{ fence: string; kind: LeaseKind; reason: string }>>;
/** The product's own, when a lease's time has passed. */
export type ExpireLease = Command<'ExpireLease', Readonly<{ fence: string }>>;
export type RevokeLease = Command<'RevokeLease', Readonly<{ fence: string; reason: string }>>;
export type LeaseCommand = ClaimTask | RenewLease | ReleaseLease | ExpireLease | RevokeLease;

/** Expired leases that exhaust a task. */
export const MAX_EXPIRIES = 3;

export const claimTask = ({ data, meta }: ClaimTask, state: KnownTask): Decision<TaskEvent> => {
  const { facts } = state;
  const capabilities = capabilitiesOf(meta.actor, data);
  if ('code' in capabilities) return { events: [], refusal: capabilities };
  if (!capabilities.includes(facts.queue)) return { events: [], refusal: notEligible(facts.queue, capabilities) };
  if (isHeld(state)) return taken(state, 'lease/taken');
  const amends = data.amend && 'report' in state && state.report.by === meta.actor.id ? state.report.reportDigest : undefined;
  if (state.status !== 'queued' && amends === undefined)
    return refuse('conflict', 'lease/not-claimable', `This task is ${state.status}; only queued tasks can be claimed.`, {
      status: state.status,
    });

  const lease = nextLease(state, meta.at);
  const { scopeDigest } = facts;
  return accept({
    type: 'LeaseGranted',
    data: { ...lease, holder: holderOf(meta.actor, data), scopeDigest, ...(amends && { amends }) },
  });
};

/** A lease with the next fence, from `at` for as long as the task's queue gives. */
export const nextLease = ({ facts }: KnownTask, at: string) => {
  const fence = String(BigInt(facts.fence) + 1n);
  return { leaseId: leaseIdOf(facts.taskId, fence), fence, at, expiresAt: later(at, facts.leaseMs) };
};

export const leaseIdOf = (taskId: string, fence: string): string => `${taskId}.${fence}`;

export const taken = ({ lease, status }: KnownTask & Held, code: string): Decision<TaskEvent> =>
  refuse('conflict', code, `${lease.holder.name} holds this task until ${lease.expiresAt}, or longer while it renews.`, {
    heldBy: { id: lease.holder.principalId, name: lease.holder.name },
    fence: lease.fence,
    expiresAt: lease.expiresAt,
    status,
  });

export const renewLease = (command: RenewLease, state: KnownTask): Decision<TaskEvent> =>
  underFence(command, state, command.data.kind, (held) => {
    const wished = later(command.meta.at, held.facts.leaseMs);
    // Never shortened: servers' clocks may differ by milliseconds.
    const expiresAt = wished > held.lease.expiresAt ? wished : held.lease.expiresAt;
    return accept({ type: 'LeaseRenewed', data: { ...endOf(held, command.meta.at), kind: kindOf(held), expiresAt } });
  });

export const releaseLease = (command: ReleaseLease, state: KnownTask): Decision<TaskEvent> =>
  underFence(command, state, command.data.kind, (held) =>
    accept({ type: 'LeaseReleased', data: { ...endOf(held, command.meta.at), kind: kindOf(held), reason: command.data.reason } }),
  );

/** A lease ends only here; until it is recorded, a renewal wins. */
export const expireLease = ({ data, meta }: ExpireLease, state: KnownTask): Decision<TaskEvent> => {
  if (!isHeld(state) || state.lease.fence !== data.fence)
    return refuse('conflict', 'lease/ended', `The lease under fence ${data.fence} ended already.`, {
      fence: data.fence,
      status: state.status,
    });
  const { expiresAt } = state.lease;
  if (meta.at < expiresAt) return refuse('conflict', 'lease/renewed', `This lease lasts until ${expiresAt}.`, { expiresAt });

  const end = { ...endOf(state, meta.at), expiresAt };
  if (state.status === 'verifying') return accept({ type: 'VerificationExpired', data: end });
  // Amending a report that stands is no attempt at the task.
  const expiries = state.facts.expiries + (state.rest.status === 'queued' ? 1 : 0);
  const expired: TaskEvent = { type: 'LeaseExpired', data: { ...end, expiries } };
  return expiries >= MAX_EXPIRIES
    ? accept<TaskEvent>(expired, { type: 'TaskExhausted', data: { expiries, at: meta.at } })
    : accept(expired);
};

export const revokeLease = ({ data, meta }: RevokeLease, state: KnownTask): Decision<TaskEvent> =>
  isHeld(state) && state.lease.fence === data.fence
    ? accept({ type: 'LeaseRevoked', data: { ...endOf(state, meta.at), kind: kindOf(state), by: meta.actor.id, reason: data.reason } })
    : refuse('conflict', 'lease/ended', `The lease under fence ${data.fence} is not live.`, { fence: data.fence, status: state.status });

/** The part that every event about a live lease has. */
export const endOf = ({ lease }: Held, at: string) => ({ leaseId: lease.leaseId, fence: lease.fence, at });

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
