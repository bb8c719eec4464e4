import { Test } from '@nestjs/testing';
import { createEmptyDatabase, createTestDatabase } from '../../../test/support/database.js';
import { Clock, Database, PostgresModule } from './index.js';

describe('The PostgreSQL module', () => {
  it('migrates, opens, tells the time, and closes with the application', async () => {
    const { urls, drop } = await createEmptyDatabase();
    const module = await Test.createTestingModule({ imports: [PostgresModule.forRoot(urls)] }).compile();
    await module.init();
    const database = module.get(Database);
    expect((await database.app.query('select * from workbench.secrets')).rows).toEqual([]);
    expect(Math.abs(Date.parse(module.get(Clock).now()) - Date.now())).toBeLessThan(2_000);
    await module.close();
    await expect(database.app.query('select 1')).rejects.toThrow(/after calling end/);
    await drop();
  });

  it('leaves a database open that was open before it', async () => {
    const { database, drop } = await createTestDatabase();
    const module = await Test.createTestingModule({ imports: [PostgresModule.forRoot({ database })] }).compile();
    await module.init();
    expect(module.get(Database)).toBe(database);
    await module.close();
    expect((await database.app.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await drop();
  });
});
