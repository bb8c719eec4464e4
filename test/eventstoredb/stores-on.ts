import { openEventStoreDB, type EventStoreDBEventStore } from '#libs/event-store';
import { newId, NO_STREAM } from '#libs/kernel';
import { contractTypes, noted } from '#libs/kernel/testing';
import type { Fate, Rpc } from './server/node.js';
import type { WireServer } from './server/server.js';
import { unended, withWireServer } from './target.js';

type Options = Parameters<typeof openEventStoreDB>[2];

/** A server for one test, and stores on it that are closed in the end. */
export const on =
  (test: (server: WireServer, open: (options?: Options) => Promise<EventStoreDBEventStore>) => Promise<void>, nodes = 1) =>
  () =>
    withWireServer(
      async (server) => {
        const stores: EventStoreDBEventStore[] = [];
        const close = () => Promise.all(stores.map((store) => store.close()));
        unended.add(close);
        try {
          await test(server, async (options) => {
            const store = await openEventStoreDB(server.url, contractTypes, options);
            stores.push(store);
            return store;
          });
        } finally {
          await close();
          unended.delete(close);
        }
      },
      { nodes },
    );
export const append = (store: EventStoreDBEventStore, stream = `note-${newId()}`, expected = NO_STREAM, event = noted('a')) =>
  store.append(stream, [event], expected);

/** How a call is refused that the server does not answer. */
export const unavailable = { refusal: { kind: 'unavailable', code: 'event-store/unavailable' } };

/** The next call of this method meets this fate, the others pass. */
export const once = (method: Rpc['method'], fate: Fate) => {
  let left = 1;
  return (rpc: Rpc): Fate => (rpc.method === method && left-- > 0 ? fate : 'pass');
};
