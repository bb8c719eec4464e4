import { Module } from '@nestjs/common';
import { CqrsModule, type CommandBus } from '@nestjs/cqrs';
import type { Projection, Reactor } from '#libs/projections';
import { AuditController } from './audit.controller.js';
import './problems.js';
import { auditEntries, AuditQuery } from './read-models/audit-entries.js';
import { receipts, ReceiptsQuery } from './read-models/receipts.js';
import { ReceiptKey } from './receipt-key.js';
import { ReceiptsController } from './receipts.controller.js';
import { whenWorkShipped } from './when-work-shipped.reactor.js';

@Module({
  imports: [CqrsModule],
  controllers: [ReceiptsController, AuditController],
  providers: [AuditQuery, ReceiptKey, ReceiptsQuery],
  exports: [AuditQuery, ReceiptKey, ReceiptsQuery],
})
export class AuditModule {}

/** What hangs on this context's events; the process that works (not every API server) runs them. */
export const auditReactors = (commands: CommandBus, key: ReceiptKey): Reactor[] => [whenWorkShipped(commands, key)];
export const auditProjections: Projection[] = [receipts, auditEntries];
