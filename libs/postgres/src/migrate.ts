import type { ClientBase } from 'pg';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { clientConfig, GuardedClient, type DatabaseUrls } from './connection.js';
import { migrations as ours } from './migrations/index.js';
import { quiet } from './quiet.js';
import { roles } from './role-names.js';
import { setUpRoles } from './roles.js';

/**
 * Brings the database up to this version: roles, then every pending migration in one transaction under one lock. Of servers that
 * start at once, one works and the others wait; one that dies midway leaves nothing behind, since lock and work end with its
 * transaction (which also holds behind a transaction pooler, where a session's lock would not). Answers the names of what ran.
 */
export async function migrate(urls: DatabaseUrls, migrations: readonly (new () => MigrationInterface)[] = ours): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    schema: 'workbench',
    migrationsTableName: 'migrations',
    migrations: [...migrations],
    installExtensions: false,
    logger: quiet,
    poolErrorHandler: () => undefined,
    extra: {
      ...clientConfig(urls.owner, { application: 'workbench-migrate', searchPath: 'pg_catalog', statementTimeout: 0 }),
      max: 1,
      Client: GuardedClient,
    },
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await assertSupported(runner);
    await setUpRoles((await runner.connect()) as ClientBase, urls);
    await runner.startTransaction();
    await runner.query(`set local role ${roles.owner}`);
    await runner.query(`set local lock_timeout = '${WAIT_SECONDS}s'`);
    await runner.query(NOTICE_A_DEAD_CLIENT);
    await runner.query('select pg_advisory_xact_lock($1)', [LOCK]).catch(sayWhoHoldsTheLock);
    await runner.query('create schema if not exists workbench');
    await assertNotNewer(runner, migrations);
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'all';
    const executed = await executor.executePendingMigrations();
    await runner.commitTransaction();
    return executed.map(({ name }) => name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
    await source.destroy();
  }
}

/** Views that obey the reader's policies came with 15. */
const OLDEST = 15;
const WAIT_SECONDS = 60;
/** Any number that nobody else locks in this database. */
const LOCK = '7310867110';

/** A server that dies during a long statement would hold the lock to its end. Not every platform can tell. */
const NOTICE_A_DEAD_CLIENT = `do $$ begin
  perform set_config('client_connection_check_interval', '2s', true);
exception when others then null; end $$`;

const assertSupported = async (runner: QueryRunner): Promise<void> => {
  const [{ number, version }] = (await runner.query(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )) as [{ number: number; version: string }];
  if (number < OLDEST * 10_000) throw new Error(`DATABASE_URL leads to PostgreSQL ${version}; this needs ${OLDEST} or newer.`);
};

const assertNotNewer = async (runner: QueryRunner, migrations: readonly { name: string }[]): Promise<void> => {
  const [{ exists }] = (await runner.query(`select to_regclass('workbench.migrations') is not null as exists`)) as [{ exists: boolean }];
  if (!exists) return;
  const applied = (await runner.query('select name from workbench.migrations order by id')) as { name: string }[];
  const unknown = applied.map(({ name }) => name).filter((name) => !migrations.some((known) => known.name === name));
  if (unknown.length > 0)
    throw new Error(
      `The database is newer than this version of the server: it has ${unknown.join(', ')}. ` +
        `Start the version that brought it, or restore a backup from before.`,
    );
};

const sayWhoHoldsTheLock = (error: unknown): never => {
  if ((error as { code?: string }).code === '55P03')
    throw new Error(
      `Another server has been migrating this database for more than ${WAIT_SECONDS} s. Look for it in pg_stat_activity as workbench-migrate.`,
      { cause: error },
    );
  throw error;
};
