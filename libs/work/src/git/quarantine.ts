import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, type GitPlace } from './git.js';

/** A fresh repository of our own, holding nothing but objects that were copied in and hashed again on the way. */
export type Quarantine = Readonly<{ place: GitPlace; folder: string }>;

/**
 * Works on copies of these commits of a repository whose own folder is not trusted: git's advice for that is to fetch
 * from it, never to run in it. Commits that cannot be fetched are left out; the work finds out what is there.
 */
export const inQuarantine = async <T>(
  repository: string,
  commits: readonly string[],
  work: (quarantine: Quarantine) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'inspection-'));
  try {
    const globalConfig = join(folder, 'gitconfig');
    // Whoever owns the source's files: we only read objects from it.
    await writeFile(globalConfig, '[safe]\n\tdirectory = *\n');
    const cwd = join(folder, 'repository');
    await mkdir(cwd);
    const place = { cwd, globalConfig };
    await git(place, 'init', '--quiet', '--template=', '--initial-branch=main');
    const fetch = (...wanted: readonly string[]) =>
      git(place, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', repository, ...wanted);
    // All at once as a rule; one by one where that fails, to have what there is.
    await fetch(...commits).catch(async () => {
      for (const commit of commits) await fetch(commit).catch(() => undefined);
    });
    return await work({ place, folder });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
