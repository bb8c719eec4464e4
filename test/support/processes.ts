import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startChosenStore } from './chosen-store.js';
import { castOf, type Cast } from './workbench.js';
import { TEMPLATE } from './cluster.js';
import { createEmptyDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';

const root = path.resolve(__dirname, '../..');
const MAIN = path.join(root, 'dist/apps/server/src/main.js');

/** A server or worker in a process of its own, as `npm start` runs it. */
export type ServerProcess = Readonly<{
  /** Empty for a process that only works. */
  url: string;
  child: ChildProcess;
  output(): string;
  /** Resolves when it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}>;

/** Stores for processes to share, and the credentials of the demo tenant. */
export type Site = Readonly<{
  database: Pick<TestDatabase, 'name' | 'urls' | 'drop'>;
  /** Where the events are; undefined: in the database. */
  eventStoreUrl: string | undefined;
  start(environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  /** Of the first server that was started. */
  cast(at: ServerProcess): Cast;
  /** Kills what still runs and drops the database. */
  remove(): Promise<void>;
}>;

export async function createSite(defaults: Readonly<Record<string, string>> = {}): Promise<Site> {
  const database = await createEmptyDatabase(TEMPLATE);
  const wire = defaults['EVENTSTORE_URL'] === undefined ? await startChosenStore() : undefined;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'workbench-site-'));
  const running = new Set<ServerProcess>();
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const started = await startProcess({
      DATABASE_URL: urlOf(database.urls.owner),
      WORKBENCH_DATA: dataDir,
      WORKBENCH_BOOTSTRAP: 'demo',
      PORT: '0',
      ...(wire && { EVENTSTORE_URL: wire.url }),
      ...defaults,
      ...environment,
    });
    running.add(started);
    return started;
  };
  return {
    database,
    eventStoreUrl: wire?.url ?? defaults['EVENTSTORE_URL'],
    start,
    cast: (at) => castOf(at.url, JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')).credentials),
    async remove() {
      await Promise.all([...running].map((one) => one.kill('SIGKILL')));
      await wire?.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server or worker with this environment alone, once it is ready. Throws where it ends before that. */
export const startProcess = async (environment: Readonly<Record<string, string>>): Promise<ServerProcess> => {
  const child = spawn(process.execPath, ['--enable-source-maps', environment['WORKBENCH_MAIN'] ?? MAIN], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await eventually(() => {
    if (child.exitCode !== null || child.signalCode !== null) return 'ended';
    return /Workbench is at (\S+)/.exec(output)?.[1] ?? (output.includes('works in the background') && 'worker');
  }, 60_000);
  if (ready === 'ended') throw new Error(`The server ended at once:\n${output}`);
  return {
    url: ready === 'worker' ? '' : ready,
    child,
    output: () => output,
    async kill(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
};

/** The test server's socket as a URL. */
export const urlOf = ({ host, port, user, database }: TestDatabase['urls']['owner']): string =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
