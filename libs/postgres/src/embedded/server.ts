import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { GuardedClient } from '../connection.js';
import { findBinaries, type Binaries } from './binaries.js';
import { prepareHome, socketDirectory, type Home } from './home.js';
import { alone, enter, leave } from './occupants.js';
import { environment, findPostmaster, signal, startPostmaster, stopPostmaster, type Postmaster } from './postmaster.js';

export type EmbeddedServer = Readonly<{
  /** An administrator's login to the database `workbench`; `host` is the directory of a Unix socket, on Windows 127.0.0.1. */
  connection: Readonly<{ host: string; port: number; user: 'postgres'; password?: string; database: string }>;
  /** It was running already: another process uses it too, or one died and left it. */
  adopted: boolean;
  /** Leaves it. Whoever leaves last stops it and waits for that, whoever started it. */
  stop(): Promise<void>;
}>;

const DATABASE = 'workbench';

/**
 * A real PostgreSQL from npm's binaries, for this machine only: reachable through a private socket, so without a password.
 * Creates the cluster in `dataDir` at first use, joins a server that already runs there (`settings` then change nothing). Errors say
 * what to do. A process that exits without `stop` still leaves; after SIGKILL the next one to start takes the server over.
 */
export async function startEmbedded(
  options: Readonly<{ dataDir: string; log?: (message: string) => void; settings?: Readonly<Record<string, string>> }>,
): Promise<EmbeddedServer> {
  const { log = () => undefined, settings = {} } = options;
  const home = prepareHome(options.dataDir, log);
  return alone(home.home, async () => {
    const binaries = findBinaries(home.home, home.user);
    assertVersion(home, binaries);
    for (let attempt = 1; ; attempt++) {
      const name = enter(home.home);
      let found: Postmaster | undefined;
      let postmaster: Postmaster | undefined;
      try {
        found = await findPostmaster(home);
        if (!found && !existsSync(home.cluster)) createCluster(home, binaries, settings['fsync'] !== 'off', log);
        postmaster = found ?? (await startPostmaster(binaries, home, { ...(await defaults(home)), ...settings }));
        const connection = {
          host: postmaster.host,
          port: postmaster.port,
          user: 'postgres',
          ...passwordOf(home),
          database: DATABASE,
        } as const;
        await createDatabase(connection);
        log(`PostgreSQL ${binaries.major} ${found ? 'was running' : 'started'} (process ${postmaster.pid}, data in ${home.cluster}).`);
        return { connection, adopted: found !== undefined, stop: stopper(binaries, home, postmaster, name) };
      } catch (error) {
        if (leave(home.home, name) && postmaster) await stopPostmaster(binaries, home, postmaster);
        // It was found just when another process, on its way out, was stopping it.
        if (!found || attempt === ATTEMPTS) throw error;
      }
    }
  });
}

const ATTEMPTS = 3;

const stopper = (binaries: Binaries, home: Home, postmaster: Postmaster, name: string): (() => Promise<void>) => {
  const onExit = () => {
    if (leave(home.home, name)) signal(postmaster, 'SIGINT');
  };
  process.once('exit', onExit);
  const stop = async () => {
    process.removeListener('exit', onExit);
    if (leave(home.home, name)) await stopPostmaster(binaries, home, postmaster);
  };
  let stopped: Promise<void> | undefined;
  // Where somebody removed the directory there is nothing left to be alone with.
  return () => (stopped ??= existsSync(home.home) ? alone(home.home, stop) : stop());
};

const defaults = async (home: Home): Promise<Record<string, string>> => ({
  max_connections: '100',
  idle_in_transaction_session_timeout: '30s',
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  ...(process.platform === 'win32'
    ? { listen_addresses: '127.0.0.1', port: String(await freePort()) }
    : { listen_addresses: '', unix_socket_directories: `"${socketDirectory(home).replaceAll('"', '""')}"`, port: '5432' }),
});

const assertVersion = ({ cluster }: Home, { major }: Binaries): void => {
  if (!existsSync(cluster)) return;
  const file = path.join(cluster, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'an unknown version of PostgreSQL';
  if (found === major) return;
  const named = /^\d/.test(found) ? `PostgreSQL ${found}` : found;
  throw new Error(
    `The data in ${cluster} was written by ${named}, and this version of the server brings PostgreSQL ${major}, which cannot read it. ` +
      `Start the version that wrote it, dump the database ${DATABASE} with pg_dump, move ${cluster} away, start again and restore; or move it away to start empty.`,
  );
};

/** Made under another name and then renamed, so that a cluster that exists is complete. */
const createCluster = (home: Home, { initdb }: Binaries, durable: boolean, log: (message: string) => void): void => {
  log(`Creating a database cluster in ${home.cluster}.`);
  const draft = mkdtempSync(path.join(home.home, 'draft-'));
  try {
    const draftCluster = path.join(draft, 'cluster');
    mkdirSync(draftCluster, { mode: 0o700 });
    chmodSync(draft, 0o755);
    if (home.user) chownSync(draftCluster, home.user.uid, home.user.gid);
    const { status, stdout, stderr, error } = spawnSync(
      initdb,
      ['-D', draftCluster, '-U', 'postgres', '--locale=C', '-E', 'UTF8', ...(durable ? [] : ['--no-sync']), ...authentication(home)],
      { ...home.user, cwd: home.home, encoding: 'utf8', env: environment(), windowsHide: true },
    );
    if (status !== 0)
      throw new Error(`initdb could not create a database cluster in ${home.home}: ${error?.message ?? (stderr.trim() || stdout.trim())}`);
    renameSync(draftCluster, home.cluster);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

/** Who can reach the socket is let in. Windows has none, so there a password guards the port. */
const authentication = ({ home }: Home): string[] => {
  if (process.platform !== 'win32') return ['--auth=trust'];
  writeFileSync(path.join(home, 'password'), randomBytes(24).toString('hex'), { mode: 0o600 });
  return ['--auth=scram-sha-256', `--pwfile=${path.join(home, 'password')}`];
};

const passwordOf = ({ home }: Home): { password?: string } =>
  process.platform === 'win32' ? { password: readFileSync(path.join(home, 'password'), 'utf8') } : {};

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

const createDatabase = async (connection: EmbeddedServer['connection']): Promise<void> => {
  const client = new GuardedClient({ ...connection, database: 'postgres', connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rows.length === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
};
