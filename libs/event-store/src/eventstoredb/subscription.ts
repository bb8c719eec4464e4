import { setTimeout as pause } from 'node:timers/promises';
import { END, excludeSystemEvents } from '@eventstore/db-client';
import type { Connection } from './connection.js';

const FIRST_PAUSE = 50;
const LAST_PAUSE = 5_000;

/**
 * Rings for whatever is appended by anyone, until the signal aborts. A subscription that ends, for whatever reason, has ended for good: the
 * client makes no new one. A ring follows each new one, since something may have been appended in between.
 */
export async function follow(connection: Connection, ring: () => void, signal: AbortSignal): Promise<void> {
  for (let wait = FIRST_PAUSE; !signal.aborted; wait = Math.min(wait * 2, LAST_PAUSE)) {
    await subscribe(
      connection,
      () => {
        wait = FIRST_PAUSE;
        ring();
      },
      signal,
    );
    await pause(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

/** One subscription, for as long as it lives. What it brings is not looked at: its buffer runs ahead of whoever works on events. */
const subscribe = async ({ client }: Connection, ring: () => void, signal: AbortSignal): Promise<void> => {
  const subscription = client.subscribeToAll({ fromPosition: END, filter: excludeSystemEvents(), requiresLeader: true });
  const over = new AbortController();
  try {
    await new Promise<void>((resolve) => {
      subscription.on('confirmation', ring);
      subscription.on('data', ring);
      // Not once: without a listener, an error ends the process.
      subscription.on('error', () => resolve());
      subscription.on('close', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal });
    });
  } finally {
    // The signal outlives the subscription: it would hold on to each one that there ever was.
    over.abort();
    // Otherwise the server goes on sending. It still flows until its end: the client holds on to a call whose end it doesn't see.
    await subscription.unsubscribe().catch(() => undefined);
  }
};
