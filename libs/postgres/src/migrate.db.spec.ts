import type { MigrationInterface, QueryRunner } from 'typeorm';
import { query } from '../../../test/support/cluster.js';
import { compile } from '../../../test/support/compiled.js';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { runScript } from '../../../test/support/script.js';
import { GuardedClient, migrate, migrations, openDatabase, type Connection } from './index.js';

jest.setTimeout(60_000);

const rowsOf = async <R extends object>(connection: Connection, text: string): Promise<R[]> => {
  const client = new GuardedClient(connection);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
};

class Broken0000000009999 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query('create table workbench.half_done ()');
    throw new Error('as it happens');
  }
  down = () => Promise.reject(new Error());
}

describe('Migrating', () => {
  let empty: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeEach(async () => (empty = await createEmptyDatabase()));
  afterEach(() => empty.drop());

  it('is done by one of several servers that start at once, and once', async () => {
    const ran = await Promise.all([migrate(empty.urls), migrate(empty.urls), migrate(empty.urls)]);
    expect(ran.map((names) => names.length).sort()).toEqual([0, 0, migrations.length]);
    expect(await migrate(empty.urls)).toEqual([]);
    const database = await openDatabase(empty.urls);
    await database.close();
  });

  it('goes on where a server was killed midway, as if that one had never started', async () => {
    const code = compile('kernel', 'postgres');
    try {
      const killed = runScript(
        code.directory,
        `import { migrate, migrations } from '#libs/postgres';
         class Slow0000000009999 {
           async up(sql) {
             await sql.query('create table workbench.half_done ()');
             console.log('midway');
             await sql.query('select pg_sleep(600)');
           }
         }
         await migrate(JSON.parse(process.argv[1]), [...migrations, Slow0000000009999]);`,
        [JSON.stringify(empty.urls)],
      );
      expect(await killed.line()).toBe('midway');
      const other = migrate(empty.urls);
      killed.process.kill('SIGKILL');
      const started = performance.now();
      expect(await other).toHaveLength(migrations.length);
      expect(performance.now() - started).toBeLessThan(30_000);
      expect(await rowsOf(empty.urls.owner, `select to_regclass('workbench.half_done') as found`)).toEqual([{ found: null }]);
    } finally {
      code.remove();
    }
  });

  it('leaves nothing behind where a migration fails', async () => {
    await expect(migrate(empty.urls, [...migrations, Broken0000000009999])).rejects.toThrow('as it happens');
    expect(await rowsOf(empty.urls.owner, `select nspname from pg_namespace where nspname in ('es', 'read_models', 'workbench')`)).toEqual(
      [],
    );
  });

  it('refuses a database that is newer than the code, and says of which migration it does not know', async () => {
    await migrate(empty.urls);
    await query(empty.urls.owner, `insert into workbench.migrations (timestamp, name) values (1, 'Tomorrow0000000008888')`);
    await expect(migrate(empty.urls)).rejects.toThrow(
      /newer than this version of the server: it has Tomorrow0000000008888\..*restore a backup/s,
    );
  });

  it('goes forward only, in the order of its numbers', async () => {
    const numbers = migrations.map(({ name }) => Number(name.slice(-13)));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const Migration of migrations) await expect(new Migration().down({} as QueryRunner)).rejects.toThrow(/forward/);
  });
});
