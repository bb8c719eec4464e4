import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';

export const CHECK = ['node', '--test'] as const;
export const SOURCE = 'src/add.mjs';

const wrong = 'export const add = (a, b) => a - b;\n';
const right = 'export const add = (a, b) => a + b;\n';
const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.mjs';

test('add adds', () => {
  assert.equal(add(2, 3), 5);
});
`;

/** Git with an identity of its own and nothing of this machine's configuration, hooks or signing. */
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Workbench demo', '-c', 'user.email=demo@example.org', '-c', `core.hooksPath=${devNull}`, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/** A small real repository whose one test fails; answers the commit to start from. */
export const makeRepository = (path: string): string => {
  mkdirSync(join(path, 'src'), { recursive: true });
  mkdirSync(join(path, 'test'));
  writeFileSync(join(path, SOURCE), wrong);
  writeFileSync(join(path, 'test', 'add.test.mjs'), test);
  git(path, 'init', '--quiet', '--initial-branch=main');
  git(path, 'add', '--all');
  git(path, 'commit', '--quiet', '--message', 'An add that subtracts');
  return git(path, 'rev-parse', 'HEAD');
};

/** What an implementer does: a worktree at the base, the change, the check, a commit. */
export const implement = (repository: string, base: string, worktree: string) => {
  git(repository, 'worktree', 'add', '--quiet', '-b', 'mend-add', worktree, base);
  const before = runCheck(worktree);
  writeFileSync(join(worktree, SOURCE), right);
  const after = runCheck(worktree);
  git(worktree, 'add', '--all');
  git(worktree, 'commit', '--quiet', '--message', 'Add adds');
  const revision = git(worktree, 'rev-parse', 'HEAD');
  const [change, path] = git(worktree, 'diff', '--name-status', base, revision).split('\t');
  return { before, after, revision, changed: `${change} ${path}`, source: readFileSync(join(worktree, SOURCE)) };
};

/** What an operator does with verified work: moves the branch forward to exactly that commit. */
export const release = (repository: string, revision: string): void => {
  git(repository, 'merge', '--quiet', '--ff-only', revision);
};

export type Run = Readonly<{ exitCode: number; output: Buffer; outputSha256: string; durationMs: number }>;

const runCheck = (cwd: string): Run => {
  const started = performance.now();
  const [program, ...args] = CHECK;
  // Inside another test run, node would report to that one instead.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env });
  const output = Buffer.concat([stdout, stderr]);
  return { exitCode: status ?? 1, output, outputSha256: sha256(output), durationMs: Math.round(performance.now() - started) };
};

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
