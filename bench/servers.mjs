import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

const { connectionsFrom, migrate, openDatabase, startEmbedded } = await import('../dist/libs/postgres/src/index.js');

/**
 * An embedded PostgreSQL as the product starts it (fsync and synchronous_commit on), in a directory of its own which goes with it.
 * `settings` are those of postgresql.conf.
 */
export const startCluster = async (settings = {}) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'workbench-bench-'));
  chmodSync(directory, 0o755);
  const embedded = await startEmbedded({ dataDir: directory, settings: { max_connections: '200', ...settings } });
  const { connection } = embedded;
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  return {
    connection,
    /** Logins to a migrated database of the product: the usual one, or one of its own by this name. */
    async product(name) {
      if (name) await query(connection, `create database ${name}`);
      const urls = connectionsFrom(name ? { ...connection, database: name } : connection);
      await migrate(urls);
      return urls;
    },
    /** An empty database for somebody else on the same server. */
    async database(name) {
      await query(connection, `create database ${name}`);
      return { ...connection, database: name };
    },
    async stop() {
      await embedded.stop();
      remove();
    },
  };
};

/** One statement on a connection of its own. */
export const query = async (connection, text, values) => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
};

/** Runs `work` with what `open` gave and always gives it back with its `stop`. */
export const withServer = async (open, work) => {
  const server = await open();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
};

/** The product as it runs, on this database. `api: true` makes it listen. */
export const startProduct = async (urls, { api = false, ...over } = {}) => {
  const { startServer } = await import('../dist/apps/server/src/start-server.js');
  const { settingsFrom } = await import('../dist/apps/server/src/settings.js');
  return startServer({
    ...settingsFrom({ LOG_LEVEL: 'error', WORKBENCH_REQUESTS_PER_MINUTE: '0', WORKBENCH_BOOTSTRAP: 'demo' }),
    database: urls,
    port: 0,
    roles: { api, worker: true },
    ...over,
  });
};

/** The event store alone, in the product's database. */
export const openStore = async (cluster, types) => {
  const { openPostgresEventStore } = await import('../dist/libs/event-store/src/index.js');
  const database = await openDatabase(await cluster.product());
  const store = await openPostgresEventStore(database, types);
  const close = async () => {
    store.close();
    await database.close();
  };
  return { database, store, close };
};
