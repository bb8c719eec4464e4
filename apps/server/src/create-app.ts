import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createHttpApp, EventStreams, type EdgeOptions, type FinishedRequest } from '#libs/http';
import { credentialOf } from '#libs/identity';
import { serveApiDocs } from './api-docs.js';
import { logRequests } from './logging/log.js';
import { NestLogger } from './logging/nest-logger.js';
import { httpMetrics } from './metrics/http-metrics.js';
import { serveConsole } from './serve-console.js';

export type AppOptions = Readonly<{
  log: Logger;
  /** Where the built console lies; a directory that is not there is no fault. */
  consoleDir: string;
  edge?: Partial<EdgeOptions>;
}>;

/**
 * The product's modules behind the HTTP edge, with logs, metrics, the API's documentation and the console. It does not listen
 * yet: `await app.listen(port, host)`.
 */
export async function createApp(modules: (Type | DynamicModule)[], { log, consoleDir, edge }: AppOptions): Promise<NestFastifyApplication> {
  const observers: ((request: FinishedRequest) => void)[] = [logRequests(log)];
  const observe = (request: FinishedRequest): void => observers.forEach((tell) => tell(request));
  const app = await createHttpApp(modules, { credentialOf, observe, ...edge }, new NestLogger(log));
  observers.push(httpMetrics(app.get(Registry), app.get(EventStreams)));
  await serveApiDocs(app);
  await serveConsole(app, consoleDir);
  return app;
}
