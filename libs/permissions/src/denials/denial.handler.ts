import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { denialDecider, type DenialEvent, type Denials, type RecordDenial } from './denial.js';

export class HandleDenial extends Command<Handled<Denials, DenialEvent>> {
  constructor(
    readonly id: string,
    readonly command: RecordDenial,
  ) {
    super();
  }
}

@CommandHandler(HandleDenial)
export class DenialHandler implements ICommandHandler<HandleDenial> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleDenial) {
    return handleCommand(this.store, denialDecider, id, command);
  }
}
