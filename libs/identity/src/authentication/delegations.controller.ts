import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '#libs/kernel';
import { Whole } from '#libs/http';
import { DelegationAnswer } from '../answers.js';
import { Actor, Allow, Workspace } from './decorators.js';
import { Delegations } from './delegation.js';

export class DelegationDto {
  @Whole({ min: 1, max: 3600, optional: true, description: 'Seconds until it expires, 900 by default.' }) expiresInSeconds?: number;
}

@ApiTags('delegations')
@Controller('api/delegations')
export class DelegationsController {
  constructor(private readonly delegations: Delegations) {}

  @Post()
  @Allow('delegation.mint')
  @ApiOperation({
    summary: 'Let Eve act for you',
    description: 'A token for the header Workbench-Delegation of Eve, in this workspace. It ends with your credential at the latest.',
  })
  @ApiCreatedResponse({ type: DelegationAnswer })
  mint(@Body() { expiresInSeconds = 900 }: DelegationDto, @Actor() actor: Principal, @Workspace() workspaceId: string): DelegationAnswer {
    return this.delegations.mint(actor, workspaceId, expiresInSeconds);
  }
}
