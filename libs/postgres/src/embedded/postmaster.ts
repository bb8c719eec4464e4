import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import type { Home } from './home.js';
import { identityOf, isAlive, isPostgres, until } from './processes.js';

/** The running server as its `postmaster.pid` describes it. */
export type Postmaster = Readonly<{ pid: number; identity: string; host: string; port: number }>;

const START_SECONDS = 60;
const STOP_SECONDS = 30;

/**
 * The server that runs on this cluster, once it takes connections; undefined where there is none. A `postmaster.pid` that
 * is left over (the machine went down and the id is in use again, or the directory was copied) is made harmless.
 */
export async function findPostmaster({ cluster, log }: Home): Promise<Postmaster | undefined> {
  const file = readPidFile(cluster);
  if (!file) return undefined;
  if (!isAlive(String(file.pid)) || !isPostgres(file.pid) || file.directory !== cluster) {
    if (isAlive(String(file.pid))) disown(cluster, file.lines);
    return undefined;
  }
  const identity = identityOf(file.pid);
  const settled = await until(
    () => !isAlive(identity) || /^(ready|stopping)/.test(readPidFile(cluster)?.status ?? 'stopping'),
    START_SECONDS * 1000,
  );
  const now = readPidFile(cluster);
  if (settled && isAlive(identity) && now?.status.startsWith('ready')) return { pid: file.pid, identity, host: now.host, port: now.port };
  if (await until(() => !isAlive(identity), STOP_SECONDS * 1000)) return undefined;
  throw new Error(`A PostgreSQL server (process ${file.pid}) holds ${cluster} and neither starts nor stops. ${tail(log)}`);
}

/** Starts it apart from this process: Ctrl-C and our end do not reach it, so that we can end in order first. */
export async function startPostmaster(binaries: Binaries, home: Home, settings: Readonly<Record<string, string>>): Promise<Postmaster> {
  if (existsSync(home.log)) renameSync(home.log, `${home.log}.1`);
  const output = openSync(home.log, 'a', 0o600);
  const args = ['-D', home.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = spawn(binaries.postgres, args, {
    ...home.user,
    cwd: home.home,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output],
    env: environment(),
  });
  closeSync(output);
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `it ended with ${code ?? signal}`));
  const own = () => (child.pid && readPidFile(home.cluster)?.pid === child.pid ? readPidFile(home.cluster) : undefined);
  const ready = await until(() => ended !== undefined || own()?.status.startsWith('ready') === true, START_SECONDS * 1000);
  const file = own();
  if (ready && !ended && file) return { pid: file.pid, identity: identityOf(file.pid), host: file.host, port: file.port };
  if (!ended) child.kill('SIGQUIT');
  throw new Error(`The embedded PostgreSQL did not start: ${ended ?? `it was not ready after ${START_SECONDS} s`}. ${tail(home.log)}`);
}

/** Ends all connections, writes what is to be written, and resolves when the process is gone. */
export async function stopPostmaster(binaries: Binaries, home: Home, postmaster: Postmaster): Promise<void> {
  const gone = () => !isAlive(postmaster.identity);
  if (process.platform === 'win32') spawnSync(binaries.pgCtl, ['stop', '-D', home.cluster, '-m', 'fast', '-w'], { windowsHide: true });
  else signal(postmaster, 'SIGINT');
  if (await until(gone, STOP_SECONDS * 1000)) return removeSocketDirectory(postmaster);
  // Without a last checkpoint: the next start replays the log instead.
  signal(postmaster, 'SIGQUIT');
  if (!(await until(gone, STOP_SECONDS * 1000)))
    throw new Error(`The embedded PostgreSQL (process ${postmaster.pid}) does not stop. ${tail(home.log)}`);
}

/** It may lie outside the home, where nobody else would. */
const removeSocketDirectory = ({ host }: Postmaster): void => {
  try {
    if (path.isAbsolute(host)) rmdirSync(host);
  } catch {
    // Not empty, or gone.
  }
};

/** Asks for a stop without waiting, for a process that is about to exit. */
export const signal = ({ pid, identity }: Postmaster, name: 'SIGINT' | 'SIGQUIT'): void => {
  try {
    if (isAlive(identity)) process.kill(pid, name);
  } catch {
    // It went in between.
  }
};

/** The end of a server's log, for an error message. */
export const tail = (log: string): string => {
  try {
    return `Its log (${log}) ends:\n${readFileSync(log, 'utf8').trim().split('\n').slice(-8).join('\n')}`;
  } catch {
    return '';
  }
};

/** Nothing of PG* or of a locale that this machine may not have. */
export const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: 'C',
});

const readPidFile = (cluster: string) => {
  try {
    const lines = readFileSync(`${cluster}/postmaster.pid`, 'utf8').split('\n');
    const [pid, directory = '', , port, socket = '', address = '', , status = ''] = lines;
    return { lines, pid: Number(pid), directory, port: Number(port), host: socket || address, status };
  } catch {
    return undefined;
  }
};

/**
 * Puts our own id in: PostgreSQL takes its parent's for a leftover, yet still checks the shared memory that the file names, so
 * that it never starts beside processes of a server that crashed. (Removing the file would remove that check.)
 */
const disown = (cluster: string, [, ...rest]: string[]): void =>
  writeFileSync(`${cluster}/postmaster.pid`, [process.pid, ...rest].join('\n'));
