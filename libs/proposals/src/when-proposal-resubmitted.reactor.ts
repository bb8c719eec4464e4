import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, idOf, isTransient, systemPrincipal, type Recorded } from '#libs/kernel';
import type { Reactor } from '#libs/projections';
import { HandleProposal } from './proposal.handler.js';
import type { ProposalSubmitted } from './proposal.js';

/** Where a proposal was put forward again, the older one steps back. One that was decided meanwhile stays as it is. */
export const whenProposalResubmitted = (commands: CommandBus): Reactor => ({
  name: 'when-proposal-resubmitted',
  types: ['ProposalSubmitted'],
  react: async (event) => {
    const { data, meta, stream, id } = event as Recorded<ProposalSubmitted>;
    if (!data.supersedes) return;
    const { tenantId, workspaceId, correlationId } = meta;
    const by = idOf(stream);
    try {
      await commands.execute(
        new HandleProposal(data.supersedes, {
          type: 'SupersedeProposal',
          data: { by },
          meta: {
            tenantId,
            workspaceId,
            actor: systemPrincipal(tenantId, workspaceId),
            at: data.submittedAt,
            commandId: derivedId(id, 'supersede'),
            requestDigest: digestOf({ by }),
            correlationId,
            causationId: id,
          },
        }),
      );
    } catch (error) {
      if (isTransient(error)) throw error;
    }
  },
});
