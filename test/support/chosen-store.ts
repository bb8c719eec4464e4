import type { WireServer } from '../eventstoredb/server/server.js';

/** An EventStoreDB of its own for each caller, where WORKBENCH_STORE asks for one; undefined: PostgreSQL holds the events. */
export const startChosenStore = async (): Promise<WireServer | undefined> =>
  process.env['WORKBENCH_STORE'] === 'eventstoredb' ? (await import('../eventstoredb/server/server.js')).startWireServer() : undefined;
