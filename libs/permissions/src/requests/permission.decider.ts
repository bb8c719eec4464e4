import type { Decider, Decision } from '#libs/kernel';
import { approveByGrant, cancel, request, type ApproveByGrant, type CancelPermission, type RequestPermission } from './asking.js';
import { approve, expire, reject, type ApprovePermission, type ExpirePermission, type RejectPermission } from './deciding.js';
import { evolve, type Permission, type PermissionEvent } from './permission.js';
import { redeem, type RedeemPermission } from './redeeming.js';
import { refusalOf } from './refusals.js';

export type PermissionCommand =
  RequestPermission | ApproveByGrant | CancelPermission | ApprovePermission | RejectPermission | ExpirePermission | RedeemPermission;

export const decide = (command: PermissionCommand, state: Permission): Decision<PermissionEvent> => {
  switch (command.type) {
    case 'RequestPermission':
      return request(command, state);
    case 'ApproveByGrant':
      return approveByGrant(command, state);
    case 'CancelPermission':
      return cancel(command, state);
    case 'ApprovePermission':
      return approve(command, state);
    case 'RejectPermission':
      return reject(command, state);
    case 'ExpirePermission':
      return expire(command, state);
    case 'RedeemPermission':
      return redeem(command, state);
    default:
      return command satisfies never;
  }
};

export const permissionDecider: Decider<PermissionCommand, Permission, PermissionEvent> = {
  category: 'permission',
  initialState: { status: 'none' },
  decide,
  evolve,
  refusalOf,
};
