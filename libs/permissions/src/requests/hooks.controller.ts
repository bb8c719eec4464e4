import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Problems } from '#libs/http';
import { Actor, Allow, Meta } from '#libs/identity';
import { DomainError, isId, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { ClassifiedCallAnswer } from '../answers.js';
import type { ToolCall } from './call.js';
import { ClassifyDto } from './fields.js';
import type { GateAnswer } from './gate-answer.js';
import { ToolGate } from './tool-gate.js';

@ApiTags('permissions')
@Controller('api/hooks')
export class HooksController {
  constructor(private readonly gate: ToolGate) {}

  @Post('classify')
  @HttpCode(200)
  @Allow('permission.ask')
  @ApiOperation({
    summary: 'May this tool call run?',
    description:
      'Ask before every call, and run it only where `allow` is true; any other answer, and none, is a no. What needs a person is queued: repeat the same call with its requestId, or wait on it. An approval lets exactly that call through, once.',
  })
  @ApiOkResponse({ type: ClassifiedCallAnswer })
  @Problems('permission/not-found', 'permission/not-this-agent', 'permission/exists', 'permission/too-many-pending')
  classify(@Body() { requestId, ...body }: ClassifyDto, @Actor() actor: Principal, @Meta() meta: CommandMeta): Promise<GateAnswer> {
    const call = callFrom(body, actor);
    return requestId === undefined ? this.gate.ask(meta, call) : this.gate.redeem(meta, requestId, call);
  }
}

const callFrom = (
  { toolName, toolInput, agentId, sessionId, cwd, shell, context }: Omit<ClassifyDto, 'requestId'>,
  actor: Principal,
): ToolCall => {
  if (isId(agentId) && agentId !== actor.id)
    throw new DomainError(
      refusal('forbidden', 'permission/not-this-agent', 'This agentId is the id of another principal. State your own.'),
    );
  const { workspace, home, annotations } = context ?? {};
  return {
    toolName,
    toolInput,
    agentId,
    ...(sessionId !== undefined && { sessionId }),
    ...(cwd !== undefined && { cwd }),
    ...(shell !== undefined && { shell }),
    ...(typeof workspace === 'string' && { workspace }),
    ...(typeof home === 'string' && { home }),
    ...(typeof annotations === 'object' && annotations !== null && { annotations: hintsIn(annotations) }),
  };
};

const hintsIn = ({ readOnlyHint, destructiveHint }: Readonly<{ readOnlyHint?: unknown; destructiveHint?: unknown }>) => ({
  ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
  ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
});
