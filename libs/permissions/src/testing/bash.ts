import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const BASH = (process.env['PATH'] ?? '')
  .split(':')
  .map((directory) => join(directory, 'bash'))
  .find((path) => existsSync(path));

export const hasBash = (): boolean => BASH !== undefined;

/** Nothing of this process' environment, no start files, no program that could be found. */
const bash = (args: readonly string[]) =>
  spawnSync(BASH!, ['--noprofile', '--norc', ...args], { env: { PATH: '/nonexistent' }, encoding: 'utf8', timeout: 10_000, input: '' });

/** Whether bash can parse a text. `-n` reads commands and runs none. */
export const bashParses = (command: string): boolean => bash(['-n', '-c', command]).status === 0;

const PROBE = 'probe() { printf "%s\\0" "$#" "$@"; }\n';

/**
 * The arguments of each call of `probe` in a script, as bash makes them. Only for scripts that a spec has composed of `probe` and of
 * builtins: they are run.
 */
export const probed = (script: string): readonly (readonly string[])[] => {
  const words = bash(['-r', '-c', `${PROBE}${script}`]).stdout.split('\0');
  const calls: string[][] = [];
  for (let at = 0; at < words.length - 1;) {
    const count = Number(words[at]);
    calls.push(words.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return calls;
};
