import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { credentialDecider, type CredentialCommand } from './credential.decider.js';
import type { Credential, CredentialEvent } from './credential.js';

/** What travels on the command bus: one class per decider, not one per command. */
export class HandleCredential extends Command<Handled<Credential, CredentialEvent>> {
  constructor(
    readonly id: string,
    readonly command: CredentialCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleCredential)
export class CredentialHandler implements ICommandHandler<HandleCredential> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleCredential) {
    return handleCommand(this.store, credentialDecider, id, command);
  }
}
