import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, ApiPage, Digits, id, IdParam, OneOf, Page, pageOf, Problems, readCursor, shape, Text, time } from '#libs/http';
import { Actor, Allow, Meta, OnBehalfOf, QUEUES, type Delegation } from '#libs/identity';
import type { CommandMeta, Principal, Recorded } from '#libs/kernel';
import { StatusAnswer, TaskAnswer, TaskItem, TimelineAnswer } from '../answers.js';
import { TasksQuery, type TaskFilter } from '../read-models/tasks.js';
import { HandleTask } from '../task.handler.js';
import type { TaskEvent } from '../task-events.js';
import { taskStatuses, type TaskStatus } from '../task.js';
import { Tasks } from '../tasks.js';
import { lineOf } from '../task-view.js';

export class QueuePage extends Page {
  @OneOf(QUEUES, { optional: true }) queue?: string;
}

export class TasksPage extends QueuePage {
  @OneOf(taskStatuses, { optional: true }) status?: TaskStatus;
}

export class BlockDto {
  @Digits() fence!: string;
  @Text({ max: 4_000 }) question!: string;
}

export class UnblockDto {
  @Text({ max: 4_000 }) answer!: string;
  @Digits({ optional: true, description: 'The fence whose question this answers, so that it answers no other.' }) fence?: string;
}

export class ReasonDto {
  @Text({ max: 2_000 }) reason!: string;
}

type Cursor = Readonly<{ queuedAt: string; taskId: string }>;
const cursorRule = shape({ queuedAt: time(), taskId: id() });

@ApiTags('tasks')
@Controller('api')
export class TasksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly query: TasksQuery,
    private readonly tasks: Tasks,
  ) {}

  @Get('queue')
  @Allow('queue.read')
  @ApiPage(TaskItem)
  @ApiOperation({ summary: 'What can be claimed', description: 'Oldest first; for an implementer what its credential is capable of.' })
  queue(@Query() page: QueuePage, @Actor() actor: Principal, @OnBehalfOf() delegation: Delegation | undefined) {
    const eligible = actor.roles.includes('implementer') ? actor.capabilities : QUEUES;
    const queues = eligible.filter((queue) => page.queue === undefined || queue === page.queue);
    return this.page(page, actor, { statuses: ['queued'], queues }, delegation);
  }

  @Get('tasks')
  @Allow('task.read')
  @ApiPage(TaskItem)
  @ApiOperation({
    summary: 'Tasks, oldest first',
    description: "Executors and operators see the workspace's, everybody else those of their own requests.",
  })
  list(@Query() page: TasksPage, @Actor() actor: Principal, @OnBehalfOf() delegation: Delegation | undefined) {
    return this.page(
      page,
      actor,
      { ...(page.status && { statuses: [page.status] }), ...(page.queue && { queues: [page.queue] }) },
      delegation,
    );
  }

  @Get('tasks/:id')
  @Allow('task.read')
  @ApiOkResponse({ type: TaskAnswer })
  @ApiOperation({ summary: 'A task as it is now', description: 'Brief, scope, report, verdict and shipment. Never behind.' })
  @Problems('task/not-found')
  async get(@Param('id', IdParam) taskId: string, @Actor() actor: Principal, @OnBehalfOf() delegation: Delegation | undefined) {
    const { task, revision } = await this.tasks.show(actor, taskId, delegation?.principalId);
    return { ...task, revision: revision.toString() };
  }

  @Get('tasks/:id/timeline')
  @Allow('task.read')
  @ApiOkResponse({ type: TimelineAnswer })
  @ApiOperation({ summary: 'What happened to a task', description: 'Every event, refused writes included, in order.' })
  @Problems('task/not-found')
  async timeline(@Param('id', IdParam) taskId: string, @Actor() actor: Principal, @OnBehalfOf() delegation: Delegation | undefined) {
    const { events } = await this.tasks.show(actor, taskId, delegation?.principalId);
    return { items: events.map(entry), next: null };
  }

  @Post('tasks/:id/block')
  @HttpCode(200)
  @Allow('lease.hold')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Ask a person', description: 'The lease stays yours as long as you renew it.' })
  @Problems('task/not-found', 'task/blocked', 'lease/lost', 'lease/unknown-fence', 'lease/not-holder', 'lease/other-kind')
  async block(@Param('id', IdParam) taskId: string, @Body() { fence, question }: BlockDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'BlockTask', data: { fence, question }, meta }));
    return answer(handled, { status: handled.state.status });
  }

  @Post('tasks/:id/unblock')
  @HttpCode(200)
  @Allow('task.unblock')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Answer the question that a task waits for' })
  @Problems('task/not-found', 'task/not-blocked', 'lease/not-holder')
  async unblock(@Param('id', IdParam) taskId: string, @Body() { answer: text, fence }: UnblockDto, @Meta() meta: CommandMeta) {
    const data = { answer: text, ...(fence !== undefined && { fence }) };
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'UnblockTask', data, meta }));
    return answer(handled, { status: handled.state.status });
  }

  @Post('tasks/:id/cancel')
  @HttpCode(200)
  @Allow('task.cancel')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Give a task up', description: 'A live lease ends with it.' })
  @Problems('task/not-found', 'task/closed')
  async cancel(@Param('id', IdParam) taskId: string, @Body() { reason }: ReasonDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'CancelTask', data: { reason }, meta }));
    return answer(handled, { status: handled.state.status });
  }

  @Post('tasks/:id/requeue')
  @HttpCode(200)
  @Allow('task.requeue')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Offer an exhausted or unverifiable task again' })
  @Problems('task/not-found', 'task/not-requeueable')
  async requeue(@Param('id', IdParam) taskId: string, @Body() { reason }: ReasonDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'RequeueTask', data: { reason }, meta }));
    return answer(handled, { status: handled.state.status });
  }

  private async page({ cursor, limit }: Page, actor: Principal, filter: Omit<TaskFilter, 'limit'>, delegation: Delegation | undefined) {
    const after = readCursor<Cursor>(cursor, cursorRule);
    const rows = await this.query.list(actor, { ...filter, limit: limit + 1, ...(after && { after }) }, delegation?.principalId);
    return pageOf(
      rows.map(({ task }) => lineOf(task)),
      limit,
      (index): Cursor => ({ queuedAt: rows[index]!.queuedAt, taskId: rows[index]!.taskId }),
    );
  }
}

/** The signed envelope has a route of its own. */
const entry = ({ id: eventId, type, data, revision, position, meta }: Recorded<TaskEvent>) => {
  const { envelope: _, ...told } = data as typeof data & { envelope?: unknown };
  return { eventId, type, revision: revision.toString(), position, actor: meta.actor, auditId: meta.auditId, ...told };
};
