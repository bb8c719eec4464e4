import { setTimeout as pause } from 'node:timers/promises';

// node queue.mjs pg-boss|graphile-worker <connection as JSON>: a job queue in a process of its own. It is told `{fill: {to, payload}}`,
// to have so many jobs waiting, and `{drain: {agents, jobs, output}}`, and answers jobs a second. Both take one job a call, without a local
// queue or batched completion, on as many connections as agents.
const [, , name, connection] = process.argv;
const { openQueue } = await import(`./${name}.mjs`);
const queue = await openQueue(JSON.parse(connection));

process.on('message', async ({ fill, drain }) => {
  if (fill) process.send(await queue.fill(fill));
  if (drain) process.send(await queue.drain(drain));
});
process.on('disconnect', async () => {
  // What does not end by itself within a second has nothing left to lose.
  await Promise.race([queue.close(), pause(1_000)]);
  process.exit(0);
});
process.send('ready');
