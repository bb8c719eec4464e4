import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { canEnter, serverUser, type SystemUser } from './system-user.js';

/** Where one embedded server lives: `cluster/` (its data), `postgres.log`, `users/`, and its socket. */
export type Home = Readonly<{ home: string; cluster: string; log: string; user: SystemUser }>;

/**
 * The data directory itself, unless we are root and the server's user cannot get there (below /root): then a directory of its
 * own in /var/lib, to which `elsewhere` in the data directory points. Whoever removes the data directory starts anew in both cases.
 */
export function prepareHome(dataDir: string, log: (message: string) => void): Home {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The data directory ${path.resolve(dataDir)} cannot be used (${(error as NodeJS.ErrnoException).code}). ` +
        `Make it writable for user id ${process.getuid?.() ?? os.userInfo().username}, or choose another.`,
      { cause: error },
    );
  }
  const asked = realpathSync(dataDir);
  const pointer = path.join(asked, 'elsewhere');
  const pointed = lstatSync(pointer, { throwIfNoEntry: false }) ? readlinkSync(pointer) : undefined;
  if (pointed && !existsSync(pointed))
    throw new Error(`The data of ${asked} lay in ${pointed}, which is gone. Restore it, or remove ${pointer} to start empty.`);
  const place = (home: string): Home => {
    const cluster = path.join(home, 'cluster');
    return { home, cluster, log: path.join(home, 'postgres.log'), user: serverUser(cluster) };
  };
  const here = place(pointed ?? asked);
  assertOwn(here.cluster);
  if (pointed || !here.user || canEnter(here.user, asked)) return here;

  mkdirSync('/var/lib', { recursive: true });
  const elsewhere = mkdtempSync('/var/lib/workbench-');
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, pointer);
  log(`PostgreSQL runs as user id ${here.user.uid}, who cannot enter ${asked}. Its data is in ${elsewhere}.`);
  return place(elsewhere);
}

/**
 * A directory that only the server's user (and root) can enter, which is what keeps others from logging in. Below the home, or
 * where that makes a path that is too long for a socket, in the system's temporary directory under a name that follows from it.
 */
export function socketDirectory({ home, user }: Home): string {
  const name = `workbench-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const candidates = [path.join(home, 'socket'), path.join(os.tmpdir(), name), path.join('/tmp', name)];
  const directory = candidates.find((candidate) => Buffer.byteLength(path.join(candidate, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH);
  if (!directory) throw new Error(`${home} and ${os.tmpdir()} are too long for a socket. Set the data directory to a shorter path.`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user) chownSync(directory, user.uid, user.gid);
  const { uid, mode } = lstatSync(directory);
  const expected = user?.uid ?? process.getuid?.();
  if (expected !== undefined && (uid !== expected || !lstatSync(directory).isDirectory()))
    throw new Error(`${directory} belongs to user id ${uid}, so the database's socket cannot be kept private there. Remove it.`);
  if (mode & 0o077) chmodSync(directory, 0o700);
  return directory;
}

/** macOS allows 103 bytes, Linux 107. */
const LONGEST_SOCKET_PATH = 103;

const assertOwn = (cluster: string): void => {
  const me = process.getuid?.();
  if (!me || !existsSync(cluster)) return;
  const { uid } = statSync(cluster);
  if (uid !== me)
    throw new Error(
      `${cluster} belongs to user id ${uid} and we run as ${me}. Start as the same user as before, or run: sudo chown -R ${me} ${path.dirname(cluster)}`,
    );
};
