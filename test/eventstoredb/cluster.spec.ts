import { newId, NO_STREAM } from '#libs/kernel';
import { eventually } from '../support/eventually.js';
import { append, on } from './stores-on.js';
import { describeWithControl } from './target.js';

describeWithControl('The store in EventStoreDB, on a cluster', () => {
  it(
    'follows the leader, and reads from it what it wrote',
    on(async (server, open) => {
      const store = await open();
      const stream = `note-${newId()}`;
      let revision = NO_STREAM;
      for (let times = 0; times < 6; times++) {
        server.elect(times % 3);
        ({ revision } = await append(store, stream, revision));
        expect((await store.readStream(stream)).revision).toBe(revision);
      }
      expect(revision).toBe(5n);
    }, 3),
  );

  it(
    'waits while there is none, with appends under way, and the process lives',
    on(async (server, open) => {
      const store = await open();
      const streams = Array.from({ length: 30 }, () => `note-${newId()}`);
      const before = server.log.all.length;
      const appends = streams.map((stream) => append(store, stream));
      server.elect(undefined);
      const late = streams.map((stream) => store.readStream(stream));
      await eventually(() => [...server.nodes].some((node) => (node.calls.get('ReadStream') ?? 0) > 2));
      server.nodes[0]!.goDown();
      server.elect(2);
      await Promise.all([...appends, ...late]);
      expect(server.log.all.length).toBe(before + 30);
      await server.nodes[0]!.comeUp();
    }, 3),
  );

  it(
    'goes on with another node when the leader is gone',
    on(async (server, open) => {
      const store = await open();
      const stream = `note-${newId()}`;
      await append(store, stream);
      server.nodes[0]!.goDown();
      server.elect(1);
      expect(await append(store, stream, 0n)).toMatchObject({ revision: 1n });
      expect((await store.readStream(stream)).events).toHaveLength(2);
    }, 3),
  );
});
