import { Inject, Injectable, Optional, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { digits } from '../fields/rules.js';
import { standAside } from '../edge/place.js';
import { read } from './parameters.js';

/** Waits until reads have reached a position; the application binds it to its projections. */
export abstract class ReadPositions {
  /** Resolves once every read model has reached `position`; after `ms` throws 504 `read-model/behind` with the lag. */
  abstract waitFor(position: string, ms: number): Promise<unknown>;
}

const MOST_MS = 5_000;

/** Every read takes `?waitFor=<position>`: the answer knows at least what was written there. */
@Injectable()
export class WaitForInterceptor implements NestInterceptor {
  constructor(@Optional() @Inject(ReadPositions) private readonly positions?: ReadPositions) {}

  async intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: Record<string, unknown> }>>();
    const asked = context.getType() === 'http' && request.method === 'GET' ? request.query['waitFor'] : undefined;
    if (asked !== undefined) {
      const position = read(digits(), asked, '/query/waitFor');
      await standAside(async () => this.positions?.waitFor(position, MOST_MS));
    }
    return next.handle();
  }
}
