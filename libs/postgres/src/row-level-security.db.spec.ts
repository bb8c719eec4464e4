import { query } from '../../../test/support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { findTenantLeaks } from '../../../test/support/row-level-security.js';
import { secret, tenantScope } from './index.js';

const ann = '11111111-1111-4111-8111-111111111111';
const bob = '22222222-2222-4222-8222-222222222222';

describe('Row-level security', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
    await query(
      test.urls.owner,
      `set role workbench_owner;
       create table read_models.notes (id text primary key, tenant_id uuid not null, text text);
       insert into read_models.notes values ('a', '${ann}', 'of ann'), ('b', '${bob}', 'of bob');
       select workbench.secure('read_models', 'notes');
       create view read_models.note_texts with (security_invoker = true) as select tenant_id, text from read_models.notes;
       grant select on read_models.note_texts to workbench_app, workbench_projector;`,
    );
    await secret(test.database, 'key', () => Buffer.from('key'));
  });
  afterAll(() => test.drop());

  const texts = (tenantId: string) =>
    tenantScope(test.database, tenantId, (manager) => manager.query<{ text: string }[]>('select text from notes order by text'));

  it('shows a tenant its own rows, and through a view the same', async () => {
    expect(await texts(ann)).toEqual([{ text: 'of ann' }]);
    expect(await texts(bob)).toEqual([{ text: 'of bob' }]);
    expect(await tenantScope(test.database, ann, (manager) => manager.query('select text from note_texts'))).toEqual([{ text: 'of ann' }]);
  });

  it('shows nothing of any table or view where no tenant is set', async () => {
    const { leaks, filled } = await findTenantLeaks(test.database);
    expect(leaks).toEqual([]);
    expect(filled).toEqual(
      expect.arrayContaining(['read_models.notes', 'read_models.note_texts', 'workbench.secrets', 'workbench.migrations']),
    );
  });

  it('forgets the tenant with the transaction, on the same connection', async () => {
    await texts(ann);
    const { rows } = await test.database.app.query('select * from notes');
    expect(rows).toEqual([]);
  });

  it('lets the app write nothing, not even within its tenant', async () => {
    await expect(tenantScope(test.database, ann, (manager) => manager.query(`update notes set text = 'x'`))).rejects.toThrow(
      /read-only transaction/,
    );
    await expect(test.database.app.query(`insert into notes values ('c', '${ann}', 'x')`)).rejects.toThrow(/permission denied/);
    await expect(test.database.app.query('set role workbench_projector')).rejects.toThrow(/permission denied/);
  });

  it('does not read a tenant id as SQL', async () => {
    await expect(texts(`${ann}'; reset role; --`)).rejects.toThrow(/needs the id of a tenant/);
  });

  it('binds the owner of the tables as well', async () => {
    await expect(
      query(test.urls.owner, `set role workbench_owner; insert into read_models.notes values ('c', '${ann}', 'x')`),
    ).rejects.toThrow(/violates row-level security/);
  });

  it('is refused to a table whose tenant is no uuid', async () => {
    await expect(
      query(
        test.urls.owner,
        `set role workbench_owner; create table read_models.odd (tenant_id text); select workbench.secure('read_models', 'odd')`,
      ),
    ).rejects.toThrow('read_models.odd.tenant_id is text, and has to be uuid');
  });

  it('is found missing wherever somebody forgets it', async () => {
    const careless = await createTestDatabase();
    try {
      await query(
        careless.urls.owner,
        `set role workbench_owner;
         create table read_models.open (id text primary key, tenant_id uuid not null);
         insert into read_models.open values ('a', '${ann}'), ('b', '${bob}');
         create view read_models.window as select * from read_models.open;
         create table read_models.lax (id text primary key, tenant_id uuid not null);
         insert into read_models.lax values ('a', '${ann}'), ('b', '${bob}');
         select workbench.secure('read_models', 'lax');
         create policy lax on read_models.lax for select to workbench_app using (current_setting('workbench.tenant_id', true) is not null);
         create function read_models.all_open() returns setof read_models.open language sql security definer as 'select * from read_models.open';
         grant execute on function read_models.all_open() to workbench_app;
         grant select, insert on read_models.open to workbench_app, workbench_projector;
         grant select on read_models.window to workbench_app, workbench_projector;`,
      );
      const { leaks } = await findTenantLeaks(careless.database);
      expect(leaks).toEqual(
        expect.arrayContaining([
          'read_models.open has no forced row-level security.',
          'read_models.open can be written by the app.',
          'read_models.open shows rows though no tenant is set.',
          `read_models.open shows tenant ${ann} rows of another.`,
          `read_models."window" is a view with its owner's rights, not security_invoker.`,
          'read_models."window" shows rows though no tenant is set.',
          `read_models.lax shows tenant ${bob} rows of another.`,
          `all_open() runs with its owner's rights, and the app may call it.`,
        ]),
      );
    } finally {
      await careless.drop();
    }
  });
});
