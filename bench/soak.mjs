import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { format, resolveConfig } from 'prettier';
import { ensureBuilt } from '../scripts/prepare.mjs';
import { quantile, show } from './harness.mjs';
import { loadOn } from './soak/load.mjs';
import { diskOf, look } from './soak/look.mjs';
import { optionsFrom } from './soak/options.mjs';
import { startProduct } from './soak/product.mjs';
import { compare, LEAST_MINUTES, pageOf, verdictOf } from './soak/report.mjs';
import { openStreams } from './soak/streams.mjs';

// npm run soak [-- --minutes N] [--rate N|half] [--streams N] [--seed N]: the product in a process of its own with live streams open, first under
// as many trips as it takes (at most 45 s), then under half as many, and whether memory and latency stay where they were.
//
// A trip is the whole way of one task over HTTP: a record and work on it, each proposed, read as a card and approved; then claim, renewal, artifact,
// report, the verifier's claim, artifact and verdict, shipping, and one look at the task. That is 15 requests, 3 of them reads. A claim waits until
// there is work and an approval until it is carried out, so their answers include what happens in the background. Only git is made up: there is no
// repository and no check is run, since that is work of the agents' machines and not of the server.
// Whoever asks runs on the same machine, and takes a good part of it: the rate is no figure to plan by.
const SAMPLE_MS = 10_000;
const WARM_MS = 5_000;
const PAGE = path.join(import.meta.dirname, 'SOAK.md');
const DATA = path.join(import.meta.dirname, 'soak.json');

const options = optionsFrom(process.argv.slice(2));
await ensureBuilt();
const say = (line) => console.log(`  ${line}`);

// A server that is told to end before it is up would leave its PostgreSQL behind: it is let start, and stopped then.
let product;
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    interrupted.abort();
    void product?.stop().finally(() => process.exit(1));
  });

const soak = async () => {
  const load = await loadOn(product, interrupted.signal);
  await load.rateWith(4, WARM_MS);
  const { streams, ...each } = await measuredStreams(load.cast.operator);

  const highest = options.rate === undefined ? await load.highest(say) : undefined;
  const rate = options.rate ?? highest / 2;
  say(`${show(rate)} trips a second for ${show(options.minutes)} min`);

  const disk = diskOf(product);
  await look(product); // the loop's delays count from the look before
  load.take();
  const { samples, stop } = sampling(load);
  await load.hold(rate, options.minutes * 60_000, options.seed);
  await stop();
  const sum = (key) => samples.reduce((total, sample) => total + sample[key], 0);
  const totals = { trips: sum('trips'), failed: sum('failed'), refused: sum('refused') };
  const diskPerTrip = (diskOf(product) - disk) / totals.trips / 1_024;
  const heard = { count: streams.count, least: streams.least(), most: streams.most(), ended: streams.ended() };

  const push = await spreadOfOneCard(load.cast, streams);
  streams.close();
  load.close();
  const lines = compare(samples);
  const verdict = verdictOf({ minutes: options.minutes, lines, ...totals, ended: heard.ended });
  return { ...about(), ...options, rate, highest, ...totals, verdict, diskPerTrip, streams: { ...heard, ...each }, push, lines, samples };
};

/** Opened while nothing else is asked, on a server that has few cards and tasks to show: what a stream costs that is up to date. */
const measuredStreams = async (operator) => {
  const before = await look(product);
  const streams = await openStreams(product.url, operator, options.streams);
  const after = await look(product);
  const each = (key) => ((after[key] - before[key]) * 1_024) / options.streams;
  return { streams, rssEach: each('rss'), heapEach: each('heap') };
};

/** A look every ten seconds, with what the requests since the one before met. */
const sampling = (load) => {
  const began = performance.now();
  const samples = [];
  let last = began;
  const sample = async () => {
    const { command, read, ...counts } = load.take();
    const now = performance.now();
    const seconds = (now - last) / 1_000;
    last = now;
    const seen = {
      at: (now - began) / 1_000,
      ...(await look(product)),
      ...quantiles('command', command),
      ...quantiles('read', read),
      ...counts,
      tripsPerSecond: counts.trips / seconds,
      requestsPerSecond: (command.length + read.length) / seconds,
    };
    samples.push(seen);
    say(
      `${Math.round(seen.at)} s: server ${show(seen.rss)} MB, heap ${show(seen.heap)} MB; ${show(seen.tripsPerSecond)} trips/s; commands p50 ${show(seen['command.p50'])} p99 ${show(seen['command.p99'])} ms; reads p99 ${show(seen['read.p99'])} ms; loop ${show(seen.late)} ms late; ${seen.lagEvents} events behind`,
    );
  };
  let pending = Promise.resolve();
  const timer = setInterval(() => {
    pending = pending.then(sample);
    pending.catch(() => undefined); // `stop` tells it
  }, SAMPLE_MS);
  /** The rest counts too, as a sample of its own where it is long enough to tell anything. */
  const stop = async () => {
    clearInterval(timer);
    await pending;
    if (samples.length === 0 || performance.now() - last > SAMPLE_MS / 2) return sample();
    const { trips, failed, refused } = load.take();
    const end = samples.at(-1);
    Object.assign(end, { trips: end.trips + trips, failed: end.failed + failed, refused: end.refused + refused });
  };
  return { samples, stop };
};

const quantiles = (kind, values) =>
  Object.fromEntries([50, 95, 99].map((at) => [`${kind}.p${at}`, values.length ? quantile(values, at / 100) : Number.NaN]));

/** Milliseconds from sending a proposal until the first stream, half of them and the last have its card. */
const spreadOfOneCard = async ({ proposer }, streams) => {
  streams.watch('card');
  const sent = performance.now();
  const wish = { operation: 'record.create', arguments: { kind: 'work_item', fields: { title: 'For all to see' } }, reason: 'The push.' };
  const { confirmationId } = await proposer.post('/api/proposals', wish);
  const after = (await streams.arrivals(confirmationId)).map((time) => time - sent);
  const at = (share) => (after.length ? quantile(after, share) : Number.NaN);
  return { reached: after.length, first: at(0), median: at(0.5), last: at(1) };
};

const about = () => ({
  at: `${new Date().toISOString().slice(0, 16)}Z`,
  machine: `Node ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0].model.trim()}, load ${os.loadavg()[0].toFixed(1)} at the end`,
});

try {
  product = await startProduct();
  interrupted.signal.throwIfAborted();
  const run = await Promise.race([soak(), product.died]);
  writeFileSync(DATA, `${JSON.stringify(run, undefined, 2)}\n`);
  const page = await format(pageOf(run), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
  if (options.minutes >= LEAST_MINUTES) writeFileSync(PAGE, page); // a short trial replaces no result
  console.log(`\n${page}`);
} catch (error) {
  if (!interrupted.signal.aborted) console.error(error);
  process.exitCode = 1;
} finally {
  await product?.stop();
}
process.exit();
