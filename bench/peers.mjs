import { fork, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

// What the benches run against lives in a package of its own, so that the product does not depend on it; it is installed at first use.
const HOME = path.join(import.meta.dirname, 'peers');

/** `npm ci` in bench/peers, unless it holds what its lockfile names. No package's scripts run. */
export const ensurePeers = () => {
  const installed = path.join(HOME, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && packagesOf(path.join(HOME, 'package-lock.json')).every((name) => packagesOf(installed).includes(name)))
    return;
  process.stderr.write('Installing what the benches run against (bench/peers) …\n');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: HOME,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('npm ci failed in bench/peers. Mend what it says above and start again.');
};
const packagesOf = (lockfile) =>
  Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages)
    .filter(([where, { optional }]) => where !== '' && !optional)
    .map(([where, { version }]) => `${where}@${version}`);

/** The version that a peer has here, for the name in the table. */
export const versionOf = (name) => JSON.parse(readFileSync(path.join(HOME, 'node_modules', name, 'package.json'), 'utf8')).version;

/** The newest job queues need Node 22.18: this process's own where it is new enough, else the one that is pinned in bench/peers. */
const nodeForPeers = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const pinned = path.join(HOME, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (!existsSync(pinned))
    throw new Error(
      `pg-boss and graphile-worker need Node 22.18, and bench/peers pins none for ${process.platform}. Run the bench on a newer Node.`,
    );
  return pinned;
};

/** A program of bench/peers in a process of its own: `ask` sends it a message and resolves with the answer. */
export const startPeer = async (program, ...args) => {
  const child = fork(path.join(HOME, program), args, {
    execPath: nodeForPeers(),
    execArgv: [],
    cwd: HOME,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const next = () =>
    new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`${program} ${args[0]} ended with ${code}.`));
      child.once('exit', ended);
      child.once('message', (answer) => {
        child.off('exit', ended);
        resolve(answer);
      });
    });
  await next(); // its first message says that it is ready
  return {
    ask(message) {
      const answer = next();
      child.send(message);
      return answer;
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await gone;
    },
  };
};
