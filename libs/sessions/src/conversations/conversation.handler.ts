import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { conversationDecider, type Conversation, type ConversationCommand, type ConversationEvent } from './conversation.js';

export class HandleConversation extends Command<Handled<Conversation, ConversationEvent>> {
  constructor(
    readonly id: string,
    readonly command: ConversationCommand,
  ) {
    super();
  }
}

@CommandHandler(HandleConversation)
export class ConversationHandler implements ICommandHandler<HandleConversation> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleConversation) {
    return handleCommand(this.store, conversationDecider, id, command);
  }
}
