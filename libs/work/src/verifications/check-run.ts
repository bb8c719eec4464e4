import { spawn } from 'node:child_process';
import { sha256 } from '#libs/kernel';
import type { StatedAtom } from '../reports/report.js';
import { countTests } from './count-tests.js';

/** Bytes kept by their digest, to be stored as an artifact. */
export type Output = Readonly<{ sha256: string; bytes: Buffer }>;
export type CheckRun = Readonly<{ atom: StatedAtom; output: Output }>;

/** As much as an artifact may hold; what a check writes beyond is cut off, and the output says so. */
const LIMIT_BYTES = 5 * 1024 * 1024;
const CUT = Buffer.from('\n[output cut off here]\n');

/**
 * Runs one required check as an argument list, without a shell, in a clean checkout, with no credentials in its
 * environment, and ends it with all that it started after `limitMs`. Its output is what it wrote to both streams, as it came.
 */
export const runCheck = async (
  label: string,
  argv: readonly string[],
  { cwd, home, limitMs }: Readonly<{ cwd: string; home: string; limitMs: number }>,
): Promise<CheckRun> => {
  const started = performance.now();
  const { exitCode, bytes } = await collect(argv, cwd, home, limitMs);
  const output = { sha256: sha256(bytes), bytes };
  const testsRun = countTests(bytes.toString('utf8'));
  return {
    output,
    atom: {
      check: label,
      status: exitCode === 0 ? 'passed' : 'failed',
      exitCode,
      outputSha256: output.sha256,
      durationMs: Math.round(performance.now() - started),
      ...(testsRun !== undefined && { testsRun }),
    },
  };
};

const TIMED_OUT = 124;
const NOT_STARTED = 127;

const collect = (
  argv: readonly string[],
  cwd: string,
  home: string,
  limitMs: number,
): Promise<Readonly<{ exitCode: number; bytes: Buffer }>> =>
  new Promise((resolve) => {
    const [program = '', ...args] = argv;
    const chunks: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    const take = (chunk: Buffer) => {
      if (size > LIMIT_BYTES) return;
      size += chunk.length;
      chunks.push(chunk);
    };
    const done = (exitCode: number) => {
      clearTimeout(timer);
      const all = Buffer.concat(chunks);
      resolve({ exitCode, bytes: size > LIMIT_BYTES ? Buffer.concat([all.subarray(0, LIMIT_BYTES - CUT.length), CUT]) : all });
    };
    // A process group of its own, so that what it leaves behind ends with it.
    const child = spawn(program, args, {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, LANG: 'C.UTF-8', CI: '1', NO_COLOR: '1' },
    });
    const killAll = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It is gone already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killAll();
    }, limitMs);
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => {
      take(Buffer.from(`${error.message}\n`));
      done(NOT_STARTED);
    });
    // A process left in the background would hold the output open for as long as it lives.
    child.on('exit', killAll);
    child.on('close', (code) => done(timedOut ? TIMED_OUT : (code ?? 128)));
  });
