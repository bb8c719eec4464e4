import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow, commandPolicies, POLICY_VERSION, type Policies } from '#libs/identity';
import { LadderAnswer, PolicyAnswer } from '../answers.js';
import { EFFECTS, HUMAN_FROM, ladderOf, tierOf, type Ladder } from '../effects.js';
import { toolPolicies, ToolPolicy } from './tool-policy.js';

const RUNGS = ['read', 'write', 'unknown', 'financial', 'destructive', 'bulk'] as const;

/** What is in force, as it is: the versions here are those that stand in events. */
@ApiTags('policy')
@Controller('api')
export class PolicyController {
  constructor(private readonly policy: ToolPolicy) {}

  @Get('policy')
  @Allow('policy.read')
  @ApiOperation({
    summary: 'The policies in force',
    description: 'In the language Cedar. Their ids are the proof that answers and events carry.',
  })
  @ApiOkResponse({ type: PolicyAnswer })
  show(): PolicyAnswer {
    return {
      commands: { version: POLICY_VERSION, policies: texts(commandPolicies) },
      tools: { version: this.policy.version, policies: texts(toolPolicies) },
    };
  }

  @Get('risk-ladder')
  @Allow('policy.read')
  @ApiOperation({
    summary: 'The risk ladder in force',
    description: 'What a call can do, and how high that stands. What has no bound is bulk.',
  })
  @ApiOkResponse({ type: LadderAnswer })
  ladder(): LadderAnswer {
    return {
      levels: RUNGS.map((name, level) => ({ level, name, human: level >= HUMAN_FROM })),
      effects: EFFECTS.map((effect) => {
        const tier = tierOf(effect);
        return { effect, tier, level: ladderOf(effect) satisfies Ladder, enablement: tier === 'destructive' };
      }),
    };
  }
}

const texts = (policies: Policies) => Object.entries(policies).map(([id, text]) => ({ id, text }));
