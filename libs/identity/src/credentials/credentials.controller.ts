import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EventStore, type CommandMeta, type Principal, type Role } from '#libs/kernel';
import {
  answer,
  ApiPage,
  Id,
  id,
  IdParam,
  ListOf,
  OneOf,
  oneOf,
  Page,
  pageOf,
  Problems,
  readCursor,
  shape,
  Text,
  time,
  Whole,
} from '#libs/http';
import { CredentialItem, EndedAnswer, IssuedAnswer } from '../answers.js';
import { Actor, Allow, Meta } from '../authentication/decorators.js';
import { CredentialsQuery, type CredentialCursor, type CredentialRow } from '../read-models/credentials.js';
import { CAPABILITIES, KINDS, ROLES } from '../sides.js';
import { HandleCredential } from './credential.handler.js';
import type { CredentialIssued } from './credential.js';
import { bearerOf, prepareIssue } from './issue.js';

const DAY_MS = 86_400_000;
const CURSOR = shape({ issuedAt: time(), credentialId: id() });

/** A credential of a new principal (`kind` and `name`) or a further one of a principal that exists (`principalId`). */
export class CredentialDto {
  @Id({ optional: true, description: 'A principal that exists; leave kind and name out.' }) principalId?: string;
  @OneOf(KINDS, { optional: true, description: 'Of a new principal.' }) kind?: Principal['kind'];
  @Text({ max: 100, optional: true, description: 'Of a new principal.' }) name?: string;
  @ListOf(oneOf(ROLES), {
    min: 1,
    max: ROLES.length,
    unique: true,
    description: 'Roles of one side: eve; approver, operator, member; implementer; verifier.',
  })
  roles!: Role[];
  @ListOf(oneOf(CAPABILITIES), {
    max: CAPABILITIES.length,
    unique: true,
    optional: true,
    description: 'Queues; verification-worker for a verifying service.',
  })
  capabilities?: string[];
  @ListOf('id', { min: 1, max: 100, unique: true, optional: true, description: 'Workspaces of yours; the one of this request by default.' })
  workspaceIds?: string[];
  @Id({ optional: true, description: 'Principal id of the human who answers for an agent or service.' }) accountableHuman?: string;
  @Id({ optional: true, description: 'Credential of the agent that starts this one: its session ancestry is continued.' })
  spawnedBy?: string;
  @Whole({ min: 1, max: 366, optional: true, description: 'Days until it expires, 90 by default.' }) expiresInDays?: number;
}

export class RevocationDto {
  @Text({ max: 500, optional: true, description: 'Why; recorded with the revocation.' }) reason?: string;
}

@ApiTags('credentials')
@Controller('api/credentials')
export class CredentialsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly query: CredentialsQuery,
  ) {}

  @Post()
  @Allow('credential.issue')
  @ApiOperation({
    summary: 'Issue a credential',
    description: 'Its secret is in `credential`, this once: a repeat of the request answers null there, since only a digest is kept.',
  })
  @ApiCreatedResponse({ type: IssuedAnswer })
  @Problems(
    'credential/mixed-sides',
    'credential/no-role',
    'credential/kind',
    'credential/capability',
    'credential/no-workspace',
    'credential/accountable-human',
    'credential/principal',
    'credential/not-found',
    'principal/not-found',
    'workspace/not-found',
    'workspace/archived',
  )
  async issue(@Body() body: CredentialDto, @Meta() meta: CommandMeta) {
    const { expiresInDays = 90, capabilities = [], workspaceIds = [meta.workspaceId], ...wish } = body;
    const expiresAt = new Date(Date.parse(meta.at) + expiresInDays * DAY_MS).toISOString();
    const prepared = await prepareIssue(this.store, { ...wish, capabilities, workspaceIds, expiresAt }, meta);
    const handled = await this.commands.execute(new HandleCredential(prepared.id, prepared.command));
    const { secretSha256: _, lineage: __, ...issued } = (handled.events[0] as CredentialIssued).data;
    return answer(handled, { ...issued, credential: bearerOf(prepared, handled) });
  }

  @Get()
  @Allow('credential.read')
  @ApiOperation({ summary: 'Credentials of your workspaces', description: 'In the order of issue, with revoked and expired ones.' })
  @ApiPage(CredentialItem)
  async list(@Query() { cursor, limit }: Page, @Actor() { tenantId, workspaceIds }: Principal) {
    const rows = await this.query.list(tenantId, workspaceIds, limit + 1, readCursor<CredentialCursor>(cursor, CURSOR));
    return pageOf(rows.map(shown), limit, (index) => ({ issuedAt: rows[index]!.issuedAt, credentialId: rows[index]!.credentialId }));
  }

  @Delete(':id')
  @Allow('credential.revoke')
  @ApiOperation({
    summary: 'Revoke a credential',
    description: 'Worth nothing from the answer on, on every server; its open streams close within 2 seconds.',
  })
  @ApiOkResponse({ type: EndedAnswer })
  @Problems('credential/not-found', 'credential/revoked')
  async revoke(@Param('id', IdParam) id: string, @Query() { reason = '' }: RevocationDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(new HandleCredential(id, { type: 'RevokeCredential', data: { reason }, meta }));
    return answer(handled, { status: 'revoked' });
  }
}

const shown = ({ tenantId: _, workspaceId: __, credentialId: id, ...row }: CredentialRow) => ({
  id,
  ...row,
  status: row.revokedAt === null ? 'issued' : 'revoked',
});
