import { realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git, GitError, isObjectId } from '../git/git.js';

/**
 * The git tree of a commit, read from a repository on this machine: an absolute path or `file:` URL that lies, links resolved,
 * under one of `roots`. Undefined where it is elsewhere, or doesn't hold the commit.
 */
export const treeOf = async (repository: string, revision: string, roots: readonly string[]): Promise<string | undefined> => {
  const cwd = await allowed(repository, roots);
  if (cwd === undefined || !isObjectId(revision)) return undefined;
  try {
    return (await git({ cwd }, 'rev-parse', '--verify', '--quiet', `${revision}^{tree}`)).toString('latin1').trim();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
};

const allowed = async (repository: string, roots: readonly string[]): Promise<string | undefined> => {
  const path = pathOf(repository);
  const real = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  for (const root of roots) {
    const realRoot = await realpath(root).catch(() => undefined);
    if (realRoot !== undefined && (real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep))) return real;
  }
  return undefined;
};

const pathOf = (repository: string): string | undefined => {
  if (isAbsolute(repository)) return repository;
  try {
    const url = new URL(repository);
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
};
