import { PgBoss } from 'pg-boss';

const QUEUE = 'code';

/** Without supervision and schedules: they would only take time from it. */
const open = async (connection, max) => {
  const boss = new PgBoss({ ...connection, max, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  return boss;
};

export const openQueue = async (connection) => {
  const owner = await open(connection, 2);
  await owner.createQueue(QUEUE);
  let waiting = 0;
  return {
    async fill({ to, payload }) {
      for (; waiting < to; waiting += Math.min(1_000, to - waiting))
        await owner.insert(
          QUEUE,
          Array.from({ length: Math.min(1_000, to - waiting) }, () => ({ data: payload })),
        );
      return waiting;
    },
    async drain({ agents, jobs, output }) {
      const boss = await open(connection, agents);
      let left = jobs;
      const began = performance.now();
      await Promise.all(
        Array.from({ length: agents }, async () => {
          while (left-- > 0) {
            const [job] = await boss.fetch(QUEUE);
            await boss.complete(QUEUE, job.id, output);
          }
        }),
      );
      const rate = (jobs * 1_000) / (performance.now() - began);
      waiting -= jobs;
      await boss.stop({ graceful: false });
      return rate;
    },
    close: () => owner.stop({ graceful: false }),
  };
};
