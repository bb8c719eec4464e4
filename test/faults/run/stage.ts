import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { connectionsFrom, startEmbedded, type Connection, type DatabaseUrls } from '#libs/postgres';
import { testDirectory } from '../../support/cluster.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type ServerProcess } from '../../support/processes.js';
import { castOf, type Cast } from '../../support/workbench.js';
import { startLine, type Line } from './line.js';
import { copyProduct, type Plant } from './product-copy.js';

/** One server with api and worker, kept running as a process manager would, on a line of its own to PostgreSQL. */
export type Actor = Readonly<{
  name: string;
  url: string;
  line: Line;
  /** The process that runs now; undefined while it is started. */
  process(): ServerProcess | undefined;
  /** Ends the process and starts another after `downMs`, with more environment. Resolves when the old one is gone. */
  restart(signal: 'SIGKILL' | 'SIGTERM', downMs: number, more?: Readonly<Record<string, string>>): Promise<void>;
  ready(): Promise<void>;
}>;

export type Stage = Readonly<{
  actors: readonly Actor[];
  urls: DatabaseUrls;
  admin: Connection;
  cast: Cast;
  /** Where PostgreSQL's data is, on a disk of its own if `ownDisk`. */
  dataDir: string;
  ownDisk: boolean;
  /** The product with WORKBENCH_CLOCK_OFF_MS. */
  mainWithClockOff: string;
  postmaster(): number | undefined;
  /** Makes sure that PostgreSQL runs, as whoever operates it would. */
  startPostgres(): Promise<void>;
  /** Processes that ended though nobody ended them, with the end of their output. */
  died: readonly string[];
  close(): Promise<void>;
}>;

export type StageOptions = Readonly<{ plant?: Plant; diskMegabytes: number; settings?: Readonly<Record<string, string>> }>;

export async function createStage({ plant, diskMegabytes, settings = {} }: StageOptions): Promise<Stage> {
  const directory = testDirectory();
  const disk = path.join(directory, 'disk');
  mkdirSync(disk, { mode: 0o755 });
  const ownDisk = mountDisk(disk, diskMegabytes);
  const product = copyProduct(plant);
  let embedded: Awaited<ReturnType<typeof startEmbedded>> | undefined;
  const postmaster = (): number | undefined => {
    const file = path.join(disk, 'cluster/postmaster.pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
    return pid > 0 && isRunning(pid) ? pid : undefined;
  };
  const startPostgres = async () => {
    // Processes of a server that was killed may still hold its memory for a moment, and recovery may take one.
    embedded = await eventually(async () => {
      if (embedded && postmaster() !== undefined) return embedded;
      await embedded?.stop();
      return startEmbedded({ dataDir: disk, settings: { max_wal_size: '64MB', min_wal_size: '32MB' } });
    }, 60_000);
  };
  await startPostgres();
  const admin = embedded!.connection;
  const died: string[] = [];
  let closing = false;

  const createActor = async (name: string): Promise<Actor> => {
    const line = await startLine(path.join(admin.host, `.s.PGSQL.${admin.port}`));
    const port = await freePort();
    const environment = {
      WORKBENCH_MAIN: product.main,
      DATABASE_URL: `postgres://${admin.user}@127.0.0.1:${line.port}/${admin.database}`,
      WORKBENCH_DATA: directory,
      WORKBENCH_BOOTSTRAP: 'demo',
      WORKBENCH_REQUESTS_PER_MINUTE: '0',
      WORKBENCH_LEASE_SECONDS: '3',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...settings,
    };
    let running: ServerProcess | undefined;
    let expected = false;
    let starting: Promise<void> = Promise.resolve();
    const start = async (more: Readonly<Record<string, string>>): Promise<void> => {
      // While PostgreSQL is away a start fails, and is tried again.
      const started = await eventually(async () => (closing ? ('closing' as const) : startProcess({ ...environment, ...more })), 120_000);
      if (started === 'closing') return;
      expected = false;
      running = started;
      started.child.once('exit', (code, signal) => {
        if (running === started) running = undefined;
        if (expected || closing) return;
        died.push(`${name} ended with ${code ?? signal}: ${started.output().slice(-600)}`);
        starting = start({});
      });
      if (started.child.exitCode !== null) throw new Error(`${name} ended at once.`);
    };
    starting = start({});
    await starting;
    return {
      name,
      url: `http://127.0.0.1:${port}`,
      line,
      process: () => running,
      ready: () => starting,
      async restart(signal, downMs, more = {}) {
        await starting;
        expected = true;
        const old = running;
        running = undefined;
        // Whom a bad line keeps from draining is killed, as a process manager would.
        const late = setTimeout(() => old?.child.kill('SIGKILL'), 15_000);
        await old?.kill(signal);
        clearTimeout(late);
        starting = new Promise((resolve) => setTimeout(resolve, downMs)).then(() => start(more));
        starting.catch((error: unknown) => died.push(`${name} did not come back: ${String(error)}`));
      },
    };
  };
  const actors = [await createActor('one'), await createActor('two')];
  const credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8')).credentials;
  return {
    actors,
    urls: connectionsFrom(admin),
    admin,
    cast: castOf(actors[0]!.url, credentials),
    dataDir: disk,
    ownDisk,
    mainWithClockOff: product.mainWithClockOff,
    postmaster,
    startPostgres,
    died,
    async close() {
      closing = true;
      await Promise.all(actors.map(({ ready }) => ready().catch(() => undefined)));
      await Promise.all(actors.map(async (actor) => actor.process()?.kill('SIGKILL')));
      await Promise.all(actors.map(({ line }) => line.close()));
      await embedded?.stop();
      if (ownDisk) execFileSync('umount', ['--lazy', disk]);
      rmSync(directory, { recursive: true, force: true });
      product.remove();
    },
  };
}

/** A small disk in memory, which only root can make. */
const mountDisk = (directory: string, megabytes: number): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'workbench-faults', directory], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
