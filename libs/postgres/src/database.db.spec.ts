import { randomUUID } from 'node:crypto';
import { createTestDatabase, testServer, type TestDatabase } from '../../../test/support/database.js';
import { query } from '../../../test/support/cluster.js';
import { DomainError } from '#libs/kernel';
import { until } from './embedded/processes.js';
import { secret, tenantScope } from './index.js';

jest.setTimeout(30_000);

const tenant = randomUUID();
const unavailable = { refusal: { kind: 'unavailable', code: 'database/unavailable' } };

describe('A database', () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createTestDatabase({ poolSize: { app: 2, projector: 4 } })));
  afterAll(() => test.drop());

  const terminate = (where = 'true') =>
    query(testServer(), `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${test.name}' and ${where}`);
  const one = () => tenantScope(test.database, tenant, (manager) => manager.query<{ one: number }[]>('select 1 as one'));
  /** Again after at most one failure that says that it is unavailable. */
  const soon = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      expect(error).toMatchObject(unavailable);
      return work();
    }
  };

  it('goes on after every idle connection was ended', async () => {
    await Promise.all([one(), one(), test.database.projector.query('select 1')]);
    await terminate();
    expect(await until(() => test.database.app.idleCount + test.database.projector.idleCount === 0, 5_000)).toBe(true);
    expect(await one()).toEqual([{ one: 1 }]);
    await test.database.projector.query('select 1');
  });

  it('answers unavailable where a read is cut off, and the next goes through', async () => {
    const cut = tenantScope(test.database, tenant, async (manager) => {
      const [{ pid }] = await manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
      await terminate(`pid = ${pid}`);
      return manager.query('select 1');
    });
    await expect(cut).rejects.toMatchObject(unavailable);
    expect(await soon(one)).toEqual([{ one: 1 }]);
  });

  it('keeps nothing of a transaction that is cut off, and the process lives on where a connection is lost in the hands of its user', async () => {
    const client = await test.database.projector.connect();
    await client.query('begin');
    await client.query(`insert into workbench.secrets (name, value) values ('torn', '')`);
    const ended = new Promise((resolve) => client.once('end', resolve));
    await terminate(`application_name = 'workbench-projector'`);
    await ended;
    await expect(client.query('commit')).rejects.toThrow(/not queryable|terminated/);
    client.release(true);
    const { rows } = await test.database.projector.query(`select name from workbench.secrets where name = 'torn'`);
    expect(rows).toEqual([]);
  });

  it('has all its connections back after transactions that fail', async () => {
    const failures = Array.from({ length: 50 }, (_, n) =>
      tenantScope(test.database, tenant, (manager) => (n % 2 ? manager.query('select 1 / 0') : Promise.reject(new Error('own')))),
    );
    const settled = await Promise.allSettled(failures);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    const started = performance.now();
    expect(await one()).toEqual([{ one: 1 }]);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(test.database.app.waitingCount).toBe(0);
    expect(test.database.app.idleCount).toBe(test.database.app.totalCount);
  });

  it('answers unavailable, and does not hang, where those who hold all connections ask for another', async () => {
    const nested = () => tenantScope(test.database, tenant, async () => one());
    const settled = await Promise.allSettled([nested(), nested()]);
    expect(settled.some(({ status }) => status === 'rejected')).toBe(true);
    for (const outcome of settled) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DomainError);
    expect(await one()).toEqual([{ one: 1 }]);
  });

  it('reads one moment with repeatable read', async () => {
    const name = randomUUID();
    const count = 'select count(*)::int as count from workbench.counted';
    await query(
      test.urls.owner,
      `set role workbench_owner; create table workbench.counted (tenant_id uuid, name text);
      select workbench.secure('workbench', 'counted')`,
    );
    const seen = await tenantScope(
      test.database,
      tenant,
      async (manager) => {
        const before = await manager.query<{ count: number }[]>(count);
        await test.database.projector.query('insert into workbench.counted values ($1, $2)', [tenant, name]);
        return [before, await manager.query<{ count: number }[]>(count)].map((rows) => rows[0]!.count);
      },
      { isolation: 'REPEATABLE READ' },
    );
    expect(seen).toEqual([0, 0]);
  });

  it('keeps one value of a key that many servers make at once', async () => {
    const values = await Promise.all(
      Array.from({ length: 20 }, (_, n) => secret(test.database, 'signing', () => Promise.resolve(Buffer.from(`key ${n}`)))),
    );
    expect(new Set(values.map(String)).size).toBe(1);
    expect(await secret(test.database, 'signing', () => Promise.reject(new Error('is not made again')))).toEqual(values[0]);
  });
});

describe('A listener', () => {
  let test: TestDatabase;
  beforeEach(async () => (test = await createTestDatabase()));
  afterEach(() => test.drop());

  const notify = (channel: string, payload: string) => test.database.projector.query('select pg_notify($1, $2)', [channel, payload]);

  it('hears what is announced, each channel its own, until it stops', async () => {
    const [first, second]: [unknown[], unknown[]] = [[], []];
    const stop = test.database.listen('First One', (payload) => first.push(payload));
    test.database.listen('second', (payload) => second.push(payload));
    expect(await until(() => first.length === 1 && second.length === 1, 5_000)).toBe(true);
    await notify('First One', 'a');
    await notify('second', 'b');
    expect(await until(() => first.length === 2 && second.length === 2, 5_000)).toBe(true);
    stop();
    await notify('First One', 'c');
    await notify('second', 'd');
    expect(await until(() => second.length === 3, 5_000)).toBe(true);
    expect([first, second]).toEqual([
      [undefined, 'a'],
      [undefined, 'b', 'd'],
    ]);
  });

  it('is told to look itself when its connection is lost and once it listens again, and hears again', async () => {
    const heard: unknown[] = [];
    test.database.listen('news', () => {
      throw new Error('a handler that fails takes nobody with it');
    });
    test.database.listen('news', (payload) => heard.push(payload));
    expect(await until(() => heard.length === 1, 5_000)).toBe(true);
    await query(
      testServer(),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${test.name}' and application_name = 'workbench-listener'`,
    );
    expect(await until(() => heard.length === 3, 5_000)).toBe(true);
    await notify('news', 'again');
    expect(await until(() => heard.length === 4, 5_000)).toBe(true);
    // As soon as it listened, when it was cut, when it listened again.
    expect(heard).toEqual([undefined, undefined, undefined, 'again']);
  });
});
