import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { derivedId, digestOf, newId, sha256, type CommandMeta, type Principal } from '#libs/kernel';
import { parseIdempotencyKey, parseTraceparent } from '#libs/http';
import { Clock } from '#libs/postgres';
import { POLICY_VERSION } from '../authority.js';

/** `policies` are those that allow the route. */
type Sender = Readonly<{ actor: Principal; workspaceId: string; onBehalfOf?: string; policies: readonly string[] }>;

/**
 * Meta of the command that a request carries. The same `Idempotency-Key` of the same principal on the same route is the same
 * command; its `requestDigest` tells whether it is the same wish as well.
 */
@Injectable()
export class CommandMetaFactory {
  constructor(private readonly clock: Clock) {}

  /** `at` is taken now, the rest when it is asked for. */
  of(request: FastifyRequest, sender: Sender): () => CommandMeta {
    const at = this.clock.now();
    let meta: CommandMeta | undefined;
    return () => (meta ??= metaOf(request, sender, at));
  }
}

const metaOf = (request: FastifyRequest, { actor, workspaceId, onBehalfOf, policies }: Sender, at: string): CommandMeta => {
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  const params = request.params ?? {};
  const key = parseIdempotencyKey(request.headers['idempotency-key']);
  const commandId = key === undefined ? newId() : derivedId(actor.tenantId, actor.id, route, digestOf(params), key);
  return {
    tenantId: actor.tenantId,
    workspaceId,
    actor,
    at,
    commandId,
    requestDigest: digestOf({ route, params, body: bodyOf(request) }),
    correlationId: parseTraceparent(request.headers['traceparent'] as string | undefined)?.traceId ?? request.id,
    causationId: commandId,
    policyVersion: POLICY_VERSION,
    policies,
    ...(onBehalfOf !== undefined && { onBehalfOf }),
  };
};

const bodyOf = ({ body }: FastifyRequest): unknown => {
  if (body === undefined || body === null) return null;
  return body instanceof Uint8Array ? sha256(body) : typeof body === 'object' && 'pipe' in body ? null : body;
};
