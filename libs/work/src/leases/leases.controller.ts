import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { answer, Digits, Id, ListOf, OneOf, Problems, Text, Whole } from '#libs/http';
import { Actor, Allow, Meta, QUEUES } from '#libs/identity';
import { DomainError, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { ClaimedAnswer, LeaseAsItIs, RenewedAnswer, StatusAnswer } from '../answers.js';
import { HandleTask } from '../task.handler.js';
import { isHeld } from '../task.js';
import { Tasks } from '../tasks.js';
import { workOf } from '../work-brief.js';
import { Claiming } from './claiming.js';
import { kindOf } from './fence.js';
import { assertSameFence, LeaseIdParam, type LeaseRef } from './lease-id.js';
import { leaseIn } from './lease-answer.js';

export class ClaimDto {
  @OneOf(QUEUES, { optional: true, description: 'Only from this queue.' }) queue?: string;
  @Id({ optional: true, description: 'Exactly this task; also to amend what you reported.' }) taskId?: string;
  @ListOf('text', { max: 20, unique: true, item: { max: 100 }, optional: true, description: "Narrows the credential's capabilities." })
  capabilities?: string[];
  @Text({ max: 200, optional: true, description: 'The model that works, as you state it.' }) model?: string;
  @Text({ max: 200, optional: true, description: 'The conversation you work in; it can only add conflicts of independence.' })
  conversationId?: string;
  @Whole({ min: 0, max: 55_000, optional: true, description: 'How long to wait for work, in milliseconds.' }) waitMs?: number;
}

export class RenewDto {
  @Digits() fence!: string;
}

export class ReleaseDto {
  @Digits() fence!: string;
  @Text({ max: 2_000 }) reason!: string;
}

export class RevokeDto {
  @Text({ max: 2_000 }) reason!: string;
}

@ApiTags('leases')
@Controller('api/leases')
export class LeasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly claiming: Claiming,
    private readonly tasks: Tasks,
  ) {}

  @Post()
  @HttpCode(200)
  @Allow('lease.claim')
  @ApiOkResponse({ type: ClaimedAnswer })
  @ApiNoContentResponse({ description: 'Nothing is claimable.' })
  @ApiOperation({
    summary: 'Claim work',
    description:
      'One task that the credential is capable of, the oldest first. 204 when nothing is claimable. A retry with the same Idempotency-Key gives the same lease.',
  })
  @Problems('lease/taken', 'lease/not-capable', 'lease/not-claimable', 'task/not-found')
  async claim(
    @Body() wish: ClaimDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const granted = await this.claiming.claim(meta, { ...wish }, gone.signal);
    if (!granted) return void reply.code(204);
    const { task } = await this.tasks.show(actor, granted.id);
    const lease = leaseIn(granted);
    return answer(granted, { lease, fence: lease.fence, expiresAt: lease.expiresAt, ...workOf(task) });
  }

  @Get(':id')
  @Allow('task.read')
  @ApiOkResponse({ type: LeaseAsItIs })
  @ApiOperation({
    summary: 'A lease as it is now',
    description: 'Who holds it until when, a question that waits and answers that came; or how it ended.',
  })
  @Problems('lease/not-found', 'task/not-found')
  async get(@Param('id', LeaseIdParam) { leaseId, taskId, fence }: LeaseRef, @Actor() actor: Principal) {
    const { state, task } = await this.tasks.show(actor, taskId);
    const grant = Object.hasOwn(state.facts.grants, fence) ? state.facts.grants[fence] : undefined;
    if (!grant) throw new DomainError(refusal('not_found', 'lease/not-found', 'No lease of this task has that fence.'));
    const live = isHeld(state) && state.lease.fence === fence;
    return {
      leaseId,
      taskId,
      fence,
      kind: live ? kindOf(state) : grant.kind,
      holder: live ? task.holder : { id: grant.principalId },
      live,
      ...(live && { expiresAt: state.lease.expiresAt }),
      ...(grant.ended && { ended: grant.ended }),
      status: state.status,
      blockedQuestion: live ? (task.blockedQuestion ?? null) : null,
      answers: task.answers,
    };
  }

  @Post(':id/renew')
  @HttpCode(200)
  @Allow('lease.hold')
  @ApiOkResponse({ type: RenewedAnswer })
  @ApiOperation({
    summary: 'Show that you are alive',
    description: 'Do so at a third of the time that is left. Until the expiry is recorded, a renewal wins.',
  })
  @Problems('lease/not-found', 'task/not-found', 'lease/lost', 'lease/unknown-fence', 'lease/not-holder', 'lease/other-kind')
  async renew(@Param('id', LeaseIdParam) ref: LeaseRef, @Body() { fence }: RenewDto, @Meta() meta: CommandMeta) {
    assertSameFence(ref, fence);
    const handled = await this.commands.execute(
      new HandleTask(ref.taskId, { type: 'RenewLease', data: { fence, kind: 'implementation' }, meta }),
    );
    const lease = leaseIn(handled);
    return answer(handled, { lease, expiresAt: lease.expiresAt });
  }

  @Post(':id/release')
  @HttpCode(200)
  @Allow('lease.hold')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Give a task back', description: 'At once claimable by others; no attempt is counted.' })
  @Problems('lease/not-found', 'task/not-found', 'lease/lost', 'lease/unknown-fence', 'lease/not-holder', 'lease/other-kind')
  async release(@Param('id', LeaseIdParam) ref: LeaseRef, @Body() { fence, reason }: ReleaseDto, @Meta() meta: CommandMeta) {
    assertSameFence(ref, fence);
    const handled = await this.commands.execute(
      new HandleTask(ref.taskId, { type: 'ReleaseLease', data: { fence, kind: 'implementation', reason }, meta }),
    );
    return answer(handled, { status: handled.state.status });
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @Allow('lease.revoke')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Take a lease away', description: 'Of either kind. Its holder learns of it with its next write.' })
  @Problems('lease/not-found', 'task/not-found', 'lease/ended')
  async revoke(@Param('id', LeaseIdParam) { taskId, fence }: LeaseRef, @Body() { reason }: RevokeDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'RevokeLease', data: { fence, reason }, meta }));
    return answer(handled, { status: handled.state.status });
  }
}
