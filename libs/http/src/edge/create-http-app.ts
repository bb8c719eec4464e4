import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { Global, Module, type DynamicModule, type LoggerService, type ModuleMetadata, type OnModuleDestroy } from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RequestPipe } from '../fields/request.pipe.js';
import { WaitForInterceptor } from '../parameters/wait-for.interceptor.js';
import { ProblemFilter } from '../problems/problem.filter.js';
import { EventStreams } from '../streams/event-streams.js';
import { Admission } from './admission.js';
import { readBodies } from './bodies.js';
import { Drain } from './drain.js';
import { fastifyAdapter } from './fastify.js';
import { observeRequests } from './observation.js';
import { EDGE_DEFAULTS, type EdgeOptions } from './options.js';
import { limitRates } from './rate-limit.js';

/** What every context may inject: EventStreams, Admission, and Drain for whoever must know that the server stops. */
@Global()
@Module({})
class EdgeModule {}

/** The outermost module: Nest takes it down first, so requests finish while everything that they need is still there. */
@Module({})
class HttpRoot implements OnModuleDestroy {
  constructor(private readonly drain: Drain) {}

  onModuleDestroy(): Promise<void> {
    return this.drain.run();
  }
}

/**
 * The whole HTTP edge around any modules. The caller listens: `await app.listen(port, host)`; for a test
 * `app.listen(0, '127.0.0.1')`. `app.close()` drains, see Drain.
 */
export async function createHttpApp(
  modules: NonNullable<ModuleMetadata['imports']>,
  options: Partial<EdgeOptions> = {},
  logger?: LoggerService | false,
): Promise<NestFastifyApplication> {
  const edge: EdgeOptions = { ...EDGE_DEFAULTS, ...options };
  const streams = new EventStreams(edge.streams);
  const admission = new Admission(edge.capacity);
  const drain = new Drain(streams, edge.stopMs);

  const edgeModule: DynamicModule = {
    module: EdgeModule,
    providers: [
      { provide: EventStreams, useValue: streams },
      { provide: Admission, useValue: admission },
      { provide: Drain, useValue: drain },
    ],
    exports: [EventStreams, Admission, Drain],
  };
  const root: DynamicModule = {
    module: HttpRoot,
    imports: [edgeModule, ...modules],
    providers: [{ provide: APP_INTERCEPTOR, useClass: WaitForInterceptor }],
  };

  const adapter = fastifyAdapter(edge);
  const instance = adapter.getInstance();
  observeRequests(instance, edge);
  drain.watch(instance);
  readBodies(instance);

  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    abortOnError: false,
    ...(logger !== undefined && { logger }),
  });
  await app.register(helmet, HELMET);
  await app.register(cookie);
  await limitRates(instance, edge);
  admission.guard(instance, edge);
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalPipes(new RequestPipe());
  return app;
}

/** The console and the API documentation live with this: all from ourselves, nothing inline, framed by nobody. */
const HELMET = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' as const },
  // Ours to say only where TLS ends here; it does not.
  strictTransportSecurity: false,
};
