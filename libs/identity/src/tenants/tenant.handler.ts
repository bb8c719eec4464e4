import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, handleCommand, type Handled } from '#libs/kernel';
import { tenantDecider, type CreateTenant, type Tenant, type TenantCreated } from './tenant.js';

export class HandleTenant extends Command<Handled<Tenant, TenantCreated>> {
  constructor(
    readonly id: string,
    readonly command: CreateTenant,
  ) {
    super();
  }
}

@CommandHandler(HandleTenant)
export class TenantHandler implements ICommandHandler<HandleTenant> {
  constructor(private readonly store: EventStore) {}

  execute({ id, command }: HandleTenant) {
    return handleCommand(this.store, tenantDecider, id, command);
  }
}
