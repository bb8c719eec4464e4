import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { proposalDecider, type ProposalCommand } from './proposal.decider.js';
import type { Proposal, ProposalEvent } from './proposal.js';

/** What travels on the command bus: one class per decider, not one per command. */
export class HandleProposal extends Command<Handled<Proposal, ProposalEvent>> {
  constructor(
    readonly id: string,
    readonly command: ProposalCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleProposal)
export class ProposalHandler implements ICommandHandler<HandleProposal> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleProposal) {
    return handleCommand(this.store, proposalDecider, id, command);
  }
}
