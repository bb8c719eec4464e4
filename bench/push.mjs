import { fork } from 'node:child_process';
import path from 'node:path';
import { atMost, figureRow, median, noteRow, quantile } from './harness.mjs';
import { propose, startApi } from './product.mjs';
import { startCluster, withServer } from './servers.mjs';

const PER_CREDENTIAL = 60;

/**
 * `push`: a proposal until its card has reached the one open stream, and until it has reached the last of 1,000. The streams are another
 * process's, so that receiving is not taken for sending. Memory is the server's own, before and after they were opened.
 */
export const run = ({ rounds, quick, say }) =>
  withServer(startCluster, async (cluster) => {
    const server = await startApi(await cluster.product());
    const listeners = fork(path.join(import.meta.dirname, 'listeners.mjs'), [server.url]);
    const ask = (message) =>
      new Promise((resolve, reject) => {
        listeners.once('message', resolve);
        listeners.once('exit', reject);
        listeners.send(message);
      });
    const open = async (count) => {
      const credentials = await Promise.all(
        Array.from({ length: Math.ceil(count / PER_CREDENTIAL) }, (_, nth) =>
          server.cast.operator.post('/api/credentials', { kind: 'human', name: `Watcher ${nth}`, roles: ['operator'] }),
        ),
      );
      await ask({ open: { count, each: PER_CREDENTIAL, credentials: credentials.map(({ credential }) => credential) } });
    };
    const heard = async (times) => {
      const all = [];
      for (let nth = 0; nth < times; nth++) {
        const began = Date.now();
        const at = performance.timeOrigin + performance.now();
        const { confirmationId, proposalId } = await propose(server.cast, 'record.create', {
          kind: 'work_item',
          fields: { title: `Heard of ${began}` },
        });
        const arrivals = await ask({ wait: confirmationId });
        all.push({ first: Math.min(...arrivals) - at, last: Math.max(...arrivals) - at });
        await server.cast.eve.post(`/api/proposals/${proposalId}/withdraw`);
      }
      return all;
    };
    try {
      const [count, times] = quick ? [100, 5] : [1_000, 20];
      await open(1);
      await heard(times);
      const one = [];
      for (let round = 0; round < rounds; round++) one.push(median((await heard(times)).map(({ last }) => last)));
      globalThis.gc?.();
      const before = process.memoryUsage();
      await open(count - 1);
      await heard(1);
      globalThis.gc?.();
      const after = process.memoryUsage();
      const [all, firsts] = [[], []];
      for (let round = 0; round < rounds; round++) {
        const each = await heard(times);
        all.push(median(each.map(({ last }) => last)));
        firsts.push(
          quantile(
            each.map(({ first }) => first),
            0.5,
          ),
        );
      }
      say(`one ${median(one).toFixed(1)} ms, the last of ${count} ${median(all).toFixed(1)} ms`);
      const ratios = all.map((each, round) => each / one[round]);
      const kilobytes = (kind) => [(after[kind] - before[kind]) / 1_024 / (count - 1)];
      return [
        figureRow({
          what: `push of a card to ${count.toLocaleString('en-US')} streams: the last ÷ the only one`,
          unit: '×',
          values: { 'the only one (ms)': one, 'the first (ms)': firsts, 'the last (ms)': all, ratio: ratios },
          of: 'ratio',
          bar: atMost(10, '×'),
        }),
        noteRow({ what: 'memory of an open stream', unit: 'KB', values: { resident: kilobytes('rss'), heap: kilobytes('heapUsed') } }),
      ];
    } finally {
      listeners.disconnect();
      await server.stop();
    }
  });
