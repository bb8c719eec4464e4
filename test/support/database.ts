import { randomUUID } from 'node:crypto';
import { connectionsFrom, openDatabase, type Connection, type Database, type DatabaseOptions, type DatabaseUrls } from '#libs/postgres';
import { query, TEMPLATE } from './cluster.js';

export type TestDatabase = Readonly<{
  name: string;
  /** Logins to it, for what opens the database itself (`PostgresModule.forRoot`, another process). */
  urls: DatabaseUrls;
  database: Database;
  /** Closes `database`, ends whatever else is connected and drops it. */
  drop(): Promise<void>;
}>;

/** A migrated database of one's own, opened. */
export async function createTestDatabase(options: Pick<DatabaseOptions, 'entities' | 'poolSize' | 'log'> = {}): Promise<TestDatabase> {
  const { name, urls, drop } = await createEmptyDatabase(TEMPLATE);
  const database = await openDatabase({ ...urls, ...options });
  return {
    name,
    urls,
    database,
    async drop() {
      await database.close();
      await drop();
    },
  };
}

/** A database that nobody migrated. */
export async function createEmptyDatabase(template = 'template0'): Promise<Pick<TestDatabase, 'name' | 'urls' | 'drop'>> {
  const connection = testServer();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(connection, `create database ${name} template ${template}`);
  // A clone has the tables and roles, but not the rights on the database itself.
  if (template === TEMPLATE) await query(connection, `grant create on database ${name} to workbench_owner`);
  return {
    name,
    urls: connectionsFrom({ ...connection, database: name }),
    drop: () => query(connection, `drop database ${name} with (force)`),
  };
}

/** An administrator's login to the server of this run. */
export const testServer = (): Connection => {
  const text = process.env['WORKBENCH_TEST_DATABASE'];
  if (!text) throw new Error('There is no test database. Name the spec *.db.spec.ts, so that it runs in the Jest project "db".');
  return JSON.parse(text) as Connection;
};
