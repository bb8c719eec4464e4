import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { answer, Flag, IdParam, JsonObject, OneOf, Problems, Sha256, standAside, Text, Whole } from '#libs/http';
import { Actor, Allow, CredentialWatch, Meta } from '#libs/identity';
import { DomainError, type CommandMeta, type Principal, type Refusal } from '#libs/kernel';
import { ApprovalAnswer, ResolvedAnswer, SessionGrantPreviewAnswer } from './answers.js';
import { approvalOf, type KnownSession } from './session.js';
import type { Decided } from './approvals/decided.js';
import { SessionControl } from './session-control.js';
import { approvalView, grantView } from './views.js';

export class RequestApprovalDto {
  @Text({
    max: 100,
    pattern: /^[A-Za-z0-9_.:-]+$/,
    optional: true,
    description: 'Yours for this call; the same again waits on. Without it one is given.',
  })
  approvalId?: string;
  @Text({ max: 200 }) tool!: string;
  @Text({ min: 0, max: 2_000, description: 'Why the gate holds it back, for the human.' }) reason!: string;
  @JsonObject({ maxBytes: 262_144 }) toolInput!: Record<string, unknown>;
  @Whole({ min: 0, max: 5, optional: true, description: 'As your gate judges it; it can only raise what is judged here.' }) tier?: number;
  @Whole({ min: 0, max: 55_000, optional: true, description: 'How long to wait for the decision, in milliseconds.' }) waitMs?: number;
}

export class ResolveApprovalDto {
  @Flag() allow!: boolean;
  @Flag({ optional: true, description: 'With `allow`: do not ask about such calls again in this session.' }) remember?: boolean;
  @OneOf(['session', 'conversation'], {
    optional: true,
    description: 'What is remembered is for this session, or for all of its conversation.',
  })
  scope?: 'session' | 'conversation';
  @Text({ min: 0, max: 16_384, optional: true, description: 'Reaches the agent as it is.' }) feedback?: string;
  @Sha256({ optional: true, description: 'That of the call as you were shown it: where it is another by now, nothing is decided.' })
  presentedDigest?: string;
  @JsonObject({ maxBytes: 262_144, optional: true, description: 'With `allow`: the input that may run instead, judged again.' })
  modifiedInput?: Record<string, unknown>;
}

@ApiTags('sessions')
@Controller('api/agent/sessions/:id/approvals')
export class ApprovalsController {
  constructor(
    private readonly control: SessionControl,
    private readonly credentials: CredentialWatch,
  ) {}

  @Post()
  @HttpCode(200)
  @Allow('session.run')
  @ApiOkResponse({ type: ApprovalAnswer })
  @ApiOperation({
    summary: 'Ask for a call, and wait for the decision',
    description:
      'The call runs only where `allow` is true. A grant of the session answers at once, and nobody is asked. An unattended session denies at once. Without an answer in time it waits on: ask again with the same approvalId.',
  })
  @Problems('session/not-found', 'session/runner-only', 'session/cancelled', 'approval/exists', 'approval/too-many-pending')
  async request(
    @Param('id', IdParam) sessionId: string,
    @Body() { waitMs = 0, ...body }: RequestApprovalDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    let ended: Refusal | undefined;
    const leave = this.credentials.watch(actor.credentialId, (why) => {
      ended = why;
      gone.abort();
    });
    try {
      const approval = await standAside(() => this.control.request(meta, sessionId, { ...body }, { waitMs, signal: gone.signal }));
      if (ended) throw new DomainError(ended);
      return approvalView(approval);
    } finally {
      leave();
    }
  }

  @Post('resolve')
  @HttpCode(200)
  @Allow('session.decide')
  @ApiOkResponse({ type: ResolvedAnswer })
  @ApiOperation({ summary: 'Decide the one approval that waits', description: 'Where none or several wait, nothing is decided.' })
  @Problems(
    'session/not-found',
    'session/owner-only',
    'approval/not-found',
    'approval/ambiguous',
    'approval/timed-out',
    'approval/changed',
    'session/no-conversation',
  )
  resolveSole(@Param('id', IdParam) sessionId: string, @Body() body: ResolveApprovalDto, @Meta() meta: CommandMeta) {
    return this.resolved(meta, sessionId, body);
  }

  @Get(':approvalId/preview')
  @Allow('session.decide')
  @ApiOkResponse({ type: SessionGrantPreviewAnswer })
  @ApiOperation({
    summary: 'What remembering an approval would cover',
    description: 'And which calls of this agent of the last 30 days it would have covered, with those that you denied.',
  })
  @Problems('session/not-found', 'session/owner-only', 'approval/not-found', 'approval/decided', 'approval/timed-out')
  preview(@Param('id', IdParam) sessionId: string, @Param('approvalId') approvalId: string, @Actor() actor: Principal) {
    return this.control.preview(actor, sessionId, approvalId);
  }

  @Post(':approvalId/resolve')
  @HttpCode(200)
  @Allow('session.decide')
  @ApiOkResponse({ type: ResolvedAnswer })
  @ApiOperation({
    summary: 'Decide an approval',
    description:
      'For the human who is accountable for the run. `remember` stores a grant where `remembered` says so. A modified input is judged again; where that is worse, it waits for you again and `status` is pending.',
  })
  @Problems(
    'session/not-found',
    'session/owner-only',
    'approval/not-found',
    'approval/decided',
    'approval/timed-out',
    'approval/changed',
    'session/no-conversation',
  )
  resolve(
    @Param('id', IdParam) sessionId: string,
    @Param('approvalId') approvalId: string,
    @Body() body: ResolveApprovalDto,
    @Meta() meta: CommandMeta,
  ) {
    return this.resolved(meta, sessionId, body, approvalId);
  }

  private async resolved(meta: CommandMeta, sessionId: string, body: ResolveApprovalDto, approvalId?: string) {
    const decision = { ...body, ...(approvalId !== undefined && { approvalId }) };
    return resolvedAnswer(await this.control.resolve(meta, sessionId, decision));
  }
}

const resolvedAnswer = ({ handled, approvalId, remembered, grant, scope, why }: Decided) => ({
  ...answer(handled, approvalView(approvalOf(handled.state as KnownSession, approvalId)!)),
  remembered,
  ...(grant && { grant: grantView(grant, scope) }),
  ...(why !== undefined && { notRemembered: why }),
});
