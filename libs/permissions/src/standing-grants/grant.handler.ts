import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { grantDecider, type GrantCommand } from './grant.decider.js';
import type { Grant, GrantEvent } from './grant.js';

export class HandleGrant extends Command<Handled<Grant, GrantEvent>> {
  constructor(
    readonly id: string,
    readonly command: GrantCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleGrant)
export class GrantHandler implements ICommandHandler<HandleGrant> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleGrant) {
    return handleCommand(this.store, grantDecider, id, command);
  }
}
