import { randomUUID } from 'node:crypto';
import { ErrorType, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { Connection } from './connection.js';
import { readStream, typeOf } from './reading.js';

/** Holds one event, the first one, which names the database; it is restored with the rest of it. */
const STREAM = 'workbench-store';

/** The name of the database behind the connection; the first server gives it one, and whoever comes with it finds that one. */
export async function claimStoreId(connection: Connection): Promise<string> {
  const [first] = await readStream(connection, STREAM, 0n, 1);
  if (first) return (first.event.data as { storeId: string }).storeId;
  const named = jsonEvent({ id: randomUUID(), type: 'StoreNamed', data: { storeId: randomUUID() } });
  try {
    await connection.run('outcome', ({ client, ms }) =>
      client.appendToStream(STREAM, named, { expectedRevision: NO_STREAM, requiresLeader: true, deadline: ms }),
    );
  } catch (error) {
    if (typeOf(error) !== ErrorType.WRONG_EXPECTED_VERSION) throw error;
  }
  return claimStoreId(connection);
}
