import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiCreatedResponse } from '@nestjs/swagger';
import {
  answer,
  ApiPage,
  Flag,
  Id,
  id,
  IdParam,
  Nested,
  OneOf,
  Page,
  pageOf,
  Problems,
  readCursor,
  shape,
  Text,
  time,
  Whole,
} from '#libs/http';
import { Actor, Allow, IdentityDirectory, Meta, sideOf } from '#libs/identity';
import { DomainError, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { CancelAnswer, GrantAnswer, SessionAnswer, SessionGrantsAnswer } from './answers.js';
import { SessionsQuery } from './read-models/sessions.js';
import { sessionStatuses, type KnownSession } from './session.js';
import { SessionControl } from './session-control.js';
import type { SessionOptions, UnattendedAnswer } from './session-events.js';
import { grantView, viewOf } from './views.js';

class SessionOptionsDto implements Partial<SessionOptions> {
  @Flag({ optional: true, description: 'Nobody will answer: what needs a human is denied at once.' }) unattended?: boolean;
  @Whole({ min: 1, max: 604_800_000, optional: true, nullable: true, description: 'Denied after so many milliseconds; null waits.' })
  approvalTimeoutMs?: number | null;
  @OneOf(['deny', 'approve'], { optional: true, description: 'Unattended, for alter_verification. `approve`: operators only.' })
  amendmentPolicy?: UnattendedAnswer;
  @OneOf(['deny', 'approve'], { optional: true, description: 'Unattended, for switch_to_editing. `approve`: operators only.' })
  escalationPolicy?: UnattendedAnswer;
}

export class StartSessionDto {
  @Text({ min: 0, max: 200, optional: true }) title?: string;
  @Nested(() => SessionOptionsDto, { optional: true }) options?: SessionOptionsDto;
  @Id({ optional: true, description: 'The session that this one works for: where that is unattended, so is this.' })
  parentSessionId?: string;
  @Text({ max: 100, optional: true, description: 'Yours: tasks that name the same share what is allowed for all of it.' })
  conversationId?: string;
  @Text({ max: 200, optional: true, description: 'What you call the agent: standing approvals are for one name.' }) agentId?: string;
  @Text({ max: 4_096, optional: true, description: 'Absolute; where it works.' }) cwd?: string;
  @Id({ optional: true, description: 'Where a person starts it: the credential of the agent that will run.' }) runnerCredentialId?: string;
}

export class CancelSessionDto {
  @Text({ max: 2_000 }) reason!: string;
}

export class SessionsPage extends Page {
  @OneOf(sessionStatuses, { optional: true }) status?: KnownSession['status'];
}

const cursorRule = shape({ startedAt: time(), sessionId: id() });

@ApiTags('sessions')
@Controller('api/agent/sessions')
export class SessionsController {
  constructor(
    private readonly control: SessionControl,
    private readonly query: SessionsQuery,
    private readonly directory: IdentityDirectory,
  ) {}

  @Post()
  @Allow('session.start')
  @ApiCreatedResponse({ type: SessionAnswer })
  @ApiOperation({
    summary: 'Start a session',
    description: 'Its options hold for all of it. Only the human who is accountable for the agent decides in it.',
  })
  @Problems(
    'session/runner',
    'session/policy-not-yours',
    'session/parent-over',
    'session/exists',
    'session/not-found',
    'credential/not-found',
  )
  async start(@Body() body: StartSessionDto, @Actor() actor: Principal, @Meta() meta: CommandMeta) {
    const runner = await this.runnerOf(actor, body.runnerCredentialId);
    const { title, options, parentSessionId, conversationId, agentId, cwd } = body;
    const handled = await this.control.start(meta, {
      runner,
      ...(title !== undefined && { title }),
      ...(options && { options: { ...options } }),
      ...(parentSessionId !== undefined && { parentSessionId }),
      ...(conversationId !== undefined && { conversationId }),
      ...(agentId !== undefined && { agentId }),
      ...(cwd !== undefined && { cwd }),
    });
    return answer(handled, viewOf(handled.state as KnownSession));
  }

  @Get()
  @Allow('session.read')
  @ApiPage(SessionAnswer)
  @ApiOperation({ summary: 'Sessions that you run or are accountable for', description: 'Newest first, with what waits in each.' })
  async list(@Query() { status, cursor, limit }: SessionsPage, @Actor() actor: Principal) {
    const after = readCursor<{ startedAt: string; sessionId: string }>(cursor, cursorRule);
    const rows = await this.query.list(actor, { limit: limit + 1, ...(status && { status }), ...(after && { after }) });
    return pageOf(
      rows.map(({ session }) => viewOf(session)),
      limit,
      (index) => ({ startedAt: rows[index]!.session.at, sessionId: rows[index]!.sessionId }),
    );
  }

  @Get(':id')
  @Allow('session.read')
  @ApiOkResponse({ type: SessionAnswer })
  @ApiOperation({
    summary: 'A session as it stands',
    description: 'With every call that waits in it, whole. `cancelled` is the tripped token.',
  })
  @Problems('session/not-found')
  async get(@Param('id', IdParam) sessionId: string, @Actor() actor: Principal) {
    const { session, revision } = await this.control.find(actor, sessionId);
    return { ...viewOf(session), revision: revision.toString() };
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Allow('session.cancel')
  @ApiOkResponse({ type: CancelAnswer })
  @ApiOperation({
    summary: 'Cancel a session',
    description: 'For its owner or its runner. The run learns of it at its next turn; approvals in flight are denied; it stays cancelled.',
  })
  @Problems('session/not-found', 'session/cancelled')
  async cancel(@Param('id', IdParam) sessionId: string, @Body() { reason }: CancelSessionDto, @Meta() meta: CommandMeta) {
    const handled = await this.control.cancel(meta, sessionId, reason);
    const denied = handled.events.flatMap((event) => (event.type === 'ApprovalResolved' ? [event.data.approvalId] : []));
    return answer(handled, { status: handled.state.status, denied });
  }

  @Get(':id/grants')
  @Allow('session.read')
  @ApiOkResponse({ type: SessionGrantsAnswer })
  @ApiOperation({ summary: 'What is not asked about again in this session', description: 'Those that are over as well.' })
  @Problems('session/not-found')
  async grants(@Param('id', IdParam) sessionId: string, @Actor() actor: Principal) {
    return { items: (await this.control.grants(actor, sessionId)).map((grant) => grantView(grant, grant.scope)) };
  }

  @Delete(':id/grants/:grantId')
  @Allow('session.decide')
  @ApiOkResponse({ type: GrantAnswer })
  @ApiOperation({ summary: 'Ask about such calls again', description: 'From the next one on, on every server.' })
  @Problems('session/not-found', 'session/owner-only', 'session-grant/not-found', 'session-grant/over')
  async revoke(@Param('id', IdParam) sessionId: string, @Param('grantId', IdParam) grantId: string, @Meta() meta: CommandMeta) {
    const { handled, grant } = await this.control.revokeGrant(meta, sessionId, grantId);
    return answer(handled, grantView(grant, grant.scope));
  }

  /** An agent runs itself; a person names an agent of theirs, an operator any of the workspace. */
  private async runnerOf(actor: Principal, credentialId: string | undefined): Promise<Principal> {
    const isPerson = sideOf(actor.roles) === 'people';
    if (isPerson !== (credentialId !== undefined))
      throw new DomainError(
        refusal('invalid', 'session/runner', 'A person names the credential of the agent that will run; an agent names none.', undefined, [
          { pointer: '/runnerCredentialId', detail: isPerson ? 'This field is required.' : 'An agent names none: it runs itself.' },
        ]),
      );
    if (credentialId === undefined) return actor;
    const { principal, active } = await this.directory.principalOf(credentialId);
    const mine = principal.accountableHuman === actor.id || actor.roles.includes('operator');
    const here = principal.tenantId === actor.tenantId && principal.workspaceIds.some((one) => actor.workspaceIds.includes(one));
    if (!active || !mine || !here || sideOf(principal.roles) === 'people')
      throw new DomainError(refusal('not_found', 'credential/not-found', 'There is no such credential of an agent in reach.'));
    return principal;
  }
}
