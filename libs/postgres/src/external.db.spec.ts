import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { query, testDirectory } from '../../../test/support/cluster.js';
import { databaseUrls, migrate, migrations, openDatabase, startEmbedded, type EmbeddedServer } from './index.js';

jest.setTimeout(60_000);

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** As somebody else's server would be: passwords over TCP, and none of our roles at first. */
describe('A server given by DATABASE_URL', () => {
  let place: string;
  let port: number;
  let server: EmbeddedServer;
  const start = () =>
    startEmbedded({
      dataDir: place,
      settings: { fsync: 'off', listen_addresses: '127.0.0.1', port: String(port), hba_file: path.join(place, 'pg_hba.conf') },
    });
  const url = (user: string, password: string, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const administrate = (text: string, database = 'workbench') => query({ ...server.connection, database }, text);
  const open = async (environment: Parameters<typeof databaseUrls>[0]) => {
    const urls = databaseUrls(environment);
    await migrate(urls);
    const database = await openDatabase(urls);
    try {
      const [projector, app] = await Promise.all(
        [database.projector, database.app].map(
          async (pool) => (await pool.query<{ user: string }>('select session_user as user')).rows[0]!.user,
        ),
      );
      return [projector, app];
    } finally {
      await database.close();
    }
  };

  beforeAll(async () => {
    place = testDirectory();
    port = await freePort();
    writeFileSync(path.join(place, 'pg_hba.conf'), 'local all postgres trust\nhost all all 127.0.0.1/32 scram-sha-256\n');
    server = await start();
    await administrate(`alter role postgres password 'secret'`);
    for (const name of ['one', 'two', 'three', 'four']) await administrate(`create database ${name}`);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(place, { recursive: true, force: true });
  });

  it('gets its roles once though several databases are set up at the same time, and is reached with derived passwords', async () => {
    const names = ['one', 'one', 'two', 'two', 'three', 'four'];
    const users = await Promise.all(names.map((name) => open({ DATABASE_URL: url('postgres', 'secret', name) })));
    expect(users).toEqual(names.map(() => ['workbench_projector', 'workbench_app']));
  });

  it('gives in to a changed password of the administrator with the next start', async () => {
    await administrate(`alter role postgres password 'changed'`);
    expect(await open({ DATABASE_URL: url('postgres', 'changed', 'one') })).toEqual(['workbench_projector', 'workbench_app']);
    await administrate(`alter role postgres password 'secret'`);
  });

  it('is set up by an administrator who is no superuser', async () => {
    await administrate(`create role chief login password 'secret' createrole;
      grant workbench_projector, workbench_app to chief with admin option; grant workbench_owner to chief`);
    await administrate('create database fifth owner chief');
    expect(await open({ DATABASE_URL: url('chief', 'secret', 'fifth') })).toEqual(['workbench_projector', 'workbench_app']);
  });

  it('says what an administrator lacks', async () => {
    await administrate(`create role clerk login password 'secret'`);
    await administrate('create database sixth');
    await expect(migrate(databaseUrls({ DATABASE_URL: url('clerk', 'secret', 'sixth') }))).rejects.toThrow(
      /^DATABASE_URL logs in as someone who may not create the roles .* Give that login CREATEROLE and CREATE/s,
    );
  });

  it('is read by a login of another name, as a member of the role', async () => {
    await administrate(`create role reader login password 'secret'`);
    const environment = { DATABASE_URL: url('postgres', 'secret', 'one'), DATABASE_APP_URL: url('reader', 'secret', 'one') };
    expect(await open(environment)).toEqual(['workbench_projector', 'reader']);
  });

  it.each([
    ['superuser', 'is_superuser', /^DATABASE_APP_URL logs in as is_superuser, a superuser, so tenants would not be kept apart\./],
    ['bypassrls', 'is_bypassing', /^DATABASE_APP_URL logs in as is_bypassing, who has BYPASSRLS/],
    ['in role workbench_projector', 'is_projector', /^DATABASE_APP_URL logs in as is_projector, who can become workbench_projector/],
    ['in role postgres', 'is_postgres', /^DATABASE_APP_URL logs in as is_postgres, who can become the superuser postgres/],
  ])('is not opened to the app as %s', async (attribute, login, message) => {
    await administrate(`create role ${login} login password 'secret' ${attribute}`);
    const environment = { DATABASE_URL: url('postgres', 'secret', 'one'), DATABASE_APP_URL: url(login, 'secret', 'one') };
    await expect(open(environment)).rejects.toThrow(message);
  });

  it('is not opened to a projector that is a superuser', async () => {
    await expect(
      open({ DATABASE_URL: url('postgres', 'secret', 'one'), DATABASE_PROJECTOR_URL: url('postgres', 'secret', 'one') }),
    ).rejects.toThrow(/^DATABASE_PROJECTOR_URL logs in as postgres, a superuser/);
  });

  it('is not opened where somebody raised our role', async () => {
    await administrate('alter role workbench_app bypassrls');
    await expect(open({ DATABASE_URL: url('postgres', 'secret', 'one') })).rejects.toThrow(
      'The database role workbench_app is a superuser or has BYPASSRLS. Run: alter role workbench_app nosuperuser nobypassrls.',
    );
    await administrate('alter role workbench_app nobypassrls');
  });

  it('may restart while we are connected', async () => {
    const urls = databaseUrls({ DATABASE_URL: url('postgres', 'secret', 'one') });
    await migrate(urls);
    const database = await openDatabase(urls);
    const heard: unknown[] = [];
    database.listen('news', (payload) => heard.push(payload));
    try {
      await Promise.all([database.projector.query('select 1'), database.app.query('select 1')]);
      await server.stop();
      await expect(database.projector.query('select 1')).rejects.toThrow();
      server = await start();
      expect((await database.projector.query<{ n: string }>('select count(*) as n from workbench.migrations')).rows).toEqual([
        { n: String(migrations.length) },
      ]);
    } finally {
      await database.close();
    }
  });
});
