import { above, compete, noteRow, ratioRow } from './harness.mjs';
import { PEOPLE, queueTasks, taskQueued } from './load.mjs';
import { ensurePeers, startPeer, versionOf } from './peers.mjs';
import { query, startCluster, startProduct, withServer } from './servers.mjs';

const { HandleTask } = await import('../dist/libs/work/src/index.js');
const { Claiming } = await import('../dist/libs/work/src/leases/claiming.js');
const { ROOT_TENANT_ID, ROOT_WORKSPACE_ID } = await import('../dist/libs/identity/src/index.js');
const { newId } = await import('../dist/libs/kernel/src/index.js');
const { Clock, Database } = await import('../dist/libs/postgres/src/index.js');
const { Positions } = await import('../dist/libs/projections/src/index.js');
const { CommandBus } = await import('@nestjs/cqrs');

const AGENTS = [1, 8, 32];
const OUTPUT_DIGEST = 'e'.repeat(64);

/** What an agent hands in; the queues of others keep it as the job's output where they keep one. */
const report = {
  revision: 'c'.repeat(40),
  artifacts: [{ path: 'src/greet.ts', mediaType: 'text/plain', size: 12, sha256: 'd'.repeat(64) }],
  changedPaths: [{ path: 'src/greet.ts', change: 'modified' }],
  evidence: ['0', '1'].map((check) => ({
    check,
    status: 'passed',
    exitCode: 0,
    outputSha256: OUTPUT_DIGEST,
    durationMs: 100,
    testsRun: 3,
  })),
  summary: 'It greets by name now.',
};

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
      const ours = workbench(server);
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
            return peer.ask({ drain: { agents, jobs, output: report } });
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

const workbench = ({ app }) => {
  const get = (token) => app.get(token, { strict: false });
  const { projector } = get(Database);
  const [bus, claiming, clock, positions] = [CommandBus, Claiming, Clock, Positions].map(get);
  const never = new AbortController().signal;

  /** Until the read models show all that is stored, in milliseconds. */
  const settle = async () => {
    const began = performance.now();
    const { rows } = await projector.query('select max(position)::text as position from es.events');
    await positions.waitFor(rows[0].position, 600_000);
    return performance.now() - began;
  };
  return {
    settle,
    async fill(to) {
      const { rows } = await projector.query(`select count(*)::int as waiting from read_models.tasks where status = 'queued'`);
      await queueTasks(projector, to - rows[0].waiting);
      await projector.query(`select pg_notify('events', 'bench')`);
      await settle();
    },
    async drain(agents, jobs) {
      let left = jobs;
      const began = performance.now();
      await Promise.all(
        Array.from({ length: agents }, async (_, nth) => {
          const actor = agentOf(nth);
          while (left-- > 0) {
            const granted = await claiming.claim(metaOf(actor, clock), {}, never);
            if (!granted) throw new Error('A claim found nothing, though tasks are queued.');
            const { fence } = granted.events[0].data;
            await bus.execute(new HandleTask(granted.id, { type: 'ReportWork', data: { fence, ...report }, meta: metaOf(actor, clock) }));
          }
        }),
      );
      return (jobs * 1_000) / (performance.now() - began);
    },
  };
};

const agentOf = (nth) => {
  const id = newId();
  return {
    id,
    kind: 'agent',
    name: `Ida ${nth}`,
    tenantId: ROOT_TENANT_ID,
    workspaceIds: [ROOT_WORKSPACE_ID],
    roles: ['implementer'],
    credentialId: newId(),
    accountableHuman: PEOPLE.ian,
    capabilities: ['code'],
    lineage: { accountableHuman: PEOPLE.ian, sessions: [] },
  };
};

/** As the edge makes it of a request. */
const metaOf = (actor, clock) => {
  const commandId = newId();
  return {
    tenantId: actor.tenantId,
    workspaceId: actor.workspaceIds[0],
    actor,
    at: clock.now(),
    commandId,
    requestDigest: OUTPUT_DIGEST,
    correlationId: commandId,
    causationId: commandId,
  };
};
