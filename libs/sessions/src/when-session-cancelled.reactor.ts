import { digestOf, idOf, systemPrincipal, type Recorded } from '#libs/kernel';
import type { Reactor } from '#libs/projections';
import type { SessionControl } from './session-control.js';
import type { SessionCancelled } from './session-events.js';

/** Cancels what works for a cancelled session, where the server that took that did not get to it. */
export const whenSessionCancelled = (control: SessionControl): Reactor => ({
  name: 'when-session-cancelled',
  types: ['SessionCancelled'],
  react: async (event, { now }) => {
    const { reason } = (event as Recorded<SessionCancelled>).data;
    const { tenantId, workspaceId, auditId, correlationId } = event.meta;
    const actor = systemPrincipal(tenantId, workspaceId);
    const { session } = await control.find(actor, idOf(event.stream));
    const meta = { tenantId, workspaceId, actor, at: now(), auditId, correlationId, causationId: event.id };
    await control.cancelChildren({ ...meta, commandId: event.id, requestDigest: digestOf({ reason }) }, session.children ?? [], reason);
  },
});
