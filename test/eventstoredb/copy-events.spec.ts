import { spawn } from 'node:child_process';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { importIntoPostgres, openEventStoreDB, openPostgresEventStore, StoredEventTypes } from '#libs/event-store';
import { derivedId, newId, NO_STREAM, type Recorded } from '#libs/kernel';
import { contractTypes, noted } from '#libs/kernel/testing';
import { migrate, openDatabase, type Database } from '#libs/postgres';
import { copy } from '../../apps/server/src/copy-events/copy.js';
import { copyEvents } from '../../apps/server/src/copy-events/copy-events.js';
import { openPlace } from '../../apps/server/src/copy-events/places.js';
import { createEmptyDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { urlOf } from '../support/processes.js';
import { createRepository } from '../support/repository.js';
import { claim, createRecord, implement, queueTask, receiptOf, ship, verify } from '../support/round-trip.js';
import { startWorkbench } from '../support/workbench.js';
import { startWireServer, type WireServer } from './server/server.js';
import { withWireServer } from './target.js';
import { allEvents } from '../support/stored-events.js';

/** The figures of docs/stores.md are those of 100,000. */
const EVENTS = Number(process.env['COPY_EVENTS'] ?? 5_000);
const root = path.resolve(__dirname, '../..');
const CODE = `
  const { copyEvents } = await import('./dist/apps/server/src/copy-events/copy-events.js');
  process.exit(await copyEvents(process.argv.slice(1), process.env, (line) => console.log(line)));
`;

/** The program in a process of its own, as the npm script runs it. */
const run = (...argv: string[]) => {
  const child = spawn(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', CODE, '--', ...argv], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended, output: () => output };
};
const inProcess = async (...argv: string[]) => {
  const lines: string[] = [];
  const code = await copyEvents(argv, {}, (line) => lines.push(line));
  return { code, output: lines.join('\n') };
};
const digestsIn = (output: string) =>
  [...output.matchAll(/(\d+) events, SHA-256 ([0-9a-f]{64})/g)].map(([, count, sha256]) => ({ count, sha256 }));

describe('Copying events', () => {
  const databases: (() => Promise<void>)[] = [];
  // Not cloned: a clone is the same store.
  const createDatabase = async () => {
    const { urls, drop } = await createEmptyDatabase();
    databases.push(drop);
    await migrate(urls);
    const database = await openDatabase(urls);
    databases.push(() => database.close());
    return { database, url: urlOf(urls.owner) };
  };
  afterAll(async () => {
    for (const end of databases.reverse()) await end();
  });

  /** Runs of 1 to 40 events in a stream, streams that are taken up again, times that lie back. */
  const fill = async ({ database }: Readonly<{ database: Database }>, count: number): Promise<string> => {
    const revisions = new Map<string, bigint>();
    const hash = createHash('sha256');
    let made = 0;
    for (let page: Recorded[] = []; made < count; page = []) {
      while (page.length < 1_000 && made < count) {
        const stream = `note-${derivedId('copied', String((made * 7) % 3_001))}`;
        for (let run = 1 + (made % 40); run > 0 && made < count; run--, made++) {
          const revision = (revisions.get(stream) ?? -1n) + 1n;
          revisions.set(stream, revision);
          const id = derivedId('event', String(made));
          const { meta } = noted(made, id);
          const encoded = contractTypes.encode(stream, { ...noted({ n: made, text: 'é'.repeat(made % 50), big: BigInt(made) }, id), meta });
          const recordedAt = new Date(1_700_000_000_000 + made * 977).toISOString();
          page.push({
            id,
            stream,
            revision,
            position: '',
            recordedAt,
            type: 'Noted',
            data: JSON.parse(encoded.data),
            meta: JSON.parse(encoded.meta),
          });
          hash.update(`${stream}@${revision} ${id} ${encoded.contentHash} ${recordedAt}\n`);
        }
      }
      await importIntoPostgres(database.projector, page);
    }
    return hash.digest('hex');
  };

  it(`brings ${EVENTS} there and back, through interruptions, with equal hashes`, async () => {
    const [source, back] = [await createDatabase(), await createDatabase()];
    const sha256 = await fill(source, EVENTS);
    await withWireServer(async ({ url, log }) => {
      const there = ['--from', source.url, '--to', url];
      const killed = run(...there);
      await eventually(() => log.all.length > EVENTS * 0.4 || killed.child.exitCode !== null, 200_000);
      killed.child.kill('SIGKILL');
      expect(await killed.ended).toBe(null);
      expect(log.all.length).toBeLessThan(EVENTS);
      const finished = run(...there);
      expect([await finished.ended, finished.output()]).toEqual([
        0,
        expect.stringMatching(/^(?!0 events were there)\d+ events were there/m),
      ]);
      expect(digestsIn(finished.output())).toEqual([
        { count: String(EVENTS), sha256 },
        { count: String(EVENTS), sha256 },
      ]);

      const here = ['--from', url, '--to', back.url];
      const stored = async () =>
        Number((await back.database.projector.query<{ n: string }>('select count(*) as n from es.events')).rows[0]!.n);
      const interrupted = run(...here);
      await eventually(async () => (await stored()) > EVENTS * 0.3 || interrupted.child.exitCode !== null, 200_000);
      interrupted.child.kill('SIGINT');
      await interrupted.ended;
      expect(await stored()).toBeLessThan(EVENTS);
      const completed = run(...here);
      expect([await completed.ended, completed.output()]).toEqual([0, expect.stringContaining('They are the same.')]);
      expect(digestsIn(completed.output())).toEqual([
        { count: String(EVENTS), sha256 },
        { count: String(EVENTS), sha256 },
      ]);
    });
  }, 900_000);

  it('copies nothing twice, and refuses a store that holds other events, or the same one', () =>
    withWireServer(async ({ url }) => {
      const [source, other] = [await createDatabase(), await createDatabase()];
      await fill(source, 30);
      const store = await openPostgresEventStore(other.database, contractTypes);
      await store.append(`note-${newId()}`, [noted('a')], NO_STREAM);
      store.close();
      expect(await inProcess('--from', source.url, '--to', other.url)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/holds events that the first does not.*Copy into an empty one/) as string,
      });
      const target = await createDatabase();
      const outputs = [];
      for (let times = 0; times < 2; times++) outputs.push((await inProcess('--from', source.url, '--to', target.url)).output);
      expect(outputs).toEqual([
        expect.stringContaining('0 events were there, 30 were copied'),
        expect.stringContaining('30 events were there, 0 were copied'),
      ]);
      expect(await inProcess('--from', source.url, '--to', source.url)).toMatchObject({ code: 1, output: 'Both are the same store.' });
      const there = await openEventStoreDB(url, contractTypes);
      await there.append(`note-${newId()}`, [noted('a')], NO_STREAM);
      await there.close();
      expect((await inProcess('--from', source.url, '--to', url)).code).toBe(1);
    }));

  it('waits for events that are stored and may not be read yet', () =>
    withWireServer(async ({ url }) => {
      const source = await createDatabase();
      const [from, to] = [await openPlace(source.url, {}), await openPlace(url, {})];
      const open = await source.database.projector.connect();
      await open.query('begin; select pg_current_xact_id()');
      await fill(source, 3);
      let ended = false;
      const copied = copy(from, to).finally(() => (ended = true));
      // A store that says nothing new for half a second has no more; it looks once a second.
      const began = performance.now();
      await eventually(() => ended || performance.now() - began > 2_500);
      const endedEarly = ended;
      await open.query('commit');
      open.release();
      expect([endedEarly, await copied]).toEqual([false, { found: 0, copied: 3 }]);
      await Promise.all([from.close(), to.close()]);
    }));

  it('refuses events that were changed since they were written', () =>
    withWireServer(async ({ url }) => {
      const source = await createDatabase();
      await fill(source, 3);
      const store = await openPostgresEventStore(source.database, new StoredEventTypes());
      // A store that was just opened may not know yet how far it may read.
      const event = await eventually(async () => (await store.readAll(undefined, 10)).events[0], 10_000);
      await importIntoPostgres(source.database.projector, [
        { ...event, id: newId(), stream: `note-${newId()}`, revision: 0n, data: { note: 'forged' } },
      ]);
      expect(await inProcess('--from', source.url, '--to', url)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/content is not the one that its hash names/) as string,
      });
    }));

  it.each([
    [[], 2, /^npm run copy-events -- --from STORE --to STORE/],
    [['--from', 'embedded'], 2, /--to STORE/],
    [['--from', 'nowhere', '--to', 'esdb://x'], 1, /names no store\. Write esdb:\/\/…, postgres:\/\/…, embedded/],
    [['--from', 'NOT_SET', '--to', 'esdb://x'], 1, /NOT_SET is empty/],
    [['--from', 'kurrentdb://x', '--to', 'esdb://x'], 1, /write esdb:\/\/ instead/],
  ])('says of %j what to write', async (argv, code, message) => {
    expect(await inProcess(...argv)).toEqual({ code, output: expect.stringMatching(message) as string });
  });

  describe('lets a product move from one store to another', () => {
    let wire: WireServer;
    beforeAll(async () => (wire = await startWireServer()));
    afterAll(() => wire.stop());

    it('with its read models, credentials and open work', async () => {
      const repository = createRepository();
      const bench = await startWorkbench();
      try {
        const { cast } = bench;
        const { taskId } = await queueTask(cast, repository);
        const { lease } = (await claim(cast.ida, taskId)).body;
        const before = await allEvents(bench.server.app);
        await bench.server.stop();

        const database = urlOf(bench.database.urls.owner);
        const moved = await inProcess('--from', database, '--to', wire.url, '--read-models', database);
        expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('The read models go on from the copy') as string });
        await expect(bench.another()).rejects.toThrow(/read models were filled from event store/);

        const server = await bench.another({ eventStoreUrl: wire.url });
        const at = <T extends object>(client: T): T =>
          Object.assign(Object.create(Object.getPrototypeOf(client) as object), client, { url: server.url! });
        const [ida, vera, otto, mia] = [at(cast.ida), at(cast.vera), at(cast.otto), at(cast.mia)];
        // What was open goes on, under the same lease and credentials.
        const { status, revision } = await implement(ida, repository, lease);
        expect(status).toBe(200);
        expect((await verify(vera, taskId)).status).toBe(200);
        expect((await ship(otto, taskId, revision)).status).toBe(200);
        await receiptOf(mia, taskId);
        await createRecord({ ...cast, mia, ann: at(cast.ann), eve: at(cast.eve) }, 'work_item', { title: 'After the move' });
        await eventually(async () => (await otto.get(`/api/tasks/${taskId}`)).body.status === 'shipped');

        const after = await allEvents(server.app);
        const withoutPositions = (events: readonly Recorded[]) => events.map(({ position: _, ...event }) => event);
        expect(withoutPositions(after.slice(0, before.length))).toEqual(withoutPositions(before));
        const types = after.filter(({ stream }) => stream === `task-${taskId}`).map(({ type }) => type);
        expect(types).toEqual([
          'TaskQueued',
          'LeaseGranted',
          'WorkReported',
          'VerificationGranted',
          'WorkVerified',
          'WorkShipped',
          'ReceiptIssued',
        ]);
      } finally {
        await bench.stop();
        repository.remove();
      }
    }, 120_000);
  });
});
