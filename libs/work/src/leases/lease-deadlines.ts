import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, DomainError, idOf, systemPrincipal } from '#libs/kernel';
import type { DeadlineSource } from '#libs/projections';
import { HandleTask } from '../task.handler.js';
import type { TaskEvent } from '../task-events.js';

/** Leases of both kinds expire by themselves, when PostgreSQL's clock says so: nobody has to look. */
export const leaseDeadlines = (commands: CommandBus): DeadlineSource<TaskEvent> => ({
  name: 'leases',
  version: 1,
  types: [
    'LeaseGranted',
    'VerificationGranted',
    'LeaseRenewed',
    'LeaseReleased',
    'LeaseRevoked',
    'LeaseExpired',
    'VerificationExpired',
    'WorkReported',
    'WorkVerified',
    'WorkRejected',
    'WorkUnverifiable',
    'TaskCancelled',
  ],
  deadline: ({ type, data, stream, meta: { tenantId, workspaceId } }) => {
    if (type === 'LeaseGranted' || type === 'VerificationGranted' || type === 'LeaseRenewed')
      return { set: [{ key: keyOf(data.leaseId), stream, kind: 'lease', dueAt: data.expiresAt, tenantId, workspaceId }] };
    return 'leaseId' in data && data.leaseId !== undefined ? { clear: [keyOf(data.leaseId)] } : {};
  },
  handlers: {
    lease: async ({ key, stream, dueAt, tenantId, workspaceId }, now) => {
      const commandId = derivedId(key, 'expire', dueAt);
      const fence = key.slice(key.lastIndexOf('.') + 1);
      const meta = {
        tenantId,
        workspaceId,
        actor: systemPrincipal(tenantId, workspaceId),
        at: now,
        commandId,
        requestDigest: digestOf({ fence }),
        correlationId: commandId,
        causationId: commandId,
      };
      try {
        await commands.execute(new HandleTask(idOf(stream), { type: 'ExpireLease', data: { fence }, meta }));
      } catch (error) {
        // Renewed or ended meanwhile: the event that says so moves or clears this deadline.
        if (!(error instanceof DomainError && (error.refusal.code === 'lease/renewed' || error.refusal.code === 'lease/ended')))
          throw error;
      }
    },
  },
});

const keyOf = (leaseId: string): string => `lease:${leaseId}`;
