import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that a file can name: its id and, where the system tells, when it started; ids are used again. */
export const identityOf = (pid: number): string => {
  const started = statOf(pid)?.[19];
  return started ? `${pid}/${started}` : String(pid);
};

export const isAlive = (identity: string): boolean => {
  const pid = Number.parseInt(identity, 10);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Dead, but nobody has collected it: in a container the first process may never.
  if (statOf(pid)?.[0] === 'Z') return false;
  return !identity.includes('/') || identityOf(pid) === identity;
};

/** Whether it runs PostgreSQL's server, as far as the system tells. */
export const isPostgres = (pid: number): boolean => {
  try {
    if (process.platform === 'win32') return true;
    const name =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/comm`, 'utf8')
        : execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return /postgres\s*$/.test(name);
  } catch {
    return false;
  }
};

/** Waits for something that tells nobody when it happens; false after `milliseconds`. */
export async function until(done: () => boolean | Promise<boolean>, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!(await done())) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Fields of /proc/PID/stat from the state on; the name before it may hold anything. */
const statOf = (pid: number): string[] | undefined => {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
      : undefined;
  } catch {
    return undefined;
  }
};
