import { clearInterval, setInterval } from 'node:timers';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/prepare.mjs';
import { median, quantile, show } from './harness.mjs';
import { callsTo } from './soak/http.mjs';
import { startProduct } from './soak/product.mjs';
import { openStreams } from './soak/streams.mjs';
import { castOf, trip } from './soak/trip.mjs';

// npm run soak -- [--minutes 10] [--rate TRIPS_A_SECOND] [--streams 50]: the product in a process of its own, first under as many round trips as it
// takes (half a minute), then under half as many, with live streams open, and whether memory and latency stay where they were.
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string' }, streams: { type: 'string', default: '50' } },
});
const [minutes, streamCount] = [Number(values.minutes), Number(values.streams)];
if (!(minutes > 0 && streamCount >= 0)) throw new Error('Write --minutes and --streams as numbers.');
const RAMP_MS = 30_000;
const WORKERS = 8;
const SAMPLE_MS = 10_000;
const RESULT = path.join(import.meta.dirname, 'SOAK.md');

await ensureBuilt();
const product = await startProduct();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void product.stop().finally(() => process.exit(1)));

const window = { command: [], read: [], refused: 0 };
const calls = callsTo(product.url, (kind, ms, status) => {
  window[kind].push(ms);
  if (status === 429 || status === 503) window.refused++;
});
let [trips, failed, nth] = [0, 0, 0];
const one = async (cast) => {
  try {
    await trip(cast, `Trip ${process.pid}.${nth++}`);
    trips++;
  } catch (error) {
    if (failed++ < 5) console.error(String(error.message).slice(0, 300));
  }
};

try {
  const cast = await castOf(product, calls);
  const renewal = setInterval(() => void cast.delegate().catch(() => undefined), 60_000);

  await Promise.all(Array.from({ length: 2 }, () => one(cast)));
  const began = performance.now();
  const upTo = async (until) => {
    while (performance.now() < until) await one(cast);
  };
  trips = 0;
  await Promise.all(Array.from({ length: WORKERS }, () => upTo(began + RAMP_MS)));
  const highest = (trips * 1_000) / (performance.now() - began);
  const rate = values.rate ? Number(values.rate) : highest / 2;
  console.log(`Highest: ${show(highest)} round trips a second with ${WORKERS} at once. Going on at ${show(rate)} for ${minutes} min.`);

  const streams = await openStreams(product.url, cast.operator, streamCount);
  [trips, failed] = [0, 0];
  const samples = [];
  const disk = sizeOf(product.folder);
  const start = performance.now();
  const end = start + minutes * 60_000;
  const running = new Set();
  let next = start + SAMPLE_MS;
  take();
  for (let started = 0; performance.now() < end; started++) {
    // By the clock and not by the answers: a server that slows down gets no rest for it, up to a bound.
    await pause(Math.max(0, start + (started * 1_000) / rate - performance.now()));
    while (running.size >= WORKERS * 8) await Promise.race(running);
    const going = one(cast).finally(() => running.delete(going));
    running.add(going);
    if (performance.now() >= next) {
      next += SAMPLE_MS;
      samples.push({ at: (performance.now() - start) / 1_000, ...(await look()), ...take() });
      const { rss, commandP99 } = samples.at(-1);
      console.log(`${show(samples.at(-1).at)} s  server ${show(rss)} MB  commands p99 ${show(commandP99)} ms  trips ${trips}`);
    }
  }
  await Promise.all(running);
  clearInterval(renewal);
  const grown = (sizeOf(product.folder) - disk) / trips / 1_024;
  writeFileSync(RESULT, page({ highest, rate, samples, grown, streams }));
  console.log(readFileSync(RESULT, 'utf8'));
  streams.close();
} finally {
  calls.close();
  await product.stop();
}
process.exit(0);

/** What the last window saw, which then begins anew. */
function take() {
  const { command, read, refused } = window;
  Object.assign(window, { command: [], read: [], refused: 0 });
  const at = (all, share) => (all.length ? quantile(all, share) : Number.NaN);
  return {
    commandP50: at(command, 0.5),
    commandP99: at(command, 0.99),
    readP50: at(read, 0.5),
    readP99: at(read, 0.99),
    answers: command.length + read.length,
    refused,
  };
}

/** Memory of the server and of all processes of its PostgreSQL (without the pages they share), and what /metrics says. */
async function look() {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  const metric = (name) =>
    Math.max(...[...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value)));
  const backends = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && (Number(pid) === product.postmaster || parentOf(pid) === product.postmaster),
  );
  return {
    rss: pagesOf(product.pid, 1) / 256,
    heap: metric('nodejs_heap_size_used_bytes') / 2 ** 20,
    postgres: backends.reduce((sum, pid) => sum + pagesOf(pid, 1) - pagesOf(pid, 2), 0) / 256,
    backends: backends.length,
    late: metric('nodejs_eventloop_lag_p99_seconds') * 1_000,
    lag: metric('workbench_projection_lag_events'),
  };
}
function pagesOf(pid, field) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[field]);
  } catch {
    return 0; // it has ended meanwhile
  }
}
function parentOf(pid) {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce((sum, entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return entry.isFile() && existsSync(file) ? sum + readFileSync(file).length : sum;
  }, 0);
}

function page({ highest, rate, samples, grown, streams }) {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const line = (what, of, unit) => {
    const [a, b] = [first, last].map((part) => of(part));
    return `| ${what} | ${show(a)} ${unit} | ${show(b)} ${unit} | ${show(b / a)} |`;
  };
  const least = (key) => (part) => Math.min(...part.map((sample) => sample[key]));
  const middle = (key) => (part) => median(part.map((sample) => sample[key]));
  return `# What \`npm run soak\` saw

Generated. ${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}: ${trips} round trips in ${minutes} min at ${show(rate)} a second, half of the highest (${show(highest)}); ${failed} failed. ${streamCount} live streams
were open and heard ${streams.least()} to ${streams.most()} events each; ${streams.ended()} were ended by the server. ${samples.reduce((sum, { answers }) => sum + answers, 0)} answers, of them ${samples.reduce((sum, { refused }) => sum + refused, 0)} 429 or 503. A round trip took ${show(grown)} KB of disk.

| | first third | last third | last ÷ first |
|---|---|---|---|
${[
  line('server, resident, least of a window', least('rss'), 'MB'),
  line('server, heap, least of a window', least('heap'), 'MB'),
  line('PostgreSQL, without shared pages', middle('postgres'), 'MB'),
  line('PostgreSQL, processes', middle('backends'), ''),
  line('commands, p50', middle('commandP50'), 'ms'),
  line('commands, p99', middle('commandP99'), 'ms'),
  line('reads, p50', middle('readP50'), 'ms'),
  line('reads, p99', middle('readP99'), 'ms'),
  line('event loop late, p99', middle('late'), 'ms'),
].join('\n')}

Events that read models were behind, by sample: ${samples.map(({ lag }) => lag).join(', ')}.
`;
}
