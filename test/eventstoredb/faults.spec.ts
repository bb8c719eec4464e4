import { newId, NO_STREAM, UnstorableError } from '#libs/kernel';
import { endOf, noted, readAfter, type Noted } from '#libs/kernel/testing';
import { compile } from '../support/compiled.js';
import { eventually } from '../support/eventually.js';
import { runScript } from '../support/script.js';
import { append, on } from './stores-on.js';
import { describeWithControl, unended, withWireServer } from './target.js';

/** What goes wrong with data and reads of this client, and what the store makes of it; docs/stores.md has the list. */
describeWithControl('The store in EventStoreDB', () => {
  describe('with data that breaks the client', () => {
    it(
      'stores a bigint, and refuses what is no data, before the client sees either',
      on(async (_, open) => {
        const store = await open();
        const stream = `note-${newId()}`;
        await append(store, stream, NO_STREAM, noted({ amount: 2n ** 70n }));
        expect((await store.readStream<Noted>(stream)).events[0]!.data.note).toEqual({ amount: 2n ** 70n });
        const throwing = noted({
          toJSON() {
            throw new Error('No text of this.');
          },
        });
        await expect(append(store, stream, 0n, throwing)).rejects.toThrow(UnstorableError);
        expect(await append(store, stream, 0n)).toMatchObject({ revision: 1n });
      }),
    );

    it('lives on, in a process of its own, through such data and through the death of its subscription', () =>
      withWireServer(async (server) => {
        const compiled = compile('kernel', 'postgres', 'event-store');
        const script = runScript(compiled.directory, SURVIVOR, [server.url]);
        unended.add(() => Promise.resolve(script.process.kill('SIGKILL')));
        try {
          expect(await script.line()).toBe('follows');
          await eventually(() => server.node.open.size === 1);
          server.node.endStreams();
          await eventually(() => (server.node.calls.get('SubscribeToAll') ?? 0) > 1);
          expect(await script.line()).toBe('refused UnstorableError');
          expect(await script.line()).toBe('stored 1');
          expect(await script.ended).toBe(0);
        } finally {
          script.process.kill('SIGKILL');
          compiled.remove();
        }
      }));
  });

  it(
    'does not open where the name of the database was truncated, and says what to take out',
    on(async ({ log }, open) => {
      await open();
      log.truncate('workbench-store');
      await expect(open()).rejects.toThrow(/workbench-store, which names the database, was truncated.*metadata/);
    }),
  );

  it(
    'gives only what is its own, although the server leaves a filter on reads of everything out',
    on(async ({ log }, open) => {
      const store = await open();
      const start = await endOf(store);
      log.writeStatistics(5);
      await append(store);
      log.writeStatistics(250);
      await append(store);
      expect((await readAfter(store, start, 2)).map(({ type }) => type)).toEqual(['Noted', 'Noted']);
      // What follows is the system's alone: nothing, but a position behind it, so that it is not read again.
      log.writeStatistics(40);
      const end = (await readAfter(store, start, 2)).at(-1)!.position;
      const { events, position } = await store.readAll(end, 10);
      expect([events, position]).toEqual([[], log.all.at(-1)!.position.toString()]);
      expect(await store.readAll(position, 10)).toEqual({ events: [], position });
    }),
  );

  it(
    'moves on over pages without an event, however many there are',
    on(async ({ node, log }, open) => {
      const store = await open();
      const start = await endOf(store);
      log.writeStatistics(5_000);
      await append(store);
      const before = node.calls.get('ReadAll') ?? 0;
      expect(await readAfter(store, start, 1, 1)).toHaveLength(1);
      expect((node.calls.get('ReadAll') ?? 0) - before).toBeLessThan(70);
    }),
  );
});

const SURVIVOR = `
  import { openEventStoreDB } from '#libs/event-store';
  import { EventTypes, newId } from '#libs/kernel';
  const types = new EventTypes({ Noted: { version: 1 } });
  const store = await openEventStoreDB(process.argv[1], types);
  const id = newId();
  const noted = (note) => ({ type: 'Noted', data: { note }, id: newId(), meta: { tenantId: id, workspaceId: id, commandId: 'c' } });
  const leave = new AbortController();
  for await (const _ of store.changes(leave.signal)) break;
  console.log('follows');
  const toJSON = () => { throw new Error('no'); };
  const refused = await store.append('note-' + id, [noted({ toJSON })], -1n).catch((error) => error.name);
  // Long enough for a subscription that died to be noticed: the doorbell rings each second at the latest.
  let rings = 0;
  for await (const _ of store.changes(leave.signal)) if (++rings === 4) break;
  console.log('refused', refused);
  await store.append('note-' + id, [noted(5n)], -1n);
  console.log('stored', (await store.readStream('note-' + id)).events.length);
  leave.abort();
  await store.close();
`;
