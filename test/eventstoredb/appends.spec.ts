import { openEventStoreDB } from '#libs/event-store';
import { newId, NO_STREAM } from '#libs/kernel';
import { contractTypes, noted } from '#libs/kernel/testing';
import { eventually } from '../support/eventually.js';
import type { Fate } from './server/node.js';
import { append, on, once, unavailable } from './stores-on.js';
import { describeWithControl, withWireServer } from './target.js';

/** What goes wrong with appends of this client, and what the store makes of it; docs/stores.md has the list. */
describeWithControl('An append to the store in EventStoreDB', () => {
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
    'says 413 to what a newer server refuses by a name that the client does not know',
    on(async ({ node }, open) => {
      const store = await open();
      node.judge(once('Append', 'event too large'));
      await expect(append(store)).rejects.toMatchObject({ refusal: { kind: 'too_large', code: 'event/too-large' } });
    }),
  );
});
