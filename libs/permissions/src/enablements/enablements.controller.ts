import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { answer, Problems, Text, Whole } from '#libs/http';
import { Actor, Allow, Meta, Workspace } from '#libs/identity';
import { DomainError, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { EnablementAnswer, EnablementsAnswer } from '../answers.js';
import type { Effect } from '../effects.js';
import { HandleEnablement } from './enablement.handler.js';
import { destructiveEffects, enablementId, isEnabled, type Enablement } from './enablement.js';
import { Enablements } from './enablements.js';

export class EnablementDto {
  @Whole({ min: 1, max: 86_400, optional: true, description: 'Seconds until it ends, 3600 by default.' }) expiresInSeconds?: number;
  @Text({ min: 0, max: 500, optional: true, description: 'Why; recorded with it.' }) reason?: string;
}

const EFFECT = { name: 'effect', schema: { type: 'string', enum: [...destructiveEffects] } };

@ApiTags('permissions')
@Controller('api/permissions/enablements')
export class EnablementsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly enablements: Enablements,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Allow('permission.enable')
  @ApiOperation({ summary: 'What cannot be undone, and whether you have enabled it', description: 'In this workspace.' })
  @ApiOkResponse({ type: EnablementsAnswer })
  async list(@Actor() actor: Principal, @Workspace() workspaceId: string) {
    const at = this.clock.now();
    const all = await this.enablements.all(workspaceId, actor.id);
    return { enablements: all.map(({ effect, state }) => ({ effect, ...shownOf(state, at) })) };
  }

  @Put(':effect')
  @HttpCode(200)
  @Allow('permission.enable')
  @ApiParam(EFFECT)
  @ApiOperation({
    summary: 'Be asked for a destructive effect, for a while',
    description: 'Your agents’ calls with this effect are blocked without it. With it you are asked, each time; it is never remembered.',
  })
  @ApiOkResponse({ type: EnablementAnswer })
  @Problems('enablement/unknown-effect')
  async enable(
    @Param('effect') name: string,
    @Body() { expiresInSeconds = 3_600, reason = '' }: EnablementDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
  ) {
    const effect = effectOf(name);
    const data = { effect, ms: expiresInSeconds * 1000, reason };
    const handled = await this.commands.execute(
      new HandleEnablement(enablementId(meta.workspaceId, actor.id, effect), { type: 'EnableDestructive', data, meta }),
    );
    return answer(handled, { effect, ...shownOf(handled.state, meta.at) });
  }

  @Delete(':effect')
  @Allow('permission.enable')
  @ApiParam(EFFECT)
  @ApiOperation({ summary: 'Block it again', description: 'At once, also what was approved and has not run yet.' })
  @ApiOkResponse({ type: EnablementAnswer })
  @Problems('enablement/unknown-effect', 'enablement/not-found')
  async disable(@Param('effect') name: string, @Actor() actor: Principal, @Meta() meta: CommandMeta) {
    const effect = effectOf(name);
    const handled = await this.commands.execute(
      new HandleEnablement(enablementId(meta.workspaceId, actor.id, effect), { type: 'DisableDestructive', data: { effect }, meta }),
    );
    return answer(handled, { effect, ...shownOf(handled.state, meta.at) });
  }
}

const shownOf = (state: Enablement, at: string) => ({
  enabled: isEnabled(state, at),
  expiresAt: state.status === 'on' ? state.expiresAt : null,
});

const effectOf = (name: string): Effect => {
  const effect = destructiveEffects.find((one) => one === name);
  if (effect) return effect;
  throw new DomainError(
    refusal('not_found', 'enablement/unknown-effect', `There is no such destructive effect. There is: ${destructiveEffects.join(', ')}.`),
  );
};
