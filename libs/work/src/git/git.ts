import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { devNull } from 'node:os';
import { dirname } from 'node:path';

/** A full commit or object id: SHA-1 or SHA-256 in lower-case hex. */
export const isObjectId = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Git ended with another code than 0, or ran too long. `stderr` is for people. */
export class GitError extends Error {
  override name = 'GitError';
  constructor(
    args: readonly string[],
    readonly exitCode: number | undefined,
    readonly stderr: string,
  ) {
    super(`git ${args[0]} ended with ${exitCode ?? 'no code'}: ${stderr.slice(0, 500)}`);
  }
}

/** `globalConfig` is a file of ours that is read as the user's configuration. */
export type GitPlace = Readonly<{ cwd: string; globalConfig?: string }>;

const LIMIT_MS = 120_000;
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Runs git with this argument list and gives its standard output. Neither the host's configuration nor hooks, filters or helpers of a repository run. */
export const git = async (place: GitPlace, ...args: readonly string[]): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  await run(place, args, (chunk) => {
    size += chunk.length;
    if (size <= LIMIT_BYTES) chunks.push(chunk);
    return size <= LIMIT_BYTES;
  });
  return Buffer.concat(chunks);
};

/** Length and SHA-256 of what git writes, without holding it. */
export const gitDigest = async (place: GitPlace, ...args: readonly string[]): Promise<Readonly<{ size: number; sha256: string }>> => {
  const hash = createHash('sha256');
  let size = 0;
  await run(place, args, (chunk) => {
    size += chunk.length;
    hash.update(chunk);
    return true;
  });
  return { size, sha256: hash.digest('hex') };
};

const run = ({ cwd, globalConfig }: GitPlace, args: readonly string[], take: (chunk: Buffer) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', [...SETTINGS, ...args], {
      cwd,
      // Never a repository further up than the one that is meant.
      env: { ...environment(globalConfig ?? devNull), GIT_CEILING_DIRECTORIES: dirname(cwd) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (take(chunk)) return;
      stderr = 'It wrote more than can be judged.';
      child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4000) stderr += chunk.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new GitError(args, code ?? undefined, stderr))));
  });

const SETTINGS = Object.entries({
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'core.attributesFile': devNull,
  'core.excludesFile': devNull,
  'core.autocrlf': 'false',
  // Objects are read, nothing of it is run, whoever owns it.
  'safe.directory': '*',
  // Derived data that a repository could have forged; the objects themselves are read.
  'core.commitGraph': 'false',
  'core.protectNTFS': 'true',
  'core.protectHFS': 'true',
  'protocol.version': '2',
  'protocol.allow': 'never',
  'protocol.file.allow': 'always',
  'transfer.fsckObjects': 'true',
  // Flaws of old histories that harm nobody.
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.badTimezone': 'ignore',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
}).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const environment = (globalConfig: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: devNull,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: globalConfig,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
});
