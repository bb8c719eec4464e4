import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { urlOf } from '../../../../test/support/processes.js';
import { stuck } from './stuck.js';

describe('Whoever runs the installation', () => {
  let here: TestDatabase;
  beforeAll(async () => void (here = await createTestDatabase()));
  afterAll(() => here.drop());
  const run = async (...argv: string[]) => {
    const said: string[] = [];
    const code = await stuck(argv, { DATABASE_URL: urlOf(here.urls.owner) }, (line) => said.push(line));
    return { code, said: said.join('\n') };
  };

  it('sees what is stuck, skips exactly that event, on record, and cannot skip another', async () => {
    expect(await run()).toEqual({ code: 0, said: 'Nothing is stuck.' });
    await here.database.projector.query(
      `insert into read_models.checkpoints (name, store_id, version, position, state, failed_at, reason)
         select 'boxes', id, 1, '6', 'faulted', '7', 'TypeError: no such lid' from es.store`,
    );
    expect((await run()).said).toBe('projection boxes at 7: TypeError: no such lid');
    expect(await run('skip', 'boxes', '6')).toMatchObject({ code: 1, said: expect.stringContaining('projection/not-stuck') as string });
    expect(await run('skip', 'boxes', '7')).toEqual({ code: 0, said: 'Nothing is stuck.' });
    const { rows } = await here.database.projector.query('select projection, position, reason from workbench.skipped_events');
    expect(rows).toEqual([{ projection: 'boxes', position: '7', reason: 'TypeError: no such lid' }]);
  });

  it('is told how to ask', async () => expect(await run('skip', 'boxes')).toMatchObject({ code: 2 }));
});
