import { newId, NO_STREAM, type Position } from '#libs/kernel';
import { endOf, noted, readAfter } from '#libs/kernel/testing';
import { eventually } from '../support/eventually.js';
import type { WireServer } from './server/server.js';
import { append, on, once, unavailable } from './stores-on.js';
import { describeWithControl } from './target.js';

/** What goes wrong with a subscription of this client, and what the store makes of it; docs/stores.md has the list. */
describeWithControl('The changes of the store in EventStoreDB', () => {
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
});
