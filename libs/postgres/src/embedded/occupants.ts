import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf, isAlive, until } from './processes.js';

/**
 * Who uses one embedded server. Everybody who starts or joins it leaves a file in `users/`; whoever leaves last stops it, no
 * matter who started it. Files of dead processes do not count.
 */
const here = new Set<string>();
const PATIENCE = 120_000;

export const enter = (home: string): string => {
  const users = path.join(home, 'users');
  mkdirSync(users, { recursive: true });
  const name = randomUUID();
  here.add(name);
  writeFileSync(path.join(users, name), identityOf(process.pid));
  return name;
};

/** Takes the entry away and answers whether nobody else is there. Synchronous, so that it also works while a process exits. */
export const leave = (home: string, name: string): boolean => {
  const users = path.join(home, 'users');
  here.delete(name);
  rmSync(path.join(users, name), { force: true });
  for (const other of existsSync(users) ? readdirSync(users) : []) {
    if (isPresent(other, read(path.join(users, other)))) return false;
    rmSync(path.join(users, other), { force: true });
  }
  return true;
};

/** Runs `work` while no other process starts or stops the server in `home`. A lock whose holder died is taken over. */
export async function alone<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = path.join(home, 'lock');
  const name = randomUUID();
  const own = `${lock}.${name}`;
  here.add(name);
  writeFileSync(own, `${name} ${identityOf(process.pid)}`);
  try {
    if (!(await until(() => take(lock, own), PATIENCE)))
      throw new Error(
        `Process ${read(lock).split(' ')[1]} has been starting or stopping the database in ${home} for ${PATIENCE / 1000} s. End it, or remove ${lock}.`,
      );
    try {
      return await work();
    } finally {
      if (read(lock).startsWith(name)) rmSync(lock, { force: true });
    }
  } finally {
    here.delete(name);
    rmSync(own, { force: true });
  }
}

const take = (lock: string, own: string): boolean => {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = read(lock);
  const [name = '', identity = ''] = holder.split(' ');
  if (holder && !isPresent(name, identity)) discard(lock, holder);
  return false;
};

/** Of several who find a dead holder's lock one moves it away; another may by then have moved a new one, and puts it back. */
const discard = (lock: string, holder: string): void => {
  const moved = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, moved);
    if (read(moved) !== holder) linkSync(moved, lock);
  } catch {
    // Somebody else was faster; the next turn sees what is there.
  }
  rmSync(moved, { force: true });
};

/** A process of our own id that did not write it is one from before, in a container where every first process has the same. */
const isPresent = (name: string, identity: string): boolean => (identity === identityOf(process.pid) ? here.has(name) : isAlive(identity));

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
};
