import { eventTypes } from '#libs/kernel';
import type { CredentialEvent } from './credentials/credential.js';
import type { TenantCreated } from './tenants/tenant.js';
import type { WorkspaceEvent } from './tenants/workspace.js';

export const identityEvents = eventTypes<CredentialEvent | TenantCreated | WorkspaceEvent>({
  CredentialIssued: 1,
  CredentialRevoked: 1,
  TenantCreated: 1,
  WorkspaceCreated: 1,
  WorkspaceArchived: 1,
});
