import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { workspaceDecider, type WorkspaceCommand, type Workspace, type WorkspaceEvent } from './workspace.js';

export class HandleWorkspace extends Command<Handled<Workspace, WorkspaceEvent>> {
  constructor(
    readonly id: string,
    readonly command: WorkspaceCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleWorkspace)
export class WorkspaceHandler implements ICommandHandler<HandleWorkspace> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleWorkspace) {
    return handleCommand(this.store, workspaceDecider, id, command);
  }
}
