import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, idOf, isTransient, systemPrincipal, type CommandMeta } from '#libs/kernel';
import type { Deadline, DeadlineSource } from '#libs/projections';
import { HandlePermission } from './requests/permission.handler.js';
import type { PermissionEvent } from './requests/permission.js';
import { HandleGrant } from './standing-grants/grant.handler.js';
import type { GrantEvent } from './standing-grants/grant.js';

/** Time to decide on a request and to run it ends by itself. */
export const permissionDeadlines = (commands: CommandBus): DeadlineSource<PermissionEvent> => ({
  name: 'permissions',
  version: 1,
  types: ['PermissionRequested', 'PermissionRejected', 'PermissionExpired', 'PermissionConsumed', 'PermissionCancelled'],
  deadline: (event) =>
    event.type === 'PermissionRequested' ? { set: [dueAt(event, 'permission', event.data.expiresAt)] } : { clear: [event.stream] },
  handlers: {
    permission: (deadline, now) =>
      unlessOver(() =>
        commands.execute(new HandlePermission(idOf(deadline.stream), { type: 'ExpirePermission', data: {}, meta: metaOf(deadline, now) })),
      ),
  },
});

/** A grant that nobody uses ends as well. */
export const grantDeadlines = (commands: CommandBus): DeadlineSource<GrantEvent> => ({
  name: 'grants',
  version: 1,
  types: ['GrantCreated', 'GrantRevoked', 'GrantExpired'],
  deadline: (event) => (event.type === 'GrantCreated' ? { set: [dueAt(event, 'grant', event.data.expiresAt)] } : { clear: [event.stream] }),
  handlers: {
    grant: (deadline, now) =>
      unlessOver(() =>
        commands.execute(new HandleGrant(idOf(deadline.stream), { type: 'ExpireGrant', data: {}, meta: metaOf(deadline, now) })),
      ),
  },
});

type Placed = Readonly<{ stream: string; meta: Readonly<{ tenantId: string; workspaceId: string }> }>;
const dueAt = ({ stream, meta: { tenantId, workspaceId } }: Placed, kind: string, due: string): Deadline => ({
  key: stream,
  stream,
  kind,
  dueAt: due,
  tenantId,
  workspaceId,
});

const metaOf = ({ stream, dueAt: due, tenantId, workspaceId }: Deadline, now: string): CommandMeta => {
  const commandId = derivedId(stream, 'expire', due);
  return {
    tenantId,
    workspaceId,
    actor: systemPrincipal(tenantId, workspaceId),
    at: now,
    commandId,
    requestDigest: digestOf({ dueAt: due }),
    correlationId: commandId,
    causationId: commandId,
  };
};

/** Whoever was faster: it is over, which is what was wanted. */
const unlessOver = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (isTransient(error)) throw error;
  }
};
