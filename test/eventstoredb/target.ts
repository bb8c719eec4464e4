import { startWireServer, type WireOptions, type WireServer } from './server/server.js';

/** A real EventStoreDB to test against, `esdb://…`. Without it, a server that speaks its protocol is started here. */
const REAL = process.env['TEST_EVENTSTORE_URL'];

export type Target = Readonly<{ url: string; stop(): Promise<void> }>;

export const startTarget = (): Promise<Target> =>
  REAL === undefined ? startWireServer() : Promise.resolve({ url: REAL, stop: () => Promise.resolve() });

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
