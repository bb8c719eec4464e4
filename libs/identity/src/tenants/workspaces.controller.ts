import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { derivedId, EventStore, type CommandMeta, type Principal } from '#libs/kernel';
import { answer, ApiPage, id, IdParam, Page, pageOf, Problems, readCursor, shape, Text, time } from '#libs/http';
import { EndedAnswer, OpenedAnswer, WorkspaceItem } from '../answers.js';
import { Actor, Allow, Meta } from '../authentication/decorators.js';
import { load } from '../load.js';
import { WorkspacesQuery } from '../read-models/workspaces.js';
import { within } from './reach.js';
import { HandleWorkspace } from './workspace.handler.js';
import { workspaceDecider } from './workspace.js';

const CURSOR = shape({ createdAt: time(), workspaceId: id() });

export class WorkspaceDto {
  @Text({ max: 100 }) name!: string;
}

export class ArchivalDto {
  @Text({ max: 500, optional: true, description: 'Why; recorded with it.' }) reason?: string;
}

@ApiTags('workspaces')
@Controller('api/workspaces')
export class WorkspacesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly query: WorkspacesQuery,
  ) {}

  @Post()
  @Allow('workspace.create')
  @ApiOperation({
    summary: 'Open a workspace',
    description: 'No credential reaches it yet, also not yours: issue some for it. Who opened it may do so.',
  })
  @ApiCreatedResponse({ type: OpenedAnswer })
  async create(@Body() { name }: WorkspaceDto, @Meta() meta: CommandMeta) {
    const id = derivedId(meta.commandId, 'workspace');
    const actor = { ...meta.actor, workspaceIds: [...meta.actor.workspaceIds, id] };
    const command = { type: 'CreateWorkspace' as const, data: { name }, meta: { ...meta, actor, workspaceId: id } };
    return answer(await this.commands.execute(new HandleWorkspace(id, command)), { name });
  }

  @Get()
  @Allow('workspace.read')
  @ApiOperation({ summary: 'Your workspaces, and those that you opened', description: 'Oldest first, with archived ones.' })
  @ApiPage(WorkspaceItem)
  async list(@Query() { cursor, limit }: Page, @Actor() { id: principalId, tenantId, workspaceIds }: Principal) {
    const rows = await this.query.list(tenantId, { workspaceIds, principalId }, limit + 1, readCursor(cursor, CURSOR));
    return pageOf(
      rows.map(({ workspaceId: id, name, createdAt, archivedAt }) => ({ id, name, createdAt, archivedAt })),
      limit,
      (index) => ({ createdAt: rows[index]!.createdAt, workspaceId: rows[index]!.workspaceId }),
    );
  }

  @Delete(':id')
  @Allow('workspace.archive')
  @ApiOperation({
    summary: 'Archive a workspace',
    description: 'Within 2 seconds no credential reaches it any more, on every server. Its history stays; it is not opened again.',
  })
  @ApiOkResponse({ type: EndedAnswer })
  @Problems('workspace/not-found', 'workspace/archived')
  async archive(@Param('id', IdParam) id: string, @Query() { reason = '' }: ArchivalDto, @Meta() meta: CommandMeta) {
    const workspace = await load(this.store, workspaceDecider, id);
    const command = { type: 'ArchiveWorkspace' as const, data: { reason }, meta: within(meta, id, new Map([[id, workspace]])) };
    return answer(await this.commands.execute(new HandleWorkspace(id, command)), { status: 'archived' });
  }
}
