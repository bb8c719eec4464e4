import { accept, digestOf, refuse, type Command, type Decision } from '#libs/kernel';
import { isWorse, late } from './deciding.js';
import type { Judged, Permission, PermissionEvent, Proof } from './permission.js';
import { expired, notFound } from './refusals.js';

/**
 * The agent that asked is about to run it. `callDigest` is that of the call it holds, absent where it will run what the answer
 * says; `present` is what the table says of the approved input now, `blocked` whether it may not run at all any more.
 */
export type RedeemPermission = Command<
  'RedeemPermission',
  Readonly<{ callDigest?: string; present: Pick<Judged, 'tier' | 'ladder' | 'reason' | 'files'>; blocked: boolean; proof: Proof }>
>;

export const redeem = ({ data, meta }: RedeemPermission, state: Permission): Decision<PermissionEvent> => {
  const { actor, at } = meta;
  if (state.status === 'none' || actor.id !== state.agent.id) return { events: [], refusal: notFound() };
  if (data.callDigest !== undefined && data.callDigest !== state.callDigest)
    return refuse('conflict', 'permission/other-input', 'This is not the call that was asked for. Ask for it by its own.');
  switch (state.status) {
    case 'pending':
      return at < state.expiresAt ? refuse('conflict', 'permission/pending', 'It waits for its owner.') : late(at, state);
    case 'rejected':
      return refuse('forbidden', 'permission/rejected', `${state.by.name} rejected this at ${state.at}.`, {
        by: state.by,
        at: state.at,
        ...(state.feedback !== undefined && { feedback: state.feedback }),
      });
    case 'consumed':
      return refuse('conflict', 'permission/consumed', 'This approval let a call through already; it does so once.');
    case 'cancelled':
      return refuse('conflict', 'permission/cancelled', `${state.by.name} took this back at ${state.at}.`);
    case 'expired':
      return { events: [], refusal: expired(state.expiresAt) };
    case 'approved':
      if (at >= state.expiresAt) return late(at, state);
      if (data.blocked || isWorse(data.present, state.judged))
        return refuse('conflict', 'permission/judged-worse', `It is judged worse than when it was approved: ${data.present.reason}`);
      if (digestOf(data.present.files ?? []) !== digestOf(state.judged.files ?? []))
        return refuse(
          'conflict',
          'permission/file-changed',
          'What it runs is not what it was when this was asked. Ask again, without its requestId.',
          {
            files: (state.judged.files ?? []).map(({ path }) => path),
          },
        );
      return accept({ type: 'PermissionConsumed', data: { by: actor.id, at, callDigest: state.callDigest, proof: data.proof } });
    default:
      return state satisfies never;
  }
};
