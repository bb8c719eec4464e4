import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
// Not from the index: Jest's global setup loads this with plain Node, which cannot load all that the index leads to.
import { connectionsFrom, GuardedClient, type Connection } from '../../libs/postgres/src/connection.js';
import { startEmbedded, type EmbeddedServer } from '../../libs/postgres/src/embedded/server.js';
import { migrate } from '../../libs/postgres/src/migrate.js';

export const TEMPLATE = 'workbench_template';
const PREFIX = 'workbench-test-';

export type Cluster = Readonly<{ connection: Connection; stop(): Promise<void> }>;

/** One server for a whole run, in a directory of its own, with a migrated database that tests clone. Not durable: nothing here outlives the run. */
export async function startCluster(): Promise<Cluster> {
  await removeLeftovers();
  const directory = testDirectory();
  let server: EmbeddedServer | undefined;
  const stop = async () => {
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    server = await startEmbedded({ dataDir: directory, settings });
    await query(server.connection, `create database ${TEMPLATE}`);
    await migrate(connectionsFrom({ ...server.connection, database: TEMPLATE }));
    return { connection: server.connection, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A directory for data of embedded servers, at its top or one below. The next run clears it where this one is killed. */
export const testDirectory = (): string => {
  const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), PREFIX)));
  chmodSync(directory, 0o755);
  writeFileSync(path.join(directory, 'runner'), String(process.pid));
  return directory;
};

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  max_connections: '300',
  autovacuum_naptime: '10min',
};

/** What runs left that were killed: their servers are joined and stopped, as the next start of the product would do. */
const removeLeftovers = async (): Promise<void> => {
  for (const name of readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const directory = path.join(os.tmpdir(), name);
    if (isRunning(directory)) continue;
    try {
      for (const home of [directory, ...readdirSync(directory).map((entry) => path.join(directory, entry))])
        if (existsSync(path.join(home, 'cluster/postmaster.pid'))) await (await startEmbedded({ dataDir: home, settings })).stop();
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another user's, or another run clears it away right now.
    }
  }
};

const isRunning = (directory: string): boolean => {
  try {
    process.kill(Number(readFileSync(path.join(directory, 'runner'), 'utf8')), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** One statement on a connection of its own. */
export const query = async (connection: Connection, text: string): Promise<void> => {
  const client = new GuardedClient(connection);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};
