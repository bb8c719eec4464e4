import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Admission, createHttpApp, EventStreams, type EdgeOptions, type FinishedRequest } from '#libs/http';
import { credentialOf } from '#libs/identity';
import { Database } from '#libs/postgres';
import { serveApiDocs } from './api-docs.js';
import { logRequests } from './logging/log.js';
import { NestLogger } from './logging/nest-logger.js';
import { httpMetrics } from './metrics/http-metrics.js';
import { commandMetrics } from './metrics/command-metrics.js';
import { loadMetrics } from './metrics/load-metrics.js';
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
  const { projector, app: reading } = app.get(Database);
  const admission = app.get(Admission);
  admission.watchQueries(() => projector.waitingCount + reading.waitingCount);
  observers.push(
    httpMetrics(app.get(Registry)),
    loadMetrics(app.get(Registry), { admission, streams: app.get(EventStreams), pools: { projector, app: reading } }),
  );
  commandMetrics(app.get(Registry), app.get(CommandBus));
  await serveApiDocs(app);
  await serveConsole(app, consoleDir);
  return app;
}
