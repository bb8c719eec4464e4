import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../scripts/prepare.mjs';

const START_MS = 60_000;
const STOP_MS = 30_000;

/**
 * The built product in a process of its own, with an embedded PostgreSQL and the demo credentials in a folder of its own, and no rate limit.
 * `stop` ends both processes and removes the folder; a second call waits for the first.
 */
export const startProduct = async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'workbench-soak-'));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user
  const child = spawn(process.execPath, ['--enable-source-maps', path.join(ROOT, 'dist/apps/server/src/main.js')], {
    cwd: ROOT,
    env: { ...environment(), WORKBENCH_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Ctrl-C is for us; the server is told by `stop`, once
  });
  let [printed, log] = ['', ''];
  child.stdout.on('data', (chunk) => (printed += chunk)); // holds credentials, and is shown to nobody
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-20_000)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let stopping;
  const end = async () => {
    child.kill('SIGTERM');
    const isEnded = await Promise.race([ended.then(() => true), pause(STOP_MS, false, { ref: false })]);
    if (!isEnded) {
      child.kill('SIGKILL');
      await ended;
    }
    await endPostmaster(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const stop = () => (stopping ??= end());
  /** Rejects where it ends without being stopped. */
  const died = ended.then(() => stopping ?? Promise.reject(new Error(`The product ended by itself.\n${log}`)));
  died.catch(() => undefined);

  const url = await ready(child, () => printed).catch(async (error) => {
    await stop();
    throw new Error(`${error.message}\n${log}`);
  });
  const { credentials } = JSON.parse(readFileSync(path.join(folder, 'credentials.json'), 'utf8'));
  return {
    url,
    folder,
    pid: child.pid,
    postmaster: postmasterOf(folder),
    /** The first credential of each role. */
    credential: (role) => credentials.find((each) => each.role === role).credential,
    log: () => log,
    died,
    stop,
  };
};

/** Nothing of the caller's shell decides how the product is set. */
const environment = () => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  WORKBENCH_BOOTSTRAP: 'demo',
  WORKBENCH_REQUESTS_PER_MINUTE: '0',
});

const ready = async (child, printed) => {
  for (const end = Date.now() + START_MS; Date.now() < end; await pause(100)) {
    const url = /Workbench is at (\S+)/.exec(printed())?.[1];
    if (url) return url;
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new Error('The product did not start.');
};

/** A server that ended by itself, or had to be killed, leaves its PostgreSQL behind. */
const endPostmaster = async (folder) => {
  const postmaster = postmasterOf(folder);
  if (!postmaster || !signalled(postmaster, 'SIGQUIT')) return;
  for (const end = Date.now() + STOP_MS; signalled(postmaster, 0) && Date.now() < end;) await pause(50);
};
/** Whether the process was there to get it. */
const signalled = (pid, signal) => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

/** Process id of PostgreSQL, by the file it keeps; undefined before there is one. */
const postmasterOf = (folder) => {
  const file = path.join(folder, 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
};
