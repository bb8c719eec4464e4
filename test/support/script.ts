import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A Node process that runs ESM `code` and speaks in lines; `directory` is that of `compile`. */
export type Script = Readonly<{
  process: ChildProcess;
  /** The next line that it prints; rejects with what it wrote to stderr where it ends before. */
  line(): Promise<string>;
  /** Its exit code or signal. */
  ended: Promise<number | NodeJS.Signals>;
}>;

export const runScript = (
  directory: string,
  code: string,
  args: readonly string[] = [],
  options: Readonly<{ uid?: number; gid?: number; env?: NodeJS.ProcessEnv }> = {},
): Script => {
  const { env, ...user } = options;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, ...args], {
    cwd: directory,
    env: { ...process.env, ...env },
    ...user,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => child.once('close', (status, signal) => resolve(status ?? signal!)));
  return {
    process: child,
    ended,
    async line() {
      const next = await lines.next();
      if (next.done) throw new Error(`The process ended with ${await ended}: ${errors}`);
      return next.value;
    },
  };
};
