import { clearInterval, setInterval } from 'node:timers';
import { atLeast, atMost, compete, figureRow, ratioRow } from './harness.mjs';
import { queueTasks } from './load.mjs';
import { openQueue } from './queue.mjs';
import { readAll, timed } from './read.mjs';
import { query, startCluster, startProduct, withServer } from './servers.mjs';

const { EventStore } = await import('../dist/libs/kernel/src/index.js');
const { Rebuild } = await import('../dist/libs/projections/src/index.js');

/** Four times the events may take this much more memory: what is not flat would take four times as much. */
const FLAT = 1.3;

/**
 * `rebuild`: all read models of the running application anew from all events, against reading those events; and the most memory that a
 * rebuild takes with a quarter of the events and with all.
 */
export const run = ({ rounds, quick, say }) =>
  withServer(startCluster, (cluster) =>
    withServer(
      async () => startProduct(await cluster.product()),
      async (server) => {
        const [store, rebuild] = [EventStore, Rebuild].map((token) => server.app.get(token, { strict: false }));
        const { projector, settle } = openQueue(server);
        const fill = async (tasks) => {
          await queueTasks(projector, tasks, 10);
          await settle();
          await query(cluster.connection, 'vacuum analyze es.events');
          return (await projector.query('select count(*)::int as count from es.events')).rows[0].count;
        };
        const rebuilt = () => rebuild.rebuildAll().then(({ events }) => events);

        const quarter = quick ? 500 : 8_000;
        await fill(quarter);
        await rebuilt(); // once for nothing: code is compiled, caches are warm
        const least = await highest(rebuilt, rounds);
        const events = await fill(3 * quarter);
        const most = await highest(rebuilt, rounds);

        const contestants = { rebuild: () => timed(events, rebuilt), reading: () => timed(events, () => readAll(store)) };
        const values = await compete(contestants, rounds, say);
        const what = `projection rebuild, ${events.toLocaleString('en-US')} events`;
        const memory = { 'of a quarter': least, 'of all': most, growth: most.map((each, round) => each / least[round]) };
        return [
          ratioRow({ what, unit: 'events/s', values, ours: 'rebuild', against: 'reading', bar: atLeast(0.7) }),
          figureRow({
            what: 'most memory while rebuilding: all events ÷ a quarter of them',
            unit: '(MB of heap and buffers)',
            values: memory,
            of: 'growth',
            bar: atMost(FLAT),
          }),
        ];
      },
    ),
  );

/** The most heap and buffers that were in use during each of some runs, in MB. */
const highest = async (work, rounds) => {
  const peaks = [];
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    let peak = 0;
    const look = setInterval(() => {
      const { heapUsed, external } = process.memoryUsage();
      peak = Math.max(peak, (heapUsed + external) / 2 ** 20);
    }, 5);
    await work();
    clearInterval(look);
    peaks.push(peak);
  }
  return peaks;
};
