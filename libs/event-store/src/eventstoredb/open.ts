import { setTimeout as pause } from 'node:timers/promises';
import type { EventTypes } from '#libs/kernel';
import { Connection, type ConnectionOptions } from './connection.js';
import { readConnectionString, seedOf, type ConnectionTarget } from './connection-string.js';
import { ConnectionFault } from './diagnose.js';
import { EventStoreDBEventStore } from './eventstoredb.event-store.js';
import { claimStoreId } from './store-id.js';

export type OpenOptions = ConnectionOptions &
  Readonly<{
    /** Where the connection string comes from, for what is said of it; EVENTSTORE_URL by default. */
    variable?: string;
    /** Milliseconds to wait for a server that is not there yet; none by default. */
    startWithin?: number;
    /** Told why it waits. */
    report?(message: string): void;
  }>;

/**
 * Opens the store that the connection string names, and gives it a name where it has none. Throws where that cannot be, saying what to
 * change; a server that is only not there yet is waited for.
 */
export async function openEventStoreDB(url: string, types: EventTypes, options: OpenOptions = {}): Promise<EventStoreDBEventStore> {
  const { variable = 'EVENTSTORE_URL', startWithin = 0, report } = options;
  const target = readConnectionString(url, variable);
  const until = performance.now() + startWithin;
  for (let told = ''; ;) {
    const connection = new Connection(target, options);
    try {
      return new EventStoreDBEventStore(connection, types, await claimStoreId(connection));
    } catch (error) {
      await connection.close();
      const fault = await faultOf(error, target);
      if (!fault) throw error;
      const message = `${variable}: ${fault.message}`;
      if (fault.isMistake || performance.now() >= until) throw new Error(message, { cause: error });
      if (told !== message) report?.((told = message));
      await pause(RETRY);
    }
  }
}

const RETRY = 500;

const faultOf = async (error: unknown, target: ConnectionTarget): Promise<ConnectionFault | undefined> => {
  const { cause } = error as { cause?: unknown };
  if (!(cause instanceof ConnectionFault)) return undefined;
  // Of a cluster that cannot be discovered the client doesn't say why.
  return (target.discovers && (await faultOfNode(seedOf(target)))) || cause;
};

/** What is wrong with the one node; undefined: it answers. */
const faultOfNode = async (seed: ConnectionTarget): Promise<ConnectionFault | undefined> => {
  const connection = new Connection(seed, { patience: 1_000, attempt: 1_000 });
  try {
    await claimStoreId(connection);
    return undefined;
  } catch (error) {
    return (error as { cause?: unknown }).cause as ConnectionFault;
  } finally {
    await connection.close();
  }
};
