import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { sessionDecider, type SessionCommand } from './session.decider.js';
import type { SessionState } from './session.js';
import type { SessionEvent } from './session-events.js';

export class HandleSession extends Command<Handled<SessionState, SessionEvent>> {
  constructor(
    readonly id: string,
    readonly command: SessionCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleSession)
export class SessionHandler implements ICommandHandler<HandleSession> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleSession) {
    return handleCommand(this.store, sessionDecider, id, command);
  }
}
