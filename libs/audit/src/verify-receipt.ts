import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ReceiptRefused } from './canonical-reader.js';
import { keyIdOf } from './dsse.js';
import { narrate } from './narrate.js';
import { verify, type Artifacts } from './verify.js';

const USAGE = 'Usage: npm run verify-receipt FILE -- --key PUBLIC_KEY.pem [--artifacts DIR]';

/**
 * The command line of `verify`, offline. Artifacts are read from `--artifacts`, else from `artifacts/` beside the file where that
 * is there, by SHA-256 as name. Prints lines and answers the exit code: 0 it holds, 1 it is refused, 2 it could not be judged.
 */
export const verifyReceipt = (argv: readonly string[], cwd: string, print: (line: string) => void): 0 | 1 | 2 => {
  let input: ReturnType<typeof readInput>;
  try {
    input = readInput(argv, cwd);
  } catch (error) {
    print(`Could not judge: ${(error as Error).message}`);
    return 2;
  }
  const { file, key, folder } = input;
  try {
    const statement = verify(file, key, folder === undefined ? undefined : artifactsIn(folder));
    for (const line of narrate(statement)) print(line);
    print(
      folder === undefined ? 'Artifacts: not checked; name their folder with --artifacts.' : `Artifacts: all as verified, in ${folder}.`,
    );
    print(`VALID: signed with key ${keyIdOf(key)}, the one given.`);
    return 0;
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    print(`REFUSED (${error.code}): ${error.message}`);
    return 1;
  }
};

const readInput = (argv: readonly string[], cwd: string): Readonly<{ file: Buffer; key: KeyObject; folder: string | undefined }> => {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { key: { type: 'string' }, artifacts: { type: 'string' } },
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0 || values.key === undefined) throw new Error(USAGE);
  const file = resolve(cwd, name);
  const beside = join(dirname(file), 'artifacts');
  const folder = values.artifacts === undefined ? (existsSync(beside) ? beside : undefined) : resolve(cwd, values.artifacts);
  if (folder !== undefined && !existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  return { file: readFileSync(file), key: readKey(readFileSync(resolve(cwd, values.key), 'utf8')), folder };
};

/** Public keys only: from a private key one could be derived, and then it would be lying around. */
const readKey = (pem: string): KeyObject => {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) throw new Error('The key file holds no PEM public key.');
  return createPublicKey(pem);
};

const artifactsIn =
  (folder: string): Artifacts =>
  (sha256) => {
    const path = join(folder, sha256);
    return existsSync(path) ? readFileSync(path) : undefined;
  };
