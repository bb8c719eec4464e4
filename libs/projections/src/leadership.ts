import type { GuardedClient } from '#libs/postgres';
import { endsWithin, pause } from './pause.js';
import { reasonOf } from './failures.js';

/** Advisory lock of the one server that projects, reacts and keeps deadlines. It belongs to a session: no transaction pooler may sit between. */
export const LEADING = 7_240_000;

export type LeadershipOptions = Readonly<{
  connect(): Promise<GuardedClient>;
  report(message: string): void;
  /** Runs on the connection that holds the lock until the signal aborts; throwing gives the leadership up for a moment. */
  lead(client: GuardedClient, signal: AbortSignal): Promise<void>;
}>;

/**
 * Stands for leadership until the signal aborts. The lock lives and dies with one connection, and the leader writes on
 * that same connection: who has lost it cannot write, whether it knows or not.
 */
export const standForLeadership = async ({ connect, report, lead }: LeadershipOptions, signal: AbortSignal): Promise<void> => {
  for (let last = ''; !signal.aborted;) {
    try {
      await withConnection(connect, signal, async (client, connected) => {
        while (!connected.aborted && !(await tryLock(client))) await pause(STANDBY_MS, connected);
        if (connected.aborted) return;
        report('This server leads: it projects, reacts and keeps deadlines.');
        last = '';
        await lead(client, connected);
      });
    } catch (error) {
      if (!signal.aborted && reasonOf(error) !== last) report(`Leadership is lost or out of reach: ${(last = reasonOf(error))}`);
    }
    await pause(STANDBY_MS, signal);
  }
};

const STANDBY_MS = 1000;

const tryLock = async (client: GuardedClient): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LEADING]);
  return rows[0]!.taken;
};

// The signal that `work` gets aborts when the outer one does or when the connection is gone.
const withConnection = async (
  connect: LeadershipOptions['connect'],
  signal: AbortSignal,
  work: (client: GuardedClient, connected: AbortSignal) => Promise<void>,
): Promise<void> => {
  const client = await connect();
  const lost = new AbortController();
  const stop = () => lost.abort();
  client.on('error', stop);
  client.on('end', stop);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await work(client, lost.signal);
    if (!signal.aborted && lost.signal.aborted) throw new Error('The connection that held the lock is gone.');
  } finally {
    signal.removeEventListener('abort', stop);
    await endsWithin(client.end(), STANDBY_MS);
  }
};
