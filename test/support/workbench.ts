import { startServer, type RunningServer } from '../../apps/server/src/start-server.js';
import { settingsFrom, type Settings } from '../../apps/server/src/settings.js';
import { startChosenStore } from './chosen-store.js';
import { Client } from './client.js';
import { createEmptyDatabase, type TestDatabase } from './database.js';
import { TEMPLATE } from './cluster.js';

/** The people and agents of the demo tenant, each with a credential of its own. */
export type Cast = Readonly<Record<'mia' | 'ann' | 'ben' | 'otto' | 'ian' | 'val' | 'eve' | 'ida' | 'vera', Client>>;

/** A running product on a database of its own. */
export type Workbench = Readonly<{
  url: string;
  cast: Cast;
  server: RunningServer;
  database: Pick<TestDatabase, 'name' | 'urls' | 'drop'>;
  /** Another server (or worker) of the same stores, stopped with the rest. */
  another(over?: Partial<Settings>): Promise<RunningServer>;
  stop(): Promise<void>;
}>;

export async function startWorkbench(over: Partial<Settings> = {}): Promise<Workbench> {
  const database = await createEmptyDatabase(TEMPLATE);
  const wire = over.eventStoreUrl === undefined ? await startChosenStore() : undefined;
  const settings: Settings = {
    ...settingsFrom({ LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error', WORKBENCH_REQUESTS_PER_MINUTE: '0' }),
    database: database.urls,
    port: 0,
    eventStoreUrl: wire?.url,
    ...over,
  };
  const servers: RunningServer[] = [];
  const start = async (more: Partial<Settings>): Promise<RunningServer> => {
    const server = await startServer({ ...settings, ...more });
    servers.push(server);
    return server;
  };
  const server = await start({});
  const url = server.url!;
  return {
    url,
    cast: castOf(url, server.credentials),
    server,
    database,
    another: (more = {}) => start({ bootstrap: 'none', ...more }),
    async stop() {
      await Promise.all(servers.map((one) => one.stop()));
      await wire?.stop();
      await database.drop();
    },
  };
}

/** By first name, in lower case. */
export const castOf = (url: string, credentials: readonly Readonly<{ name: string; credential: string }>[]): Cast =>
  Object.fromEntries(credentials.map(({ name, credential }) => [name.split(' ')[0]!.toLowerCase(), new Client(url, credential)])) as Cast;
