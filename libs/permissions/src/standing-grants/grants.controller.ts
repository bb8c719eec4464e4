import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, ApiPage, id, IdParam, OneOf, Page, pageOf, Problems, readCursor, shape, Text, time } from '#libs/http';
import { Actor, Allow, Meta } from '#libs/identity';
import { DomainError, EventStore, readState, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { GrantItem, GrantRevokedAnswer, PreviewAnswer } from '../answers.js';
import { GrantsQuery, type GrantCursor } from '../read-models/grants.js';
import { PreviewDto } from '../requests/fields.js';
import { grantDecider } from './grant.decider.js';
import { HandleGrant } from './grant.handler.js';
import { grantStatuses, type KnownGrant } from './grant.js';
import { GrantPreview } from './grant-preview.js';

export class GrantsPage extends Page {
  @OneOf(grantStatuses, { optional: true }) status?: KnownGrant['status'];
}

export class GrantRevocationDto {
  @Text({ min: 0, max: 500, optional: true, description: 'Why; recorded with it.' }) reason?: string;
}

const CURSOR = shape({ createdAt: time(), grantId: id() });

@ApiTags('permissions')
@Controller('api/grants')
export class GrantsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly query: GrantsQuery,
    private readonly previews: GrantPreview,
  ) {}

  @Get()
  @Allow('permission.decide')
  @ApiOperation({ summary: 'Your standing approvals', description: 'Newest first, with those that are over.' })
  @ApiPage(GrantItem)
  async list(@Query() { cursor, limit, status }: GrantsPage, @Actor() actor: Principal) {
    const rows = await this.query.list(actor, status, limit + 1, readCursor<GrantCursor>(cursor, CURSOR));
    return pageOf(
      rows.map(({ grantId, grant, lastUsedAt }) => itemOf(grantId, grant, lastUsedAt)),
      limit,
      (index): GrantCursor => ({ createdAt: rows[index]!.createdAt, grantId: rows[index]!.grantId }),
    );
  }

  @Get(':id')
  @Allow('permission.decide')
  @ApiOperation({ summary: 'A standing approval of yours, as it is now' })
  @ApiOkResponse({ type: GrantItem })
  @Problems('grant/not-found')
  async get(@Param('id', IdParam) grantId: string, @Actor() actor: Principal) {
    const { state, events } = await readState(this.store, grantDecider, grantId, actor);
    if (state.status === 'none' || state.owner !== actor.id) throw notFound();
    const lastUsed = events.findLast((event) => event.type === 'GrantUsed');
    return itemOf(grantId, state, lastUsed ? lastUsed.data.at : null);
  }

  @Delete(':id')
  @Allow('grant.revoke')
  @ApiOperation({
    summary: 'Revoke a standing approval',
    description: 'From this moment on it lets nothing through, on every server. Operators may revoke any of their workspaces.',
  })
  @ApiOkResponse({ type: GrantRevokedAnswer })
  @Problems('grant/not-found', 'grant/over')
  async revoke(@Param('id', IdParam) grantId: string, @Query() { reason = '' }: GrantRevocationDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(new HandleGrant(grantId, { type: 'RevokeGrant', data: { reason }, meta }));
    return answer(handled, { status: handled.state.status });
  }

  @Post('preview')
  @HttpCode(200)
  @Allow('permission.decide')
  @ApiOperation({
    summary: 'What remembering an approval would cover',
    description: 'The scopes, and which calls of this agent of the last 30 days they would have covered, with those that you rejected.',
  })
  @ApiOkResponse({ type: PreviewAnswer })
  @Problems('permission/not-found')
  preview(@Body() { requestId }: PreviewDto, @Meta() meta: CommandMeta) {
    return this.previews.of(meta, requestId);
  }
}

const itemOf = (grantId: string, grant: KnownGrant, lastUsedAt: string | null) => ({
  id: grantId,
  status: grant.status,
  agent: grant.holder,
  ...grant.scope,
  from: grant.from,
  createdAt: grant.at,
  expiresAt: grant.expiresAt,
  uses: grant.uses,
  maxUses: grant.maxUses,
  lastUsedAt,
  endedAt: grant.endedAt ?? null,
});

const notFound = (): DomainError =>
  new DomainError(refusal('not_found', 'grant/not-found', 'There is no such grant here. Check the id and the workspace.'));
