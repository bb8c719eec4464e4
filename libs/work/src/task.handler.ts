import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { taskDecider, type TaskCommand } from './task.decider.js';
import type { TaskEvent } from './task-events.js';
import type { Task } from './task.js';

/** What travels on the command bus: one class per decider, not one per command. */
export class HandleTask extends Command<Handled<Task, TaskEvent>> {
  constructor(
    readonly id: string,
    readonly command: TaskCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleTask)
export class TaskHandler implements ICommandHandler<HandleTask> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleTask) {
    return handleCommand(this.store, taskDecider, id, command);
  }
}
