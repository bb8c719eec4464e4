import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

// Only builtins here: this runs in a fresh clone, before anything is installed.

export const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const FLOOR = [20, 19];
const SOURCES = ['apps', 'libs', 'package-lock.json', 'package.json', 'nest-cli.json', '.swcrc', 'tsconfig.json', 'tsconfig.build.json'];
const STAMP = join(ROOT, 'dist', '.built-from');
const BUILT = ['dist/apps/server/src/main.js', 'apps/console/dist/index.html'];

/** Ends the process with one sentence that says what to do. */
export const fail = (sentence, code = 1) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

export const assertNode = (version = process.versions.node) => {
  const [major, minor] = version.split('.').map(Number);
  if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1]))
    fail(`This needs Node ${FLOOR.join('.')} or newer, and runs on ${version}. Install a newer Node and start again.`);
};

/** `npm ci`, unless node_modules holds what the lockfile names for this platform. */
export const ensureInstalled = async () => {
  assertNode();
  if (isInstalled()) return;
  say('Installing the packages of package-lock.json');
  await run([...npm(), 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci');
};

/** Builds, unless dist was built from exactly the present sources. */
export const ensureBuilt = async () => {
  await ensureInstalled();
  const digest = sourceDigest();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest && BUILT.every((file) => existsSync(join(ROOT, file)))) return;
  say('Building');
  await run([...npm(), 'run', '--silent', 'build'], 'npm run build');
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(STAMP, digest);
};

/** Runs a Node program in the foreground and ends this process as it ended. */
export const exitLike = async (argv) => {
  const { code, signal } = await ended(spawn(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' }));
  if (signal) process.kill(process.pid, signal);
  process.exit(code ?? 1);
};

/** What npm wrote about node_modules, compared with the lockfile. An optional package has to be there only where it is for this very platform. */
export const isInstalled = () => {
  const installed = readJson(join(ROOT, 'node_modules', '.package-lock.json'))?.packages;
  if (!installed) return false;
  return Object.entries(readJson(join(ROOT, 'package-lock.json')).packages)
    .filter(([path, locked]) => path !== '' && !locked.link && (!locked.optional || isForThisPlatform(locked)))
    .every(([path, locked]) => installed[path]?.version === locked.version && installed[path]?.integrity === locked.integrity);
};

const isForThisPlatform = ({ os, cpu, libc }) =>
  (os ?? cpu) !== undefined && allows(os, process.platform) && allows(cpu, process.arch) && (!libc || allows(libc, libcName()));
const allows = (list, value) => !list || (list.every((item) => item.startsWith('!')) ? !list.includes(`!${value}`) : list.includes(value));
const libcName = () => (process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');

const sourceDigest = () => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => filesUnder(join(ROOT, name))).sort())
    hash.update(relative(ROOT, file).split(sep).join('/')).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
};
const filesUnder = (path) => {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !['node_modules', 'dist'].includes(entry.name))
      .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
};

const npm = () => (process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']);

/** Its output is shown when it failed, and all along in continuous integration. */
const run = async ([program, ...args], name) => {
  const stdio = process.env.CI ? 'inherit' : 'pipe';
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', stdio, stdio],
    // NODE_ENV=production in the caller's shell must not leave out what the build needs.
    env: { ...process.env, NODE_ENV: 'development' },
    shell: program === 'npm' && process.platform === 'win32',
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const { code, signal, error } = await ended(child);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  fail(
    `${name} ${signal ? `was ended by ${signal}` : 'failed'}${error ? `: ${error.message}` : ''}. Mend what it says above and start again.`,
  );
};

/** How a child ended; until then it gets the signals that this process gets. */
const ended = (child) =>
  new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = (signal) => child.kill(signal);
    const done = (outcome) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(outcome);
    };
    for (const signal of signals) process.on(signal, forward);
    child.on('error', (error) => done({ error }));
    child.on('close', (code, signal) => done({ code, signal }));
  });

const say = (what) => process.stderr.write(`${what} …\n`);

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);
