import { query } from '../../../test/support/cluster.js';
import { compile } from '../../../test/support/compiled.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { runScript } from '../../../test/support/script.js';

jest.setTimeout(60_000);

/** Writes and reads the same moments by every way there is, in a process whose zone is set before it starts. */
const script = `
  import { EntitySchema } from 'typeorm';
  import { Clock, openDatabase, tenantScope } from '#libs/postgres';
  const Moment = new EntitySchema({ name: 'moments', columns: {
    id: { type: 'text', primary: true }, tenantId: { type: 'uuid', name: 'tenant_id' },
    at: { type: 'timestamptz' }, local: { type: 'text', nullable: true }, big: { type: 'bigint' } } });
  const tenant = '11111111-1111-4111-8111-111111111111';
  const database = await openDatabase({ ...JSON.parse(process.argv[1]), entities: [Moment] });
  const repository = database.projectorSource.getRepository('moments');
  await repository.clear().catch(() => repository.createQueryBuilder().delete().execute());
  const winter = '2026-01-15T23:30:00.123Z', summer = '2026-07-15T02:15:00.000Z', big = '9007199254740993';
  await repository.save({ id: 'text', tenantId: tenant, at: winter, big });
  await repository.save({ id: 'date', tenantId: tenant, at: new Date(summer), big });
  await database.projector.query("insert into moments values ('raw', $1, $2, null, $3)", [tenant, summer, big]);
  await database.projector.query("insert into moments values ('raw date', $1, $2, null, $3)", [tenant, new Date(winter), big]);
  const { rows: [literal] } = await database.projector.query(
    "select timestamptz '2026-01-15 12:00' as bare, timestamp '2026-01-15 12:00' as local, date '2026-01-15' as day, current_setting('timezone') as zone, '-infinity'::timestamptz as never");
  const clock = new Clock(database.projector);
  await clock.start();
  console.log(JSON.stringify({
    entities: await tenantScope(database, tenant, (manager) => manager.find('moments', { order: { id: 'ASC' } })),
    found: await repository.countBy({ at: winter }),
    raw: (await database.projector.query('select id, at, big from moments order by id')).rows,
    literal,
    clock: Math.abs(Date.parse(clock.now()) - Date.now()) < 2000,
    offset: new Date(winter).getTimezoneOffset(),
  }));
  clock.stop();
  await database.close();`;

describe('Times', () => {
  let test: TestDatabase;
  let code: ReturnType<typeof compile>;
  beforeAll(async () => {
    code = compile('kernel', 'postgres');
    test = await createTestDatabase();
    await query(
      test.urls.owner,
      `alter database ${test.name} set timezone = 'Pacific/Auckland';
       alter database ${test.name} set datestyle = 'German, DMY';
       set role workbench_owner;
       create table read_models.moments (id text primary key, tenant_id uuid, at timestamptz, local text, big bigint);
       select workbench.secure('read_models', 'moments')`,
    );
  });
  afterAll(async () => {
    code.remove();
    await test.drop();
  });

  it.each([
    ['UTC', 0],
    ['Asia/Tokyo', -540],
    ['America/St_Johns', 210],
  ])('are the same to a server in %s, whatever zone the database prefers', async (TZ, offset) => {
    const process = runScript(code.directory, script, [JSON.stringify(test.urls)], { env: { TZ } });
    const answer = JSON.parse(await process.line()) as object;
    await process.ended;
    const [winter, summer] = ['2026-01-15T23:30:00.123Z', '2026-07-15T02:15:00.000Z'];
    const big = '9007199254740993';
    expect(answer).toEqual({
      entities: [
        ['date', summer],
        ['raw', summer],
        ['raw date', winter],
        ['text', winter],
      ].map(([id, at]) => ({ id, at, big, local: null, tenantId: '11111111-1111-4111-8111-111111111111' })),
      found: 2,
      raw: [
        { id: 'date', at: summer, big },
        { id: 'raw', at: summer, big },
        { id: 'raw date', at: winter, big },
        { id: 'text', at: winter, big },
      ],
      literal: { bare: '2026-01-15T12:00:00.000Z', local: '2026-01-15 12:00:00', day: '2026-01-15', zone: 'UTC', never: '-infinity' },
      clock: true,
      offset,
    });
  });
});
