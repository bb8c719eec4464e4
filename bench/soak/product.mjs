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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let stopping;
  const end = async () => {
    const postmaster = postmasterOf(folder);
    child.kill('SIGTERM');
    const isEnded = await Promise.race([ended.then(() => true), pause(STOP_MS, false, { ref: false })]);
    if (!isEnded) {
      child.kill('SIGKILL');
      await ended;
      if (postmaster) process.kill(postmaster, 'SIGQUIT');
      await pause(2_000);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const stop = () => (stopping ??= end());

  const url = await ready(child, () => output).catch(async (error) => {
    await stop();
    throw error;
  });
  const { credentials } = JSON.parse(readFileSync(path.join(folder, 'credentials.json'), 'utf8'));
  return {
    url,
    folder,
    pid: child.pid,
    postmaster: postmasterOf(folder),
    /** The first credential of each role. */
    credential: (role) => credentials.find((each) => each.role === role).credential,
    output: () => output,
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

const ready = async (child, output) => {
  for (const end = Date.now() + START_MS; Date.now() < end; await pause(100)) {
    const url = /Workbench is at (\S+)/.exec(output())?.[1];
    if (url) return url;
    if (child.exitCode !== null) break;
  }
  throw new Error(`The product did not start:\n${output()}`);
};

/** Process id of PostgreSQL, by the file it keeps; undefined before there is one. */
const postmasterOf = (folder) => {
  const file = path.join(folder, 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
};
