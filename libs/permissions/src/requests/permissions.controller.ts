import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answer, bind, invalid, Problems, Whole } from '#libs/http';
import { Actor, Allow, CredentialWatch, Meta, sideOf } from '#libs/identity';
import { DomainError, refusal, type CommandMeta, type Principal, type Refusal } from '#libs/kernel';
import { PermissionDecidedAnswer, PendingPermissionsAnswer, PermissionAnswer, PermissionCancelledAnswer } from '../answers.js';
import { PermissionsQuery } from '../read-models/permissions.js';
import { decisionNames, entryOf } from './entry.js';
import { CancellationQuery, DecisionDto, PendingQuery } from './fields.js';
import { OwnerDecisions } from './owner-decisions.js';
import { Requests } from './requests.js';
import { ToolGate } from './tool-gate.js';

export class AwaitQuery {
  @Whole({
    min: 0,
    max: 55_000,
    optional: true,
    description: 'For the agent that asked: wait so many milliseconds; what is approved by then is let through, once.',
  })
  waitMs?: number;
}

const MOST = 500;

@ApiTags('permissions')
@Controller('api/permissions')
export class PermissionsController {
  constructor(
    private readonly requests: Requests,
    private readonly gate: ToolGate,
    private readonly decisions: OwnerDecisions,
    private readonly query: PermissionsQuery,
    private readonly credentials: CredentialWatch,
  ) {}

  @Get()
  @Allow('permission.decide')
  @ApiOperation({ summary: 'What your agents ask you', description: 'Pending requests, oldest first. Times are in milliseconds.' })
  @ApiOkResponse({ type: PendingPermissionsAnswer })
  async list(@Query() { agentId }: PendingQuery, @Actor() actor: Principal) {
    const rows = await this.query.pending(actor, { limit: MOST, ...(agentId !== undefined && { agentId }) });
    return { pending: rows.map(entryOf) };
  }

  @Get(':id')
  @Allow('permission.read')
  @ApiOperation({
    summary: 'A request, for its owner or the agent that asked',
    description: 'With `waitMs` the agent waits for the decision; if it is a yes, `allow` is true this once, for `toolInput`.',
  })
  @ApiOkResponse({ type: PermissionAnswer })
  @Problems('permission/not-found')
  async get(
    @Param('id') requestId: string,
    @Query() { waitMs }: AwaitQuery,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    // A HEAD tells of a request, and never lets a call through that nobody would see allowed.
    if (waitMs === undefined || request.method !== 'GET' || sideOf(actor.roles) === 'people')
      return entryOf(await this.requests.find(meta, requestId, 'read'));
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    let ended: Refusal | undefined;
    const leave = this.credentials.watch(actor.credentialId, (why) => {
      ended = why;
      gone.abort();
    });
    try {
      const answer = await this.gate.await(meta, requestId, waitMs, gone.signal);
      if (ended) throw new DomainError(ended);
      return answer;
    } finally {
      leave();
    }
  }

  @Delete(':id')
  @Allow('permission.ask')
  @ApiOperation({ summary: 'Take back what you asked for', description: 'For an agent whose run ended: nobody is asked any more.' })
  @ApiOkResponse({ type: PermissionCancelledAnswer })
  @Problems('permission/not-found', 'permission/closed')
  async cancel(@Param('id') requestId: string, @Query() { reason = '' }: CancellationQuery, @Meta() meta: CommandMeta) {
    return answer(await this.gate.cancel(meta, requestId, reason), { requestId, status: 'cancelled' });
  }

  @Post()
  @HttpCode(200)
  @Allow('permission.decide')
  @ApiBody({ type: DecisionDto })
  @ApiOperation({
    summary: 'Decide on a request of your agent',
    description:
      '`approve_always` lets calls like it run from now on, as far as its `proposedGrant` says. A modified input is judged again; where that is worse, you are asked again and `success` is false.',
  })
  @ApiOkResponse({ type: PermissionDecidedAnswer })
  @Problems(
    'permission/bad-decision',
    'permission/not-found',
    'permission/decided',
    'permission/expired',
    'permission/cancelled',
    'permission/changed',
    'permission/blocked',
    'permission/modified-input',
  )
  async decide(@Body() body: object, @Meta() meta: CommandMeta) {
    const { instance, faults } = await bind(DecisionDto, body ?? {});
    const basic = faults.filter(({ pointer }) => pointer === '/requestId' || pointer === '/decision');
    if (basic.length > 0) throw badDecision(body, basic);
    if (faults.length > 0) throw invalid(faults);
    return this.decisions.decide(meta, instance);
  }
}

const badDecision = (body: unknown, errors: NonNullable<Refusal['errors']>): DomainError => {
  const { requestId, decision } = (body ?? {}) as Record<string, unknown>;
  const missing = !requestId || decision === undefined || decision === null || decision === '';
  const detail = missing ? 'Missing requestId or decision.' : `Invalid decision value. Must be one of: ${decisionNames.join(', ')}.`;
  return new DomainError(refusal('malformed', 'permission/bad-decision', detail, undefined, errors));
};
