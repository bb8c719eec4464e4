import { randomUUID } from 'node:crypto';
import { ErrorType, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { Connection } from './connection.js';
import { readStream, typeOf } from './reading.js';

/** Holds one event, the first one, which names the database; it is restored with the rest of it. */
const STREAM = 'workbench-store';

/** The name of the database behind the connection; the first server gives it one, and whoever comes with it finds that one. */
export async function claimStoreId(connection: Connection): Promise<string> {
  const given = await findName(connection);
  if (given !== undefined) return given;
  await giveName(connection);
  const found = await findName(connection);
  if (found === undefined) throw new Error(TRUNCATED);
  return found;
}

const TRUNCATED = `Stream ${STREAM}, which names the database, was truncated or limited outside of Workbench ($tb, $maxAge, $maxCount). Take that out of its metadata, or restore a backup.`;

const findName = async (connection: Connection): Promise<string | undefined> =>
  ((await readStream(connection, STREAM, 0n, 1))[0]?.event.data as { storeId: string } | undefined)?.storeId;

/** Nothing where somebody was first. */
const giveName = async (connection: Connection): Promise<void> => {
  const named = jsonEvent({ id: randomUUID(), type: 'StoreNamed', data: { storeId: randomUUID() } });
  try {
    await connection.run('outcome', ({ client, ms }) =>
      client.appendToStream(STREAM, named, { expectedRevision: NO_STREAM, requiresLeader: true, deadline: ms }),
    );
  } catch (error) {
    if (typeOf(error) !== ErrorType.WRONG_EXPECTED_VERSION) throw error;
  }
};
