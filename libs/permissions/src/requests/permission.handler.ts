import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { permissionDecider, type PermissionCommand } from './permission.decider.js';
import type { Permission, PermissionEvent } from './permission.js';

/** What travels on the command bus: one class per decider, not one per command. */
export class HandlePermission extends Command<Handled<Permission, PermissionEvent>> {
  constructor(
    readonly id: string,
    readonly command: PermissionCommand,
  ) {
    super();
  }
}

@CommandHandler(HandlePermission)
export class PermissionHandler implements ICommandHandler<HandlePermission> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandlePermission) {
    return handleCommand(this.store, permissionDecider, id, command);
  }
}
