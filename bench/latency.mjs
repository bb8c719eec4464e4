import pg from 'pg';
import { atMost, compete, median, noteRow, quantile, ratioRow } from './harness.mjs';
import { WORK } from './load.mjs';
import { createWorkItem, propose, startApi } from './product.mjs';
import { startCluster, withServer } from './servers.mjs';

/**
 * `latency`: what a person and an agent wait for, each over HTTP and from before the request until another request shows it: a proposal
 * until its card is in the list of what waits, an approval until a waiting claim has got its lease. Against one durable commit of one row.
 */
export const run = ({ rounds, quick, say }) =>
  withServer(startCluster, async (cluster) => {
    const server = await startApi(await cluster.product());
    const client = new pg.Client(cluster.connection);
    await client.connect();
    await client.query('create table plain_rows (id bigint generated always as identity primary key, data jsonb not null)');
    try {
      const { cast } = server;
      const times = quick ? 20 : 100;
      const contestants = {
        'propose → card visible': () => timesOf(times, () => visible(cast)),
        'approve → task claimable': () => timesOf(times, () => claimable(cast)),
        'one commit': () => timesOf(times * 3, () => timed(() => client.query('insert into plain_rows (data) values ($1)', [ROW]))),
        'one request': () => timesOf(times * 3, () => timed(() => cast.member.get('/api/me'))),
      };
      for (const measure of Object.values(contestants)) await measure();
      // A round is all of its times; its p50 and p99 are what is compared.
      const measured = await compete(contestants, rounds, () => undefined);
      const rows = [];
      for (const [name, of, bar] of [
        ['p50', median, atMost(4, '×')],
        ['p99', (all) => quantile(all, 0.99), atMost(12, '×')],
      ]) {
        const values = Object.fromEntries(Object.entries(measured).map(([key, all]) => [key, all.map(of)]));
        say(`${name} ${Object.entries(values).map(([key, each]) => `${key} ${median(each).toFixed(2)} ms`)}`);
        for (const what of ['propose → card visible', 'approve → task claimable'])
          rows.push(
            ratioRow({
              what: `${what}, ${name}`,
              unit: 'ms',
              values: { [what]: values[what], 'one commit': values['one commit'] },
              ours: what,
              against: 'one commit',
              bar,
            }),
          );
        rows.push(
          noteRow({ what: `a request that only reads who asks, ${name}`, unit: 'ms', values: { 'one request': values['one request'] } }),
        );
      }
      return rows;
    } finally {
      await client.end();
      await server.stop();
    }
  });

const ROW = JSON.stringify({ title: 'One row', body: 'x'.repeat(400) });

const timed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const timesOf = async (count, measure) => {
  const all = [];
  for (let nth = 0; nth < count; nth++) all.push(await measure());
  return all;
};

/** The list answers once it has got as far as the proposal. It is withdrawn then, so that the list stays short. */
const visible = async (cast) => {
  let proposed;
  const took = await timed(async () => {
    proposed = await propose(cast, 'record.create', { kind: 'work_item', fields: { title: 'Seen at once' } });
    const { items } = await cast.approver.get(`/api/confirmations?status=pending&waitFor=${proposed.position}`);
    if (!items.some(({ confirmationId }) => confirmationId === proposed.confirmationId)) throw new Error('The card is not in the list.');
  });
  await cast.eve.post(`/api/proposals/${proposed.proposalId}/withdraw`);
  return took;
};

/** An agent waits for work; it is cancelled once it has got it, so that the next one waits as well. */
const claimable = async (cast) => {
  const recordId = await createWorkItem(cast, 'Mend it');
  const { confirmationId } = await propose(cast, 'work.dispatch', { recordId, work: WORK });
  const card = `/api/confirmations/${confirmationId}`;
  const { confirmation_token } = await cast.approver.get(card);
  const waiting = cast.implementer.post('/api/leases', { waitMs: 30_000 });
  let claimed;
  const took = await timed(async () => {
    await cast.approver.post(`${card}/approve`, { confirmation_token });
    claimed = await waiting;
  });
  await cast.operator.post(`/api/tasks/${claimed.id}/cancel`, { reason: 'The bench has seen it.' });
  return took;
};
