import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { derivedId, DomainError, EventStore, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { answer, ApiPage, IdParam, Page, pageOf, Problems, readCursor, shape, Text, text, time } from '#libs/http';
import { FoundedAnswer, TenantItem } from '../answers.js';
import { Actor, Allow, Meta } from '../authentication/decorators.js';
import { HandleCredential } from '../credentials/credential.handler.js';
import { bearerOf, prepareIssue } from '../credentials/issue.js';
import { load } from '../load.js';
import { TenantsQuery } from '../read-models/tenants.js';
import { tenantDecider } from './tenant.js';
import { HandleTenant } from './tenant.handler.js';
import { HandleWorkspace } from './workspace.handler.js';

const OPERATOR_DAYS = 90;
const CURSOR = shape({ foundedAt: time(), id: text({ max: 100 }) });

/** A tenant starts with one workspace and one operator, who does the rest. */
export class TenantDto {
  @Text({ max: 100 }) name!: string;
  @Text({ max: 100, optional: true, description: 'Name of its first workspace, "Main" by default.' }) workspace?: string;
  @Text({ max: 100, description: 'Name of the human who operates it.' }) operator!: string;
}

@ApiTags('tenants')
@Controller('api/tenants')
export class TenantsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly query: TenantsQuery,
  ) {}

  @Post()
  @Allow('tenant.create')
  @ApiOperation({
    summary: 'Found a tenant',
    description:
      "For operators of the root tenant. Opens its first workspace and issues its first operator's credential, which is shown this once. A repeat with the same Idempotency-Key completes what was interrupted.",
  })
  @ApiCreatedResponse({ type: FoundedAnswer })
  @Problems('tenant/not-root')
  async create(@Body() body: TenantDto, @Actor() actor: Principal, @Meta() meta: CommandMeta) {
    const id = derivedId(meta.commandId, 'tenant');
    const workspaceId = derivedId(meta.commandId, 'first-workspace');
    const inside = (step: string): CommandMeta => ({
      ...meta,
      tenantId: id,
      workspaceId,
      actor: { ...actor, tenantId: id, workspaceIds: [workspaceId] },
      commandId: derivedId(meta.commandId, step),
      auditId: derivedId(meta.commandId, 'audit'),
    });
    const { name, workspace = 'Main', operator } = body;
    const founded = await this.commands.execute(
      new HandleTenant(id, { type: 'CreateTenant', data: { name, foundedIn: actor.tenantId }, meta: inside('tenant') }),
    );
    await this.commands.execute(
      new HandleWorkspace(workspaceId, { type: 'CreateWorkspace', data: { name: workspace }, meta: inside('workspace') }),
    );
    const prepared = await prepareIssue(
      this.store,
      {
        kind: 'human',
        name: operator,
        roles: ['operator'],
        capabilities: [],
        workspaceIds: [workspaceId],
        expiresAt: new Date(Date.parse(meta.at) + OPERATOR_DAYS * 86_400_000).toISOString(),
      },
      inside('operator'),
    );
    const issued = await this.commands.execute(new HandleCredential(prepared.id, prepared.command));
    return answer(
      { ...founded, position: issued.position },
      {
        name,
        workspace: { id: workspaceId, name: workspace },
        operator: { credentialId: prepared.id, name: operator, credential: bearerOf(prepared, issued) },
      },
    );
  }

  @Get()
  @Allow('tenant.read')
  @ApiOperation({ summary: 'Your tenant, and those founded from it' })
  @ApiPage(TenantItem)
  async list(@Query() { cursor, limit }: Page, @Actor() { tenantId }: Principal) {
    const rows = await this.query.list(tenantId, limit + 1, readCursor(cursor, CURSOR));
    return pageOf(
      rows.map(({ subjectId: id, name, foundedAt }) => ({ id, name, foundedAt })),
      limit,
      (index) => ({ foundedAt: rows[index]!.foundedAt, id: rows[index]!.id }),
    );
  }

  @Delete(':id')
  @Allow('tenant.create')
  @ApiOperation({
    summary: 'Refused: a tenant is never deleted',
    description: 'Its history is evidence. Revoke its credentials and archive its workspaces to end all access.',
  })
  @Problems('tenant/permanent', 'tenant/not-found')
  async remove(@Param('id', IdParam) id: string, @Actor() { tenantId }: Principal): Promise<never> {
    const tenant = await load(this.store, tenantDecider, id);
    if (tenant.status === 'none' || (id !== tenantId && tenant.foundedIn !== tenantId))
      throw new DomainError(refusal('not_found', 'tenant/not-found', 'There is no such tenant here.'));
    throw new DomainError(
      refusal(
        'conflict',
        'tenant/permanent',
        'A tenant is never deleted: its history is evidence. Revoke its credentials to end all access.',
      ),
    );
  }
}
