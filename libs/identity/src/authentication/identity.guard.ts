import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError, refusal, type Principal, type Role } from '#libs/kernel';
import { noteOnRequest } from '#libs/http';
import { judge, type Action } from '../authority.js';
import { Authenticator } from './authenticator.js';
import { CommandMetaFactory } from './command-meta.js';
import { ALLOWED, PUBLIC } from './decorators.js';
import { Delegations } from './delegation.js';
import { assertOwnOrigin } from './origin.js';
import { identify } from './request-identity.js';

/** Before every route: who sends this, in which workspace, in whose name, and may it. */
@Injectable()
export class IdentityGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly delegations: Delegations,
    private readonly metas: CommandMetaFactory,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets)) return true;

    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { principal: actor, via } = await this.authenticator.authenticate(request.headers);
    noteOnRequest({ tenantId: actor.tenantId, principalId: actor.id, credentialId: actor.credentialId });
    if (via === 'cookie') assertOwnOrigin(request);

    const allowed = this.reflector.getAllAndOverride<Action | Role[] | undefined>(ALLOWED, targets);
    const judgement = allowed && judge(actor, allowed);
    if (judgement && !judgement.allowed)
      throw new DomainError(refusal('forbidden', 'auth/role', judgement.because, { policyVersion: judgement.policyVersion }));

    const named = one(request, 'workbench-workspace');
    if (named !== undefined && !actor.workspaceIds.includes(named))
      throw new DomainError(refusal('not_found', 'workspace/not-found', 'There is no such workspace for this credential.'));
    const token = one(request, 'workbench-delegation');
    const onBehalf = token === undefined ? undefined : await this.delegations.redeem(actor, token);
    if (onBehalf && named !== undefined && named !== onBehalf.workspaceId)
      throw new DomainError(
        refusal('forbidden', 'delegation/foreign', 'This delegation is for another workspace than Workbench-Workspace.'),
      );

    const workspaceId = named ?? onBehalf?.workspaceId ?? firstOf(actor);
    const delegation = onBehalf?.delegation;
    const meta = this.metas.of(request, {
      actor,
      workspaceId,
      policies: judgement?.policies ?? [],
      ...(delegation && { onBehalfOf: delegation.principalId }),
    });
    identify(request, { actor, workspaceId, ...(delegation && { delegation }), meta });
    return true;
  }
}

const one = (request: FastifyRequest, header: string): string | undefined => {
  const value = request.headers[header];
  return Array.isArray(value) ? value.join() : value;
};

const firstOf = ({ workspaceIds }: Principal): string => {
  const first = workspaceIds[0];
  if (first === undefined) throw new Error('A principal without a workspace passed the authenticator.');
  return first;
};
