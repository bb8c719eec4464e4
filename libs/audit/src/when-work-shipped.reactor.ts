import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, DomainError, idOf, streamName, systemPrincipal, type Recorded } from '#libs/kernel';
import type { Reactor } from '#libs/projections';
import { proposalDecider, type ProposalEvent } from '#libs/proposals';
import { HandleTask, type TaskEvent } from '#libs/work';
import { faultsOf } from './consistency.js';
import { seal } from './dsse.js';
import type { ReceiptKey } from './receipt-key.js';
import { statementOf } from './receipt.js';

/**
 * What was shipped gets its receipt. Statement and signature follow from the events alone, so a repeat signs the same bytes.
 * A chain that contradicts itself is never signed: the reactor then stands still on that task, for people to see.
 */
export const whenWorkShipped = (commands: CommandBus, key: ReceiptKey): Reactor => ({
  name: 'when-work-shipped',
  types: ['WorkShipped'],
  react: async (event, { store, now }) => {
    const shipped = event as Recorded<Extract<TaskEvent, { type: 'WorkShipped' }>>;
    const { tenantId, workspaceId, correlationId } = shipped.meta;
    const taskId = idOf(shipped.stream);
    const receiptId = derivedId(taskId, 'receipt', shipped.data.revision);

    const { events: task } = await store.readStream<TaskEvent>(shipped.stream);
    const queued = task.find((one) => one.type === 'TaskQueued');
    const { events: proposal } = await store.readStream<ProposalEvent>(streamName(proposalDecider.category, queued?.data.proposalId ?? ''));
    const statement = statementOf(receiptId, { proposal, task });
    const [fault] = faultsOf(statement);
    if (fault !== undefined) throw new Error(`No receipt for task ${taskId}: ${fault}`);

    const { privateKey, keyId } = await key.get();
    const envelope = seal(statement, privateKey);
    const statementDigest = digestOf(statement);
    try {
      await commands.execute(
        new HandleTask(taskId, {
          type: 'IssueReceipt',
          data: { receiptId, keyId, envelope, statementDigest },
          meta: {
            tenantId,
            workspaceId,
            actor: systemPrincipal(tenantId, workspaceId),
            at: now(),
            commandId: derivedId(event.id, 'when-work-shipped'),
            requestDigest: digestOf({ receiptId, statementDigest }),
            correlationId,
            causationId: event.id,
          },
        }),
      );
    } catch (error) {
      if (!(error instanceof DomainError && error.refusal.code === 'receipt/issued')) throw error;
    }
  },
});
