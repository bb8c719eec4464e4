import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type Repository = Readonly<{
  directory: string;
  base: string;
  git(...argv: string[]): string;
  write(file: string, text: string): void;
  /** Commits all that was written; answers the commit. */
  commit(message: string): string;
  artifact(file: string): { path: string; mediaType: string; size: number; sha256: string };
  remove(): void;
}>;

/** A small real repository with a program that greets and a test of it that fails. */
export const createRepository = (): Repository => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'workbench-repository-'));
  const environment = { PATH: process.env['PATH'], HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...argv: string[]): string => execFileSync('git', argv, { cwd: directory, env: environment, encoding: 'utf8' }).trim();
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  };
  const commit = (message: string): string => {
    git('add', '--all');
    git('-c', 'user.name=Ida', '-c', 'user.email=ida@example.test', 'commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  write('src/greet.mjs', 'export const greet = () => "Hello";\n');
  write(
    'test/greet.test.mjs',
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { greet } from '../src/greet.mjs';\ntest('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada'));\n",
  );
  write('README.md', '# Greetings\n');
  const base = commit('A greeting that knows no names');
  return {
    directory,
    base,
    git,
    write,
    commit,
    artifact(file) {
      const bytes = readFileSync(path.join(directory, file));
      return { path: file, mediaType: 'text/javascript', size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
