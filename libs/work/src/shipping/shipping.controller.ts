import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, IdParam, Problems, Text } from '#libs/http';
import { Actor, Allow, Meta } from '#libs/identity';
import { EventStore, streamName, type CommandMeta, type Principal } from '#libs/kernel';
import { ShippedAnswer } from '../answers.js';
import { OBJECT_ID } from '../reports/fields.js';
import { HandleTask } from '../task.handler.js';
import type { TaskEvent } from '../task-events.js';
import { Tasks } from '../tasks.js';
import { WorkSettings } from '../work-settings.js';
import { treeOf } from './tree-of.js';

export class ShipDto {
  @Text({ max: 64, pattern: OBJECT_ID, description: 'The verified commit, or one with the identical tree.' }) revision!: string;
  @Text({ max: 2_000, pattern: /^https?:\/\/\S+$/, optional: true, description: 'Where it can be seen.' }) url?: string;
}

@ApiTags('tasks')
@Controller('api/tasks')
export class ShippingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly tasks: Tasks,
    private readonly settings: WorkSettings,
    private readonly store: EventStore,
  ) {}

  @Post(':id/ship')
  @HttpCode(200)
  @Allow('task.ship')
  @ApiOkResponse({ type: ShippedAnswer })
  @ApiOperation({
    summary: 'State that the verified work is in place',
    description: 'Needs a standing verdict. The receipt follows within a second as a rule; else `pending` says where to look.',
  })
  @Problems('task/not-found', 'ship/not-verified', 'ship/revision-mismatch', 'ship/shipped')
  async ship(
    @Param('id', IdParam) taskId: string,
    @Body() { revision, url }: ShipDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
  ) {
    const { task } = await this.tasks.show(actor, taskId);
    const tree =
      revision === task.report?.revision ? undefined : await treeOf(task.work.repository, revision, this.settings.repositoryRoots);
    const data = { revision, ...(url !== undefined && { url }), ...(tree !== undefined && { tree }) };
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'ShipWork', data, meta }));
    const receiptId = await this.receiptOf(taskId);
    return answer(handled, { taskId, status: 'shipped', ...(receiptId ? { receiptId } : { pending: { poll: `/api/tasks/${taskId}` } }) });
  }

  /** Waits a little for the receipt, which is issued in the background. */
  private async receiptOf(taskId: string): Promise<string | undefined> {
    for await (const _ of this.store.changes(AbortSignal.timeout(RECEIPT_MS))) {
      const { events } = await this.store.readStream<TaskEvent>(streamName('task', taskId));
      const issued = events.find((event) => event.type === 'ReceiptIssued');
      if (issued) return issued.data.receiptId;
    }
    return undefined;
  }
}

const RECEIPT_MS = 1_000;
