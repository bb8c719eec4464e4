import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { enablementDecider, type Enablement, type EnablementCommand, type EnablementEvent } from './enablement.js';

export class HandleEnablement extends Command<Handled<Enablement, EnablementEvent>> {
  constructor(
    readonly id: string,
    readonly command: EnablementCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleEnablement)
export class EnablementHandler implements ICommandHandler<HandleEnablement> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleEnablement) {
    return handleCommand(this.store, enablementDecider, id, command);
  }
}
