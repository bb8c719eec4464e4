import { eventTypes } from '#libs/kernel';
import type { DenialEvent } from './denials/denial.js';
import type { EnablementEvent } from './enablements/enablement.js';
import type { PermissionEvent } from './requests/permission.js';
import type { GrantEvent } from './standing-grants/grant.js';

export const permissionEvents = eventTypes<PermissionEvent | GrantEvent | EnablementEvent | DenialEvent>({
  PermissionRequested: 1,
  PermissionAmended: 1,
  PermissionApproved: 1,
  PermissionRejected: 1,
  PermissionExpired: 1,
  PermissionConsumed: 1,
  PermissionCancelled: 1,
  GrantCreated: 1,
  GrantUsed: 1,
  GrantRevoked: 1,
  GrantExpired: 1,
  DestructiveEnabled: 1,
  DestructiveDisabled: 1,
  CallBlocked: 1,
  ForeignPermissionReached: 1,
  DenialsOmitted: 1,
});
