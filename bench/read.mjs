import pg from 'pg';
import { atLeast, compete, ratioRow } from './harness.mjs';
import { queueTasks, types } from './load.mjs';
import { openStore, query, startCluster, withServer } from './servers.mjs';

const PAGE = 1_000;

/**
 * `read`: all events through the store, in pages and with each decoded, against one SELECT of the same rows over the driver, which parses the
 * JSON as well.
 */
export const run = ({ rounds, quick, say }) =>
  withServer(startCluster, async (cluster) => {
    const { database, store, close } = await openStore(cluster, types);
    const client = new pg.Client(cluster.connection);
    await client.connect();
    try {
      const events = await queueTasks(database.projector, quick ? 5_000 : 100_000);
      await query(cluster.connection, 'vacuum analyze es.events');
      const contestants = {
        'event store': () => timed(events, () => readAll(store)),
        'one SELECT': () => timed(events, async () => (await client.query('select * from es.events order by position')).rowCount),
      };
      for (const measure of Object.values(contestants)) await measure();
      const values = await compete(contestants, rounds, say);
      const what = `read all, ${events.toLocaleString('en-US')} events`;
      return [ratioRow({ what, unit: 'events/s', values, ours: 'event store', against: 'one SELECT', bar: atLeast(0.9) })];
    } finally {
      await client.end();
      await close();
    }
  });

/** How many events the store holds, read page by page. */
export const readAll = async (store) => {
  let count = 0;
  for (let after; ;) {
    const { events, position } = await store.readAll(after, PAGE);
    count += events.length;
    if (position === after) return count;
    after = position;
  }
};

/** Events a second; `read` answers how many it saw. */
export const timed = async (events, read) => {
  globalThis.gc?.();
  const began = performance.now();
  const seen = await read();
  if (seen !== events) throw new Error(`${seen} events were read and ${events} are there.`);
  return (events * 1_000) / (performance.now() - began);
};
