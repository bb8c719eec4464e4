import { openEventStoreDB } from '#libs/event-store';
import { contractTypes } from '#libs/kernel/testing';
import { startWireServer, type WireOptions, type WireServer } from './server/server.js';

/** A real EventStoreDB to test against, `esdb://…`. Without it, a server that speaks its protocol is started here. */
const REAL = process.env['TEST_EVENTSTORE_URL'];

export type Target = Readonly<{ url: string; stop(): Promise<void> }>;

export const startTarget = (): Promise<Target> =>
  REAL === undefined ? startWireServer() : Promise.resolve({ url: REAL, stop: () => Promise.resolve() });

/**
 * A server for one product. All products have the same root tenant, so that two of them on one store would be one: a real server has to be
 * empty, which the test can see, but not bring about.
 */
export const startEmptyTarget = async (): Promise<Target> => {
  const target = await startTarget();
  if (REAL === undefined) return target;
  const store = await openEventStoreDB(REAL, contractTypes, { variable: 'TEST_EVENTSTORE_URL' });
  const { events } = await store.readAll(undefined, 1);
  await store.close();
  if (events.length > 0) throw new Error('TEST_EVENTSTORE_URL: this EventStoreDB holds events of Workbench already. Start an empty one.');
  return target;
};

/** Marks what starts product after product, each with an empty store of its own: one real server cannot be all of them. */
export const describeWithOwnStores: typeof describe = REAL === undefined ? describe : describe.skip;

/** Marks what needs the control side: no real server lets itself be treated like this. */
export const describeWithControl = REAL === undefined ? describe : describe.skip;

/**
 * Ends of what tests began. A test that runs out of time never comes to its own `finally`; what it leaves open would keep jest from
 * exiting for ever.
 */
export const unended = new Set<() => Promise<unknown>>();
afterAll(async () => {
  for (const end of [...unended]) await end();
  unended.clear();
});

/** A server with its control side, for one test; stopped after it. */
export const withWireServer = async (run: (server: WireServer) => Promise<void>, options: WireOptions = {}): Promise<void> => {
  const server = await startWireServer(options);
  unended.add(server.stop);
  try {
    await run(server);
  } finally {
    await server.stop();
    unended.delete(server.stop);
  }
};
