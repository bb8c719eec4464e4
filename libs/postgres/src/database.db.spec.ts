import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { Clock, secret, tenantScope } from './index.js';

describe('A database', () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());

  it('knows the time', async () => {
    const clock = new Clock(test.database.projector);
    await clock.start();
    expect(Math.abs(Date.parse(clock.now()) - Date.now())).toBeLessThan(1000);
    clock.stop();
  });
  it('keeps a secret', async () => {
    expect(await secret(test.database, 'a', () => Buffer.from('1'))).toEqual(Buffer.from('1'));
    expect(await secret(test.database, 'a', () => Buffer.from('2'))).toEqual(Buffer.from('1'));
  });
  it('scopes', async () => {
    expect(await tenantScope(test.database, randomUUID(), (m) => m.query('select * from workbench.secrets'))).toEqual([]);
  });
});
