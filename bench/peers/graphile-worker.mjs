import { Logger, run, runMigrations } from 'graphile-worker';
import pg from 'pg';

const quiet = new Logger(() => () => undefined);

/** It wants somebody to hear of lost connections. */
const open = (connection, max) => {
  const pool = new pg.Pool({ ...connection, max });
  const report = (error) => console.error(error);
  pool.on('error', report).on('connect', (client) => client.on('error', report));
  return pool;
};

export const openQueue = async (connection) => {
  const pool = open(connection, 2);
  await runMigrations({ pgPool: pool, logger: quiet });
  const waiting = async () => (await pool.query('select count(*)::int as count from graphile_worker.jobs')).rows[0].count;
  return {
    async fill({ to, payload }) {
      await pool.query(`select graphile_worker.add_job('code', $2::json) from generate_series(1, $1)`, [
        to - (await waiting()),
        JSON.stringify(payload),
      ]);
      return to;
    },
    // A job counts once it has left the table: the worker tells of a job before it has completed it durably.
    async drain({ agents, jobs }) {
      const before = await waiting();
      const agentsPool = open(connection, agents + 1); // one more: it listens for new jobs
      let [told, began, enough] = [0];
      const drained = new Promise((resolve) => (enough = resolve));
      const runner = await run({
        pgPool: agentsPool,
        concurrency: agents,
        noHandleSignals: true,
        logger: quiet,
        taskList: { code: async () => undefined },
      });
      runner.events.on('job:start', () => (began ??= performance.now()));
      runner.events.on('job:complete', () => void (++told === jobs && enough()));
      await drained;
      await runner.stop();
      const took = performance.now() - began;
      await agentsPool.end();
      return ((before - (await waiting())) * 1_000) / took;
    },
    close: () => pool.end(),
  };
};
