import { openEventStoreDB } from '#libs/event-store';
import { newId, NO_STREAM, UnstorableError, type Position } from '#libs/kernel';
import { contractTypes, endOf, noted, readAfter, type Noted } from '#libs/kernel/testing';
import { compile } from '../support/compiled.js';
import { eventually } from '../support/eventually.js';
import { runScript } from '../support/script.js';
import type { Fate, Rpc } from './server/node.js';
import type { WireServer } from './server/server.js';
import { append, on } from './stores-on.js';
import { describeWithControl, unended, withWireServer } from './target.js';

/** What goes wrong with this client, and what the store makes of it; docs/stores.md has the list. */
describeWithControl('The store in EventStoreDB', () => {
  const unavailable = { refusal: { kind: 'unavailable', code: 'event-store/unavailable' } };
  /** The next call of this method meets this fate, the others pass. */
  const once = (method: Rpc['method'], fate: Fate) => {
    let left = 1;
    return (rpc: Rpc): Fate => (rpc.method === method && left-- > 0 ? fate : 'pass');
  };
  const ring = async (bell: AsyncIterator<void>, act: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    const next = bell.next();
    await act();
    await next;
    return performance.now() - started;
  };

  describe('when its subscription dies', () => {
    const deaths: [string, (server: WireServer) => unknown][] = [
      ['is cancelled by the server', ({ node }) => node.endStreams('cancelled')],
      ['ends with the server', ({ node }) => node.endStreams('shuttingDown')],
      ['ends with its connection', ({ node }) => node.line.cut()],
      [
        'ends with a server that is killed and comes up again',
        async ({ node }) => {
          node.goDown();
          await node.comeUp();
        },
      ],
    ];
    it.each(deaths)('because it %s, makes a new one and hears of what others append', async (_, kill) =>
      on(async (server, open) => {
        const [here, there] = [await open(), await open()];
        const leave = new AbortController();
        const bell = here.changes(leave.signal)[Symbol.asyncIterator]();
        await bell.next();
        const subscribed = () => server.node.calls.get('SubscribeToAll') ?? 0;
        await eventually(() => subscribed() > 0);
        for (let times = 0; times < 3; times++) {
          const before = subscribed();
          await kill(server);
          await eventually(() => subscribed() > before && server.node.open.size === 1);
          // The best of some: a ring may also be the one that comes each second, or one that was remembered.
          let fastest = Infinity;
          for (let rings = 0; rings < 3; rings++) fastest = Math.min(fastest, await ring(bell, () => append(there)));
          expect(fastest).toBeLessThan(800);
        }
        leave.abort();
        await eventually(() => server.node.open.size === 0);
      })(),
    );
  });

  it(
    'is still woken by a subscription whose channel another call gave up, and leaves none of its connections behind',
    on(async ({ node }, open) => {
      const [here, there] = [await open(), await open()];
      const leave = new AbortController();
      const bell = here.changes(leave.signal)[Symbol.asyncIterator]();
      await bell.next();
      await eventually(() => node.open.size === 1);
      for (let times = 0; times < 3; times++) {
        node.judge(once('Append', 'busy'));
        await append(here);
      }
      let fastest = Infinity;
      for (let rings = 0; rings < 5; rings++) fastest = Math.min(fastest, await ring(bell, () => append(there)));
      expect(fastest).toBeLessThan(800);
      await here.close();
      await there.close();
      await eventually(() => node.open.size === 0 && node.line.connections() === 0);
      leave.abort();
    }),
  );

  it(
    'gives up on a frozen server in time, and goes on with it once it moves again',
    on(async ({ node, log }, open) => {
      const store = await open({ patience: 600, attempt: 200 });
      const event = noted('frozen');
      const stream = `note-${newId()}`;
      const stored = log.all.length;
      node.line.freeze();
      await expect(append(store, stream, NO_STREAM, event)).rejects.toMatchObject({
        refusal: { detail: expect.stringContaining('send the same again') as string },
      });
      await expect(store.readStream(stream)).rejects.toMatchObject(unavailable);
      await expect(store.readAll(undefined, 10)).rejects.toMatchObject(unavailable);
      node.line.thaw();
      expect(await eventually(() => append(store, stream, NO_STREAM, event))).toMatchObject({ revision: 0n });
      expect(log.all.length).toBe(stored + 1);
    }),
  );

  it.each<Fate>(['silence', 'silence after'])(
    'does not wait for ever for an append that meets %s: it is sent again and stored once',
    (fate) =>
      on(async ({ node, log }, open) => {
        const store = await open({ attempt: 150 });
        const stored = log.all.length;
        node.judge(once('Append', fate));
        expect(await append(store)).toMatchObject({ revision: 0n });
        expect(log.all.length).toBe(stored + 1);
        // A batch has no end of its own, and answers for other clients.
        expect(node.calls.get('BatchAppend')).toBeUndefined();
      })(),
  );

  it(
    'is not told of the failures of another store in the same process',
    on(({ node }, open) =>
      withWireServer(async (failing) => {
        const store = await open();
        const neighbour = await openEventStoreDB(failing.url, contractTypes, { patience: 400, attempt: 200 });
        node.line.delay(150);
        const before = node.calls.get('Append') ?? 0;
        const slow = append(store);
        failing.node.goDown();
        await expect(append(neighbour)).rejects.toMatchObject(unavailable);
        expect(await slow).toMatchObject({ revision: 0n });
        expect((node.calls.get('Append') ?? 0) - before).toBe(1);
        await neighbour.close();
      }),
    ),
  );

  describe('when it is open whether an append was stored', () => {
    it.each<Fate>(['lose answer', 'lose request', 'timeout', 'timeout after', 'busy', 'twice', 'no leader'])(
      'because it met "%s", sends it again, and it is there once, with one answer',
      (fate) =>
        on(async ({ node }, open) => {
          const store = await open();
          const stream = `note-${newId()}`;
          const event = noted('a');
          node.judge(once('Append', fate));
          const first = await append(store, stream, NO_STREAM, event);
          expect(await append(store, stream, NO_STREAM, event)).toEqual(first);
          expect((await store.readStream(stream)).events).toMatchObject([{ id: event.id, position: first.position }]);
        })(),
    );

    it(
      'because the server was killed, stores each of many once',
      on(async ({ node, log }, open) => {
        const store = await open();
        const before = log.all.length;
        let left = 60;
        node.judge(() => (left-- > 0 ? (left % 3 === 0 ? 'lose answer' : 'pass') : 'pass'));
        const streams = Array.from({ length: 40 }, () => `note-${newId()}`);
        const appends = streams.map((stream) => append(store, stream));
        await eventually(() => log.all.length > before + 5);
        node.goDown();
        await node.comeUp();
        expect(await Promise.all(appends)).toHaveLength(40);
        expect(log.all.length).toBe(before + 40);
        for (const stream of streams) expect((await store.readStream(stream)).events).toHaveLength(1);
      }),
    );

    it(
      'for too long, says so, and the same again finds out',
      on(async ({ node }, open) => {
        const store = await open({ patience: 300, attempt: 100 });
        const stream = `note-${newId()}`;
        const event = noted('a');
        node.judge(({ method }) => (method === 'Append' ? 'silence after' : 'pass'));
        await expect(append(store, stream, NO_STREAM, event)).rejects.toMatchObject(unavailable);
        node.judge(() => 'pass');
        expect(await append(store, stream, NO_STREAM, event)).toMatchObject({ revision: 0n });
      }),
    );
  });

  it(
    'leaves no call open, however a read ends, and no connection when it is closed',
    on(async ({ node }, open) => {
      const store = await open({ patience: 2_000, attempt: 900 });
      const stream = `note-${newId()}`;
      await store.append(
        stream,
        Array.from({ length: 40 }, (_, n) => noted(n)),
        NO_STREAM,
      );
      await store.readStream(stream);
      await store.readStream(stream, 39n);
      await store.readStream(`note-${newId()}`);
      await store.readAll(undefined, 1);
      for await (const _ of store.changes(new AbortController().signal)) break;
      const leave = new AbortController();
      const bell = store.changes(leave.signal)[Symbol.asyncIterator]();
      await bell.next();
      await eventually(() => node.open.size === 1);
      node.judge(({ method }) => (method === 'ReadAll' || method === 'ReadStream' ? 'silence' : 'pass'));
      await expect(store.readAll(undefined, 10)).rejects.toMatchObject(unavailable);
      await expect(store.readStream(stream)).rejects.toMatchObject(unavailable);
      // One subscription for all who listen; it stays for the one that has not said that it leaves.
      await eventually(() => node.open.size === 1);
      leave.abort();
      const closing = performance.now();
      await store.close();
      expect(performance.now() - closing).toBeLessThan(1_500);
      await eventually(() => node.open.size === 0 && node.line.connections() === 0);
    }),
  );

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
    'never gives a position beyond what its reader was given, although its subscription is far ahead',
    on(async (_, open) => {
      const [store, writer] = [await open(), await open()];
      const start = await endOf(store);
      const leave = new AbortController();
      const streams = Array.from({ length: 60 }, () => `note-${newId()}`);
      // It dies in the middle of a page, again and again, before it has saved how far it came.
      const done = new Set<string>();
      let checkpoint: Position = start;
      let lives = 0;
      const live = async (): Promise<void> => {
        let pages = 0;
        for await (const _ of store.changes(leave.signal)) {
          for (;;) {
            const page = await store.readAll(checkpoint, 7);
            const dies = ++pages === 2;
            for (const { id } of page.events.slice(0, dies ? 4 : 7)) done.add(id);
            if (dies || done.size === streams.length) return;
            if (page.position === checkpoint) break;
            checkpoint = page.position!;
          }
        }
      };
      await Promise.all(streams.map((stream) => append(writer, stream)));
      for (; done.size < streams.length; lives++) await live();
      expect(lives).toBeGreaterThan(5);
      const everything = await readAfter(writer, start, streams.length);
      expect([...done]).toEqual(everything.map(({ id }) => id));
      leave.abort();
    }),
  );

  it(
    'says 413 to what a newer server refuses by a name that the client does not know',
    on(async ({ node }, open) => {
      const store = await open();
      node.judge(once('Append', 'event too large'));
      await expect(append(store)).rejects.toMatchObject({ refusal: { kind: 'too_large', code: 'event/too-large' } });
    }),
  );

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
