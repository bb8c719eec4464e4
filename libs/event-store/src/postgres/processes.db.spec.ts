import { NO_STREAM, newId } from '#libs/kernel';
import { contractTypes, noted, readAfter } from '#libs/kernel/testing';
import { compile } from '../../../../test/support/compiled.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { runScript } from '../../../../test/support/script.js';
import { openPostgresEventStore } from './postgres.event-store.js';

/** Answers each event of the stream that it is given with one of its own in the same stream. */
const ECHO = `
import { openDatabase } from '#libs/postgres';
import { openPostgresEventStore } from '#libs/event-store';
import { contractTypes, noted } from './libs/kernel/src/testing/index.js';
const [urls, stream] = process.argv.slice(1).map((text) => JSON.parse(text));
const store = await openPostgresEventStore(await openDatabase(urls), contractTypes);
let after;
for await (const _ of store.changes(new AbortController().signal)) {
  const { events, position } = await store.readAll(after, 100);
  if (after === undefined) console.log('ready');
  after = position ?? '0';
  for (const event of events)
    if (event.stream === stream && event.data.note === 'ping') await store.append(stream, [noted('pong')], event.revision);
}
`;

describe('Two processes', () => {
  let test: TestDatabase;
  let code: ReturnType<typeof compile>;
  beforeAll(async () => {
    test = await createTestDatabase();
    code = compile('kernel', 'postgres', 'event-store');
  });
  afterAll(async () => {
    code.remove();
    await test.drop();
  });

  it('wake each other by what they append, long before they would look on their own', async () => {
    const stream = `note-${newId()}`;
    const store = await openPostgresEventStore(test.database, contractTypes);
    const echo = runScript(code.directory, ECHO, [JSON.stringify(test.urls), JSON.stringify(stream)]);
    expect(await echo.line()).toBe('ready');
    const times: number[] = [];
    for (let revision = NO_STREAM; times.length < 9; revision += 2n) {
      const started = performance.now();
      const { position } = await store.append(stream, [noted('ping')], revision);
      expect(await readAfter(store, position, 1)).toMatchObject([{ stream, data: { note: 'pong' } }]);
      times.push(performance.now() - started);
    }
    store.close();
    echo.process.kill('SIGKILL');
    await echo.ended;
    // There and back; without a notification each way takes up to a second.
    expect(times.sort((a, b) => a - b)[4]).toBeLessThan(500);
  }, 30_000);
});
