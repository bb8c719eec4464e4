import { atMost, compete, median, ratioRow } from './harness.mjs';
import { copyCards, queueTasks, WORK } from './load.mjs';
import { createWorkItem, propose, startApi } from './product.mjs';
import { openQueue } from './queue.mjs';
import { query, startCluster, withServer } from './servers.mjs';

const SMALL = 1_000;
const BAR = atMost(1.3, '×');

/**
 * `size`: reading a card, the head of the queue, and a claim, with 1,000, 100,000 (and by `--tasks` more) tasks and pending cards in the same
 * server, each against itself with 1,000. Two servers of one cluster take turns, so that both sizes meet the same minute.
 */
export const run = ({ rounds, quick, tasks, say }) =>
  withServer(startCluster, async (cluster) => {
    const small = await sized(cluster, SMALL, say);
    const rows = [];
    try {
      for (const size of quick ? [tasks ?? 5_000] : [...new Set([100_000, tasks ?? 100_000])]) {
        const large = await sized(cluster, size, say);
        try {
          const times = quick ? 50 : 200;
          for (const [what, measure] of Object.entries(MEASURES)) {
            const contestants = {
              [`${SMALL.toLocaleString('en-US')} tasks`]: () => typical(times, small, measure),
              [`${size.toLocaleString('en-US')} tasks`]: () => typical(times, large, measure),
            };
            for (const warm of Object.values(contestants)) await warm();
            const values = await compete(contestants, rounds, (line) => say(`${what}, ${line}`));
            const [against, ours] = Object.keys(contestants);
            rows.push(ratioRow({ what: `${what}, ${ours}`, unit: 'ms', values, ours, against, bar: BAR }));
          }
        } finally {
          await large.stop();
        }
      }
    } finally {
      await small.stop();
    }
    return rows;
  });

const MEASURES = {
  'read a card': ({ cast, card }) => timed(() => cast.approver.get(`/api/confirmations/${card}`)),
  'list what waits': ({ cast }) => timed(() => cast.approver.get('/api/confirmations?status=pending')),
  'read the queue': ({ cast }) => timed(() => cast.operator.get('/api/queue?queue=code')),
  claim: async ({ cast }) => {
    let claimed;
    const took = await timed(async () => (claimed = await cast.implementer.post('/api/leases')));
    await cast.operator.post(`/api/tasks/${claimed.id}/cancel`, { reason: 'The bench has seen it.' });
    return took;
  },
};

/** A server with so many tasks queued and so many cards pending. */
const sized = async (cluster, size, say) => {
  const server = await startApi(await cluster.product(`workbench_${size}`));
  const { projector, settle, fill } = openQueue(server);
  const recordId = await createWorkItem(server.cast, 'Mend it');
  const { confirmationId } = await propose(server.cast, 'work.dispatch', { recordId, work: WORK });
  const { rows } = await projector.query(`select data, meta from es.events where stream = $1`, [`proposal-${confirmationId}`]);
  const began = performance.now();
  const events = (await queueTasks(projector, size)) + (await copyCards(projector, rows[0], size));
  await projector.query(`select pg_notify('events', 'bench')`);
  await settle();
  await query({ ...cluster.connection, database: `workbench_${size}` }, 'vacuum analyze');
  say(`${size} tasks and cards loaded: ${events} events in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return { ...server, card: confirmationId, fill: () => fill(size) };
};

/** With as many tasks waiting as the server is to have: claims take some away. */
const typical = async (times, server, measure) => {
  await server.fill();
  const all = [];
  for (let nth = 0; nth < times; nth++) all.push(await measure(server));
  return median(all);
};
const timed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
