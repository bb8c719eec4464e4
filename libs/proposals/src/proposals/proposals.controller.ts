import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { derivedId, DomainError, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { answer, IdParam, JsonObject, OneOf, Problems, Text } from '#libs/http';
import { Actor, Allow, Meta, OnBehalfOf, type Delegation } from '#libs/identity';
import { ConfirmationTimes } from '../confirmation-times.js';
import { Cards } from '../confirmations/cards.js';
import type { OperationName } from '../proposal.js';
import { operations } from '../operations/operations.js';
import { HandleProposal } from '../proposal.handler.js';
import { partyOf, ProposalPlanner } from './proposal-planner.js';

/** A typed intent. The requester is the human of the `Workbench-Delegation` header, never one that a body names. */
export class ProposalDto {
  @OneOf(Object.keys(operations), { description: 'An operation of the table.' }) operation!: OperationName;
  @JsonObject({ description: "The operation's arguments, see the table of operations." }) arguments!: Record<string, unknown>;
  @Text({ max: 2_000, description: 'Why; shown on the card.' }) reason!: string;
}

export class WithdrawDto {
  @Text({ max: 2_000, optional: true }) reason?: string;
}

@ApiTags('proposals')
@Controller('api/proposals')
export class ProposalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly planner: ProposalPlanner,
    private readonly cards: Cards,
    private readonly times: ConfirmationTimes,
  ) {}

  @Post()
  @HttpCode(202)
  @Allow('proposal.submit')
  @ApiOperation({
    summary: 'Propose a change',
    description:
      'Persists a pending proposal and answers with the card that a person will see. Nothing is changed before a person approves.',
  })
  @Problems('delegation/missing', 'record/not-found', 'proposal/wrong-kind', 'proposal/no-change', 'record/stale', 'record/archived')
  async submit(
    @Body() body: ProposalDto,
    @Actor() actor: Principal,
    @OnBehalfOf() delegation: Delegation | undefined,
    @Meta() meta: CommandMeta,
  ) {
    if (!delegation)
      throw new DomainError(
        refusal(
          'forbidden',
          'delegation/missing',
          'Name the person you act for: send the token that they minted (POST /api/delegations) as Workbench-Delegation.',
        ),
      );
    const proposalId = derivedId(meta.commandId, 'proposal');
    const submission = { ...meta, auditId: derivedId(meta.commandId, 'audit') };
    const parties = {
      agent: partyOf(actor),
      agentCredentialId: actor.credentialId,
      requester: { id: delegation.principalId, name: delegation.name },
      requesterCredentialId: delegation.credentialId,
    };
    const plan = await this.planner.plan(body, parties, proposalId, submission);
    const handled = await this.commands.execute(
      new HandleProposal(proposalId, { type: 'SubmitProposal', data: { plan, decideMs: this.times.decideMs }, meta: submission }),
    );
    const { card } = await this.cards.show(actor, proposalId);
    return answer(handled, { proposalId, confirmationId: proposalId, status: card.status, card });
  }

  @Get(':id')
  @Allow('proposal.read')
  @ApiOperation({
    summary: 'A proposal as it is now',
    description: 'For the agent that submitted it, its requester, approvers and operators. Never behind.',
  })
  @Problems('proposal/not-found')
  async get(@Param('id', IdParam) id: string, @Actor() actor: Principal) {
    const { card, revision } = await this.cards.show(actor, id);
    return { proposalId: id, confirmationId: id, auditId: card.auditId, status: card.status, revision: revision.toString(), card };
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @Allow('proposal.withdraw')
  @ApiOperation({ summary: 'Take a pending proposal back' })
  @Problems('proposal/not-found', 'proposal/not-yours', 'confirmation/decided', 'confirmation/expired', 'confirmation/closed')
  async withdraw(@Param('id', IdParam) id: string, @Body() body: WithdrawDto, @Actor() actor: Principal, @Meta() meta: CommandMeta) {
    // Whoever may not see it learns nothing of it by asking this either.
    await this.cards.show(actor, id);
    const handled = await this.commands.execute(
      new HandleProposal(id, { type: 'WithdrawProposal', data: { reason: body.reason ?? '' }, meta }),
    );
    return answer(handled, { status: handled.state.status });
  }
}
