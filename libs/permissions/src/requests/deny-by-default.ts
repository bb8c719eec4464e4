import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

const ROUTE = '/api/hooks/classify';

/** A refusal of this route says `allow: false` as well, whoever refused it and why: a runtime needs to look at one member only. */
@Injectable()
export class DenyByDefault implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const instance = this.host.httpAdapter.getInstance<FastifyInstance>();
    instance.addHook('onSend', (request, reply, payload, done) => {
      const refused = reply.statusCode >= 400 && request.routeOptions.url === ROUTE;
      done(null, refused && typeof payload === 'string' && payload.startsWith('{"') ? withDenial(reply, payload) : payload);
    });
  }
}

const withDenial = (reply: Readonly<{ removeHeader(name: string): unknown }>, payload: string): string => {
  reply.removeHeader('content-length');
  return `{"allow":false,${payload.slice(1)}`;
};
