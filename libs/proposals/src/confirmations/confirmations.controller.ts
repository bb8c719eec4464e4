import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { derivedId, type CommandMeta, type Principal } from '#libs/kernel';
import {
  answer,
  assertMatch,
  etag,
  Id,
  id,
  IdParam,
  IfMatch,
  OneOf,
  Page,
  pageOf,
  Problems,
  readCursor,
  shape,
  Text,
  time,
  type Expected,
  whole,
} from '#libs/http';
import { Actor, Allow, Meta, TokenKey } from '#libs/identity';
import { ConfirmationTimes } from '../confirmation-times.js';
import { riskLevels } from '../operations/operation.js';
import { HandleProposal } from '../proposal.handler.js';
import { proposalStatuses, type ProposalStatus, type RiskClass } from '../proposal.js';
import { ProposalPlanner } from '../proposals/proposal-planner.js';
import { Cards } from './cards.js';
import { readConfirmationToken } from './confirmation-token.js';
import { Outcomes } from './outcomes.js';

export class ConfirmationsPage extends Page {
  @OneOf(proposalStatuses, { optional: true }) status?: ProposalStatus;
  @OneOf(Object.keys(riskLevels), { optional: true }) risk?: RiskClass;
  @Id({ optional: true, description: 'One of your workspaces.' }) workspace?: string;
}

export class ApproveDto {
  @Text({ max: 4_000, description: 'The single-use token that the card was read with.' }) confirmation_token!: string;
}

export class DeclineDto {
  @Text({ max: 2_000, description: 'Why not; it reaches the agent.' }) reason!: string;
}

type Cursor = Readonly<{ level: number; submittedAt: string; confirmationId: string }>;
const cursorRule = shape({ level: whole({ min: 0, max: 5 }), submittedAt: time(), confirmationId: id() });

@ApiTags('confirmations')
@Controller('api/confirmations')
export class ConfirmationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly cards: Cards,
    private readonly planner: ProposalPlanner,
    private readonly outcomes: Outcomes,
    private readonly key: TokenKey,
    private readonly times: ConfirmationTimes,
  ) {}

  @Get()
  @Allow('confirmation.read')
  @ApiOperation({ summary: 'The inbox', description: 'Riskiest and oldest first. Members see what they asked for.' })
  async list(@Query() query: ConfirmationsPage, @Actor() actor: Principal) {
    const workspaceIds = actor.workspaceIds.filter((id) => query.workspace === undefined || id === query.workspace);
    const after = readCursor<Cursor>(query.cursor, cursorRule);
    const { status, risk, limit } = query;
    const { rows, cards } = await this.cards.list(actor, {
      workspaceIds,
      limit: limit + 1,
      ...(status && { status }),
      ...(risk && { risk }),
      ...(after && { after }),
    });
    return pageOf(cards, limit, (index): Cursor => {
      const { riskLevel: level, card, confirmationId } = rows[index]!;
      return { level, submittedAt: card.submittedAt, confirmationId };
    });
  }

  @Get(':id')
  @Allow('confirmation.read')
  @ApiOperation({
    summary: 'A card',
    description:
      'A fold of its proposal and whether its records have moved. Who may approve it now gets a fresh confirmation_token, good for one decision within 5 minutes. Reading writes nothing.',
  })
  @Problems('proposal/not-found')
  async show(@Param('id', IdParam) confirmationId: string, @Actor() actor: Principal, @Res({ passthrough: true }) reply: FastifyReply) {
    const { card, revision, token } = await this.cards.show(actor, confirmationId);
    void reply.header('etag', etag(revision, card.conflict.stale ? 'stale' : ''));
    return { card, revision: revision.toString(), ...(token && { confirmation_token: token }) };
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Allow('confirmation.approve')
  @ApiOperation({
    summary: 'Approve exactly this card',
    description: 'Answers with the receipt where the change is in place within a second, else with where to look.',
  })
  @Problems(
    'proposal/not-found',
    'confirmation/decided',
    'confirmation/stale',
    'confirmation/expired',
    'confirmation/own',
    'confirmation/token-used',
    'confirmation/token-invalid',
    'confirmation/token-expired',
    'confirmation/changed',
    'confirmation/closed',
    'confirmation/human-only',
    'precondition/failed',
  )
  async approve(
    @Param('id', IdParam) confirmationId: string,
    @Body() body: ApproveDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
    @IfMatch() expected: Expected,
  ) {
    const { card } = await this.cardToDecide(actor, confirmationId, expected);
    const token = readConfirmationToken(this.key.bytes, body.confirmation_token, confirmationId, actor.credentialId);
    const moved = await this.cards.moved(card);
    const handled = await this.commands.execute(
      new HandleProposal(confirmationId, { type: 'ApproveConfirmation', data: { token, moved, releaseMs: this.times.releaseMs }, meta }),
    );
    return answer(handled, { decision: 'approved', ...(await this.outcomes.of(confirmationId, 1_000)) });
  }

  @Post(':id/decline')
  @HttpCode(200)
  @Allow('confirmation.decline')
  @ApiOperation({ summary: 'Decline, with a reason for the agent' })
  @Problems(
    'proposal/not-found',
    'confirmation/decided',
    'confirmation/expired',
    'confirmation/own',
    'confirmation/closed',
    'confirmation/stale',
    'confirmation/human-only',
    'precondition/failed',
  )
  async decline(
    @Param('id', IdParam) confirmationId: string,
    @Body() body: DeclineDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
    @IfMatch() expected: Expected,
  ) {
    await this.cardToDecide(actor, confirmationId, expected);
    const handled = await this.commands.execute(
      new HandleProposal(confirmationId, { type: 'DeclineConfirmation', data: { reason: body.reason }, meta }),
    );
    return answer(handled, { decision: 'declined' });
  }

  @Post(':id/repropose')
  @HttpCode(202)
  @Allow('proposal.repropose')
  @ApiOperation({
    summary: 'Propose it again on the present state',
    description: 'For a card that went stale, expired, or failed: a new proposal, linked to the old one, which steps back.',
  })
  @Problems(
    'proposal/not-found',
    'proposal/exists',
    'proposal/not-reproposable',
    'proposal/no-change',
    'record/not-found',
    'record/archived',
    'record/invalid',
  )
  async repropose(@Param('id', IdParam) confirmationId: string, @Actor() actor: Principal, @Meta() meta: CommandMeta) {
    const { card } = await this.cards.show(actor, confirmationId);
    // One card has one successor: who asks second is told so.
    const proposalId = derivedId(confirmationId, 'again');
    const submission = { ...meta, workspaceId: card.workspace.id, auditId: derivedId(meta.commandId, 'audit') };
    const plan = await this.planner.planAgain(card, proposalId, submission);
    const handled = await this.commands.execute(
      new HandleProposal(proposalId, { type: 'SubmitProposal', data: { plan, decideMs: this.times.decideMs }, meta: submission }),
    );
    const shown = await this.cards.show(actor, proposalId);
    return answer(handled, {
      proposalId,
      confirmationId: proposalId,
      status: shown.card.status,
      supersedes: confirmationId,
      card: shown.card,
    });
  }

  /** A card that nobody may decide any more is left to the decider, which says who, when and what. */
  private async cardToDecide(actor: Principal, confirmationId: string, expected: Expected) {
    const shown = await this.cards.show(actor, confirmationId);
    if (shown.card.status === 'pending') assertMatch(expected, shown.revision);
    return shown;
  }
}
