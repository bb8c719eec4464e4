import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small real git repository in a folder of its own. */
export type TestRepository = Readonly<{
  path: string;
  /** Writes these files (undefined deletes one), commits everything and gives the commit's id. */
  commit(files: Readonly<Record<string, string | undefined>>): string;
  run(...args: readonly string[]): string;
  remove(): void;
}>;

export const testRepository = (): TestRepository => {
  const path = mkdtempSync(join(tmpdir(), 'git-under-test-'));
  const run = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: path,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  run('init', '--quiet', '--initial-branch=main');
  return {
    path,
    run,
    commit(files) {
      for (const [name, content] of Object.entries(files)) {
        const file = join(path, name);
        if (content === undefined) rmSync(file);
        else {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, content);
        }
      }
      run('add', '--all');
      run('commit', '--quiet', '--allow-empty', '--message', 'A change');
      return run('rev-parse', 'HEAD');
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
};
