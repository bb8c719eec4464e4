import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { documentOf } from '../../dist/apps/server/src/openapi.js';
import { serverModules } from '../../dist/apps/server/src/server.module.js';
import { settingsFrom } from '../../dist/apps/server/src/settings.js';
import { Drain, EventStreams, undescribedProblems } from '../../dist/libs/http/src/index.js';

class Root {}
class Edge {}

/** docs/openapi.json from the application's routes. In preview Nest makes no provider, so this needs neither database nor port. */
export const openApiText = async () => {
  const edge = [EventStreams, Drain].map((provide) => ({ provide, useValue: undefined }));
  const modules = serverModules(settingsFrom({}), { owner: {}, projector: {}, app: {} });
  const app = await NestFactory.create(
    { module: Root, imports: [{ module: Edge, global: true, providers: edge, exports: [EventStreams, Drain] }, ...modules] },
    new FastifyAdapter(),
    { preview: true, logger: ['error'], abortOnError: false },
  );
  const document = documentOf(app);
  const undescribed = undescribedProblems(document);
  if (undescribed.length > 0) throw new Error(`Routes name problems that nobody describes: ${undescribed.join(', ')}.`);
  return `${JSON.stringify(document, null, 2)}\n`;
};
