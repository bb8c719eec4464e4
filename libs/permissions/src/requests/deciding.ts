import { accept, record, refuse, type Command, type Decision, type Principal } from '#libs/kernel';
import { rankOf } from '../effects.js';
import type { AskedPermission, Judged, Permission, PermissionEvent, Proof } from './permission.js';
import { offered, presentedDigest } from './presented.js';
import { decided, expired, notFound } from './refusals.js';

/** Another input that the owner wrote, with what the table says of it; `blocked` where it may not run at all. */
export type Modified = Readonly<{ toolInput: Readonly<Record<string, unknown>>; judged: Judged; blocked: boolean }>;
/**
 * `remember`: also from now on. What is remembered is what was offered for the input that is approved, and nothing where
 * nothing was: it is then approved this once.
 */
export type ApprovePermission = Command<
  'ApprovePermission',
  Readonly<{ remember: boolean; feedback?: string; modified?: Modified; presentedDigest?: string; proof: Proof }>
>;
export type RejectPermission = Command<'RejectPermission', Readonly<{ feedback?: string; presentedDigest?: string }>>;
export type ExpirePermission = Command<'ExpirePermission', Readonly<Record<string, never>>>;

export const approve = ({ data, meta }: ApprovePermission, state: Permission): Decision<PermissionEvent> => {
  const { actor, at } = meta;
  const no = mayNotDecide(actor, at, state);
  if (no) return no;
  const pending = state as Extract<Permission, { status: 'pending' }>;
  const by = { id: actor.id, name: actor.name };
  const { modified, proof, presentedDigest: seen } = data;
  // What was changed since it was asked is approved only by who says that they saw the change, or writes it anew.
  if (seen === undefined ? pending.amended && !modified : seen !== presentedDigest(pending)) return changed(pending);
  if (modified?.blocked)
    return refuse('conflict', 'permission/blocked', `The modified input may not run: ${modified.judged.reason}`, {
      tier: modified.judged.tier,
      reason: modified.judged.reason,
    });
  if (modified && isWorse(modified.judged, pending.judged))
    return accept({ type: 'PermissionAmended', data: { by, at, toolInput: modified.toolInput, judged: modified.judged, proof } });
  const judged = modified?.judged ?? pending.judged;
  return accept({
    type: 'PermissionApproved',
    data: {
      via: 'human',
      by,
      at,
      ...(data.feedback !== undefined && { feedback: data.feedback }),
      ...(seen !== undefined && { presentedDigest: seen }),
      ...(modified && { toolInput: modified.toolInput, judged: modified.judged }),
      remember: data.remember ? offered(judged) : [],
      grants: [],
      proof,
    },
  });
};

export const reject = ({ data, meta }: RejectPermission, state: Permission): Decision<PermissionEvent> => {
  const { actor, at } = meta;
  const no = mayNotDecide(actor, at, state);
  if (no) return no;
  const { feedback, presentedDigest: seen } = data;
  const pending = state as Extract<Permission, { status: 'pending' }>;
  if (seen !== undefined && seen !== presentedDigest(pending)) return changed(pending);
  return accept({
    type: 'PermissionRejected',
    data: {
      by: { id: actor.id, name: actor.name },
      at,
      ...(feedback !== undefined && { feedback }),
      ...(seen !== undefined && { presentedDigest: seen }),
    },
  });
};

/** The product itself, when the time has come; also what was approved and not run ends then. */
export const expire = ({ meta }: ExpirePermission, state: Permission): Decision<PermissionEvent> => {
  if (state.status === 'none') return { events: [], refusal: notFound() };
  if (state.status !== 'pending' && state.status !== 'approved') return { events: [], refusal: decided(state) };
  if (meta.at < state.expiresAt) return refuse('conflict', 'permission/not-due', `It may be decided and run until ${state.expiresAt}.`);
  return accept({ type: 'PermissionExpired', data: { at: meta.at, expiresAt: state.expiresAt } });
};

/** Only the owner decides, and only a person: of another's request nobody learns that it exists. */
export const isOwner = (actor: Principal, state: AskedPermission): boolean => actor.kind === 'human' && actor.id === state.owner;

const mayNotDecide = (actor: Principal, at: string, state: Permission): Decision<PermissionEvent> | undefined => {
  if (state.status === 'none' || !isOwner(actor, state)) return { events: [], refusal: notFound() };
  if (state.status !== 'pending') return { events: [], refusal: decided(state) };
  return at < state.expiresAt ? undefined : late(at, state);
};

const changed = (pending: AskedPermission): Decision<never> =>
  refuse('conflict', 'permission/changed', 'It is not what you were shown any more. Read it again, and decide on what it says now.', {
    presentedDigest: presentedDigest(pending),
  });

export const late = (at: string, { expiresAt }: AskedPermission): Decision<PermissionEvent> =>
  record([{ type: 'PermissionExpired', data: { at, expiresAt } }], expired(expiresAt));

/** A rise in tier or on the ladder: more than the owner was shown. */
export const isWorse = (next: Pick<Judged, 'tier' | 'ladder'>, shown: Pick<Judged, 'tier' | 'ladder'>): boolean =>
  rankOf(next.tier) > rankOf(shown.tier) || next.ladder > shown.ladder;
