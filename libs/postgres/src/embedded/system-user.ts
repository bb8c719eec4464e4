import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/** As whom PostgreSQL runs where we are root, which it refuses to be; undefined where it simply runs as we do. */
export type SystemUser = Readonly<{ uid: number; gid: number }> | undefined;

/** The owner of an existing cluster, else `nobody`, else the first account that is not root. */
export const serverUser = (cluster: string): SystemUser => {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    if (uid !== 0) return { uid, gid };
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const account = accounts.find(({ uid }) => uid === 65534) ?? accounts.find(({ name }) => name === 'nobody') ?? accounts[0];
  if (!account)
    throw new Error(
      'PostgreSQL does not run as root, and /etc/passwd names no other account that it could run as. Add one (useradd --system postgres), or set DATABASE_URL.',
    );
  return { uid: account.uid, gid: account.gid };
};

/** Whether that user can get into the directory; asked of the system itself, which knows of more than permission bits. */
export const canEnter = (user: SystemUser, directory: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
