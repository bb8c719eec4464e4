import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { recordDecider, type RecordCommand } from './record.decider.js';
import type { GovernedRecord, RecordEvent } from './record.js';

/** What travels on the command bus: one class per decider, not one per command. */
export class HandleRecord extends Command<Handled<GovernedRecord, RecordEvent>> {
  constructor(
    readonly id: string,
    readonly command: RecordCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleRecord)
export class RecordHandler implements ICommandHandler<HandleRecord> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleRecord) {
    return handleCommand(this.store, recordDecider, id, command);
  }
}
