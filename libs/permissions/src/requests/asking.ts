import { accept, refuse, type Command, type Decision } from '#libs/kernel';
import type { Asked, Permission, PermissionEvent, Proof } from './permission.js';

/** `asked` names the owner and the agent of the credential that calls. `ms` is how long it may be decided and run. */
export type RequestPermission = Command<'RequestPermission', Readonly<{ asked: Asked; proof: Proof; ms: number }>>;
/** Grants of its owner cover this call, and each has noted the use: it runs, and nobody is asked. */
export type ApproveByGrant = Command<
  'ApproveByGrant',
  Readonly<{ asked: Asked; grants: readonly string[]; proof: Proof; owner: Readonly<{ id: string; name: string }> }>
>;
export type CancelPermission = Command<'CancelPermission', Readonly<{ reason: string }>>;

export const request = ({ data, meta }: RequestPermission, state: Permission): Decision<PermissionEvent> => {
  if (state.status !== 'none') return taken();
  const expiresAt = new Date(Date.parse(meta.at) + data.ms).toISOString();
  return accept({
    type: 'PermissionRequested',
    data: { ...data.asked, proof: data.proof, requestedAt: meta.at, expiresAt },
  });
};

export const approveByGrant = ({ data, meta }: ApproveByGrant, state: Permission): Decision<PermissionEvent> => {
  if (state.status !== 'none') return taken();
  const { asked, grants, proof, owner } = data;
  return accept<PermissionEvent>(
    {
      type: 'PermissionApproved',
      data: { via: 'grant', by: owner, at: meta.at, remember: [], grants, asked, proof, expiresAt: meta.at },
    },
    { type: 'PermissionConsumed', data: { by: meta.actor.id, at: meta.at, callDigest: asked.callDigest, proof } },
  );
};

/** By the agent that asked, or by the product in its name; what has run or was decided against is not taken back. */
export const cancel = ({ data, meta }: CancelPermission, state: Permission): Decision<PermissionEvent> => {
  const { actor, at } = meta;
  if (state.status === 'none' || !(actor.id === state.agent.id || actor.kind === 'service'))
    return refuse('not_found', 'permission/not-found', 'There is no such request here.');
  if (state.status !== 'pending' && state.status !== 'approved')
    return refuse('conflict', 'permission/closed', `It is ${state.status} already.`, { status: state.status });
  return accept({ type: 'PermissionCancelled', data: { by: { id: actor.id, name: actor.name }, at, reason: data.reason } });
};

const taken = (): Decision<never> => refuse('conflict', 'permission/exists', 'This id is taken. Ask again.');
