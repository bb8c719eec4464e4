import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '#libs/kernel';
import { Problems, Text } from '#libs/http';
import { Clock } from '#libs/postgres';
import { MeAnswer } from '../answers.js';
import { IdentityDirectory } from '../identity-directory.js';
import { Authenticator } from './authenticator.js';
import { Actor, Public } from './decorators.js';
import { assertNotForeign } from './origin.js';
import { endedCookie, sessionCookie } from './session-cookie.js';
import { TokenKey } from './token-key.js';

export class SessionDto {
  @Text({ max: 200, description: 'A bearer credential, wbk_…' }) credential!: string;
}

@ApiTags('session')
@Controller('api')
export class SessionController {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly directory: IdentityDirectory,
    private readonly clock: Clock,
    private readonly key: TokenKey,
  ) {}

  @Post('session')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Start a session of the console',
    description: 'Exchanges a credential for a cookie that lasts 12 hours, or until the credential is revoked or expires.',
  })
  @ApiOkResponse({ type: MeAnswer })
  @Problems('auth/invalid', 'auth/expired', 'auth/revoked', 'auth/origin')
  async start(@Body() { credential }: SessionDto, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    assertNotForeign(request);
    const principal = await this.authenticator.bearer(credential);
    void reply.header('set-cookie', sessionCookie(this.key, principal.credentialId, this.clock.now(), isSecure(request)));
    return this.describe(principal);
  }

  @Delete('session')
  @Public()
  @HttpCode(204)
  @ApiOperation({ summary: 'End the session of this browser' })
  @Problems('auth/origin')
  end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    assertNotForeign(request);
    void reply.header('set-cookie', endedCookie(isSecure(request)));
  }

  @Get('me')
  @ApiOperation({ summary: 'Who this credential is' })
  @ApiOkResponse({ type: MeAnswer })
  me(@Actor() actor: Principal): Promise<MeAnswer> {
    return this.describe(actor);
  }

  private async describe(principal: Principal): Promise<MeAnswer> {
    const { id, name, kind, roles, capabilities, workspaceIds, tenantId, credentialId } = principal;
    const states = await Promise.all(workspaceIds.map((workspaceId) => this.directory.workspace(workspaceId)));
    const workspaces = states.flatMap((state, index) => (state.status === 'none' ? [] : [{ id: workspaceIds[index]!, name: state.name }]));
    const tenant = { id: tenantId, name: await this.directory.tenantName(tenantId) };
    return { id, name, kind, roles: [...roles], capabilities: [...capabilities], workspaces, tenant, credentialId };
  }
}

// Where TLS ends before us the protocol is http, but the browser says what it used.
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https://') === true;
