import { above, compete, noteRow, ratioRow } from './harness.mjs';
import { REPORT, taskQueued } from './load.mjs';
import { ensurePeers, startPeer, versionOf } from './peers.mjs';
import { openQueue } from './queue.mjs';
import { query, startCluster, startProduct, withServer } from './servers.mjs';

const { newId } = await import('../dist/libs/kernel/src/index.js');

const AGENTS = [1, 8, 32];

/**
 * `claim`: claim and complete with 10,000 tasks waiting. Ours: the real application with its projections, reactors and deadlines running,
 * by the path of a request behind its route: `Claiming.claim`, then `ReportWork` over the command bus, both durable when they answer.
 */
export const run = ({ rounds, quick, say }) =>
  withServer(startCluster, async (cluster) => {
    ensurePeers();
    const queued = quick ? 1_000 : 10_000;
    const jobsOf = (agents) => (quick ? 200 : agents === 1 ? 1_000 : 4_000);
    const peers = {};
    for (const name of ['pg-boss', 'graphile-worker'])
      peers[`${name} ${versionOf(name)}`] = await startPeer(
        'queue.mjs',
        name,
        JSON.stringify(await cluster.database(name.replace('-', '_'))),
      );
    const server = await startProduct(await cluster.product());
    try {
      const ours = openQueue(server);
      const rows = [];
      for (const agents of AGENTS) {
        const jobs = jobsOf(agents);
        const settled = [];
        const contestants = {
          workbench: async () => {
            await ours.fill(queued);
            await checkpoint(cluster);
            const rate = await ours.drain(agents, jobs);
            settled.push(await ours.settle());
            return rate;
          },
        };
        for (const [name, peer] of Object.entries(peers))
          contestants[name] = async () => {
            await peer.ask({ fill: { to: queued, payload: taskQueued(newId(), new Date().toISOString()).data } });
            await checkpoint(cluster);
            return peer.ask({ drain: { agents, jobs, output: REPORT } });
          };
        const values = await compete(contestants, rounds, (line) => say(`${agents} agents, ${line}`));
        const what = `claim + complete, ${queued.toLocaleString('en-US')} queued, ${agents} agent${agents > 1 ? 's' : ''}`;
        for (const against of Object.keys(peers))
          rows.push(ratioRow({ what, unit: 'tasks/s', values, ours: 'workbench', against, bar: above(1) }));
        rows.push(noteRow({ what: `${what}: read models complete after the last task`, unit: 'ms', values: { workbench: settled } }));
      }
      return rows;
    } finally {
      await server.stop();
      for (const peer of Object.values(peers)) await peer.stop();
    }
  });

/** Nobody pays for the pages that another one left dirty. */
const checkpoint = (cluster) => query(cluster.connection, 'checkpoint');
