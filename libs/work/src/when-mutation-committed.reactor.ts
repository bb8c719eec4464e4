import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, DomainError, idOf, systemPrincipal, type Recorded } from '#libs/kernel';
import type { Reactor } from '#libs/projections';
import type { MutationCommitted } from '#libs/proposals';
import { HandleTask } from './task.handler.js';
import type { WorkSettings } from './work-settings.js';

/** The task that a proposal's work becomes. */
export const taskIdOf = (proposalId: string): string => derivedId(proposalId, 'task');

/** A change that was approved together with work queues that work, under the proposal's audit id. */
export const whenMutationCommitted = (commands: CommandBus, settings: WorkSettings): Reactor => ({
  name: 'when-mutation-committed',
  types: ['MutationCommitted'],
  react: async (event) => {
    const { data, meta, id, stream } = event as Recorded<MutationCommitted>;
    if (!data.work) return;
    const { tenantId, workspaceId, auditId, correlationId } = meta;
    const { queue, title, brief, scope, scopeDigest } = data.work;
    const proposalId = idOf(stream);
    const task = {
      proposalId,
      title,
      queue,
      brief,
      work: scope,
      scopeDigest,
      actionDigest: data.actionDigest,
      presentedDigest: data.presentedDigest,
      decidedBy: data.decidedBy.id,
      requester: data.requester.id,
      agent: data.agent.id,
      leaseMs: settings.leaseMsOf(queue),
    };
    try {
      await commands.execute(
        new HandleTask(taskIdOf(proposalId), {
          type: 'QueueTask',
          data: task,
          meta: {
            tenantId,
            workspaceId,
            actor: systemPrincipal(tenantId, workspaceId),
            at: data.at,
            commandId: derivedId(id, 'queue'),
            requestDigest: digestOf({ proposalId }),
            correlationId,
            causationId: id,
            auditId,
          },
        }),
      );
    } catch (error) {
      // Queued already, under an event id that a repaired store may have given anew.
      if (!(error instanceof DomainError && error.refusal.code === 'task/queued')) throw error;
    }
  },
});
