import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * The operator console at `/`, where it has been built. Its assets carry a digest in their names and may be kept for ever; the
 * page that names them may not.
 */
export const serveConsole = async (app: NestFastifyApplication, directory: string): Promise<void> => {
  if (!existsSync(join(directory, 'index.html'))) return;
  await app
    .getHttpAdapter()
    .getInstance()
    .register(fastifyStatic, {
      root: directory,
      // Only files that are there become routes: everything else stays a problem of the API.
      wildcard: false,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply, path) =>
        void reply.header('cache-control', path.startsWith(join(directory, 'assets')) ? 'public, max-age=31536000, immutable' : 'no-cache'),
    });
};
