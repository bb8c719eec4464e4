import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { derivedId, digestOf, DomainError, newId, refusal, sha256, type CommandMeta, type Principal } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { POLICY_VERSION } from '../authority.js';

type Sender = Readonly<{ actor: Principal; workspaceId: string; onBehalfOf?: string }>;

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

const metaOf = (request: FastifyRequest, { actor, workspaceId, onBehalfOf }: Sender, at: string): CommandMeta => {
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  const params = (request.params ?? {});
  const key = keyOf(request);
  const commandId = key === undefined ? newId() : derivedId(actor.tenantId, actor.id, route, digestOf(params), key);
  return {
    tenantId: actor.tenantId,
    workspaceId,
    actor,
    at,
    commandId,
    requestDigest: digestOf({ route, params, body: bodyOf(request) }),
    correlationId: traceOf(request) ?? commandId,
    causationId: commandId,
    policyVersion: POLICY_VERSION,
    ...(onBehalfOf !== undefined && { onBehalfOf }),
  };
};

const keyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new DomainError(
      refusal('invalid', 'idempotency/key', 'An Idempotency-Key has 1 to 200 visible ASCII characters and comes once.'),
    );
  return key;
};

const bodyOf = ({ body }: FastifyRequest): unknown => {
  if (body === undefined || body === null) return null;
  return body instanceof Uint8Array ? sha256(body) : typeof body === 'object' && 'pipe' in body ? null : body;
};

/** The trace id of W3C trace context, so that events are found by it. */
const traceOf = (request: FastifyRequest): string | undefined => {
  const match = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(String(request.headers['traceparent'] ?? ''));
  return match?.[1] === '0'.repeat(32) ? undefined : match?.[1];
};
