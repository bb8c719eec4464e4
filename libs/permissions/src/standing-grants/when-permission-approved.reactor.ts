import type { CommandBus } from '@nestjs/cqrs';
import { streamName, systemPrincipal, type Recorded } from '#libs/kernel';
import type { Reactor } from '#libs/projections';
import type { PermissionSettings } from '../permission-settings.js';
import { permissionDecider } from '../requests/permission.decider.js';
import type { Permission, PermissionApproved, PermissionEvent } from '../requests/permission.js';
import { createGrants } from './create-grants.js';
import { idOf } from '#libs/kernel';

/** Completes what an approval is to be remembered as, where the server that took it did not get to that. */
export const whenPermissionApproved = (commands: CommandBus, settings: PermissionSettings): Reactor => ({
  name: 'when-permission-approved',
  types: ['PermissionApproved'],
  react: async (event, { store, now }) => {
    const approval = event as Recorded<PermissionApproved>;
    if (approval.data.remember.length === 0) return;
    const { events } = await store.readStream<PermissionEvent>(streamName(permissionDecider.category, idOf(event.stream)));
    const permission = events.reduce<Permission>((state, one) => permissionDecider.evolve(state, one), permissionDecider.initialState);
    if (permission.status === 'none') return;
    const { tenantId, workspaceId, auditId, correlationId } = event.meta;
    const meta = { tenantId, workspaceId, actor: systemPrincipal(tenantId, workspaceId), at: now(), auditId, correlationId };
    await createGrants(
      commands,
      approval,
      permission,
      { ...meta, commandId: event.id, requestDigest: '', causationId: event.id },
      settings,
    );
  },
});
