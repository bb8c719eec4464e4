import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, idOf, isTransient, systemPrincipal } from '#libs/kernel';
import type { DeadlineSource } from '#libs/projections';
import { HandleProposal } from './proposal.handler.js';
import type { ProposalEvent } from './proposal.js';

/** Time to decide ends by itself: nobody has to look. */
export const confirmationDeadlines = (commands: CommandBus): DeadlineSource<ProposalEvent> => ({
  name: 'confirmations',
  version: 1,
  types: [
    'ProposalSubmitted',
    'ConfirmationApproved',
    'ConfirmationDeclined',
    'ConfirmationExpired',
    'ConfirmationInvalidated',
    'ProposalWithdrawn',
    'ProposalSuperseded',
  ],
  deadline: (event) => {
    if (event.type !== 'ProposalSubmitted') return { clear: [event.stream] };
    const { tenantId, workspaceId } = event.meta;
    return {
      set: [{ key: event.stream, stream: event.stream, kind: 'confirmation', dueAt: event.data.approvalExpiresAt, tenantId, workspaceId }],
    };
  },
  handlers: {
    confirmation: async ({ stream, dueAt, tenantId, workspaceId }, now) => {
      const commandId = derivedId(stream, 'expire', dueAt);
      const meta = {
        tenantId,
        workspaceId,
        actor: systemPrincipal(tenantId, workspaceId),
        at: now,
        commandId,
        requestDigest: digestOf({ dueAt }),
        correlationId: commandId,
        causationId: commandId,
      };
      try {
        await commands.execute(new HandleProposal(idOf(stream), { type: 'ExpireConfirmation', data: {}, meta }));
      } catch (error) {
        if (isTransient(error)) throw error;
      }
    },
  },
});
