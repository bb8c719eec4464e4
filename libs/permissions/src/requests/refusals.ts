import { refusal, type Recorded, type Refusal } from '#libs/kernel';
import type { AskedPermission, PermissionEvent } from './permission.js';

export const notFound = (): Refusal =>
  refusal('not_found', 'permission/not-found', 'There is no such pending request here. Check the requestId and the workspace.');

/** How a request that nobody may decide any more answers one who still would: a 404, as clients of these routes expect, that says why. */
export const decided = (state: Exclude<AskedPermission, { status: 'pending' }>): Refusal => {
  switch (state.status) {
    case 'approved':
    case 'consumed':
      return refusal('not_found', 'permission/decided', `${state.by.name} approved this at ${state.at}.`, {
        by: state.by,
        at: state.at,
        decision: 'approve',
        via: state.via,
      });
    case 'rejected':
      return refusal('not_found', 'permission/decided', `${state.by.name} rejected this at ${state.at}.`, {
        by: state.by,
        at: state.at,
        decision: 'reject',
      });
    case 'expired':
      return expired(state.expiresAt);
    case 'cancelled':
      return refusal('not_found', 'permission/cancelled', `${state.by.name} took this back at ${state.at}.`, {
        by: state.by,
        at: state.at,
      });
    default:
      return state satisfies never;
  }
};

export const expired = (expiresAt: string): Refusal =>
  refusal('not_found', 'permission/expired', `Its time ended at ${expiresAt} and nothing was run. The agent has to ask again.`, {
    expiresAt,
  });

/** A decision or a redemption that came too late is a fact and a refusal; a retry of it is refused the same way. */
export const refusalOf = (event: Recorded<PermissionEvent>): Refusal | undefined =>
  event.type === 'PermissionExpired' && event.meta.actor.kind !== 'service' ? expired(event.data.expiresAt) : undefined;
