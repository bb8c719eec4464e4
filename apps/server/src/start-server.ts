import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { bootstrap, type ReadyCredential } from '#libs/identity';
import { EventStore } from '#libs/kernel';
import { Clock, connectionsFrom, Database, startEmbedded } from '#libs/postgres';
import { CAPACITY, STREAM_LIMITS, type EdgeOptions } from '#libs/http';
import { createApp } from './create-app.js';
import { createLog } from './logging/log.js';
import { serverModules } from './server.module.js';
import type { Settings } from './settings.js';

export type RunningServer = Readonly<{
  /** Where it listens; undefined for a process that only works. */
  url: string | undefined;
  app: NestFastifyApplication;
  credentials: readonly ReadyCredential[];
  /** Drains, then stops all that this process started, the embedded database included. */
  stop(): Promise<void>;
}>;

/** Brings the product up as the settings say. What fails half-way is taken down again. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const embedded = settings.database ? undefined : await startEmbedded({ dataDir: settings.dataDir });
  try {
    const urls = settings.database ?? connectionsFrom(embedded!.connection);
    const app = await createApp(serverModules(settings, urls), {
      log: createLog(settings.logLevel),
      consoleDir: settings.consoleDir,
      edge: edgeOf(settings),
    });
    try {
      await app.init();
      const credentials = await bootstrap(app.get(EventStore), app.get(Database), app.get(Clock), settings.bootstrap);
      const { api } = settings.roles;
      if (api) await app.listen(settings.port, settings.host);
      const url = api ? await app.getUrl() : undefined;
      const stop = async () => {
        await app.close();
        await embedded?.stop();
      };
      return { url, app, credentials, stop };
    } catch (error) {
      await app.close();
      throw error;
    }
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

const edgeOf = ({ requestsPerMinute, atOnce, streams }: Settings): Partial<EdgeOptions> => ({
  requestsPerMinute,
  streams: { ...STREAM_LIMITS, overall: streams },
  capacity: {
    ...CAPACITY,
    lanes: {
      command: { atOnce: atOnce.commands, waiting: atOnce.commands * 4 },
      read: { atOnce: atOnce.reads, waiting: atOnce.reads * 4 },
      stream: { ...CAPACITY.lanes.stream, waiting: streams },
    },
  },
});
