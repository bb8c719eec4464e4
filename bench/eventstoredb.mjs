import { EventStoreDBClient } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { ensureBuilt } from '../scripts/prepare.mjs';
import { startWireServer } from './wire-server.mjs';

// npm run bench:eventstoredb: what the EventStoreDB client and its adapter cost, beside the store in PostgreSQL. Its server is the one of
// the tests, in memory and without a disk, so the figures are about this side of the wire: read the ratios, which are of
// one run, each the median of rounds that take turns. PostgreSQL writes to disk, as it does in production.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const APPENDS = Number(process.env.BENCH_APPENDS ?? 1_500);
const WRITERS = [1, 8, 32];
const PAGE = 1_000;

await ensureBuilt();
const { openEventStoreDB, openPostgresEventStore } = await import('../dist/libs/event-store/src/index.js');
const { EventTypes } = await import('../dist/libs/kernel/src/index.js');
const { connectionsFrom, migrate, openDatabase, startEmbedded } = await import('../dist/libs/postgres/src/index.js');

const types = new EventTypes({ Ordered: { version: 1 } });
const meta = {
  tenantId: randomUUID(),
  workspaceId: randomUUID(),
  actor: { id: randomUUID(), kind: 'agent' },
  credentialId: randomUUID(),
  auditId: randomUUID(),
  commandId: randomUUID(),
  requestDigest: 'a'.repeat(64),
  correlationId: randomUUID(),
  causationId: randomUUID(),
};
const ordered = () => ({
  type: 'Ordered',
  id: randomUUID(),
  data: { customer: 'Ada Lovelace', total: '129.95', note: 'x'.repeat(250) },
  meta,
});

const directory = mkdtempSync(path.join(os.tmpdir(), 'workbench-bench-'));
chmodSync(directory, 0o755);
const [wire, aside] = [await startWireServer(), await startWireServer('aside')];
const embedded = await startEmbedded({ dataDir: directory });
const urls = connectionsFrom(embedded.connection);
await migrate(urls);
const database = await openDatabase(urls);
const postgres = await openPostgresEventStore(database, types);
const eventStoreDB = await openEventStoreDB(wire.url, types);
// On a server of its own: the store would have to read past what it writes.
const client = EventStoreDBClient.connectionString(aside.url);
const plain = ({ id, type, data, meta: metadata }) => ({ id, type, contentType: 'application/json', data, metadata });
const alone = (options) => (stream, events, expected) =>
  client.appendToStream(stream, events.map(plain), { expectedRevision: expected < 0n ? 'no_stream' : expected, ...options });

const appenders = {
  'PostgreSQL store': (...wish) => postgres.append(...wish),
  'EventStoreDB store': (...wish) => eventStoreDB.append(...wish),
  'client alone, a call an append': alone({ credentials: { username: 'bench', password: 'bench' } }),
  'client alone, its batches': alone({}),
};
const appendRate = async (append, writers) => {
  const began = performance.now();
  let left = APPENDS;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const stream = `order-${randomUUID()}`;
      for (let expected = -1n; left-- > 0; expected++) await append(stream, [ordered()], expected);
    }),
  );
  return (APPENDS * 1_000) / (performance.now() - began);
};
const readRate = async (store) => {
  const began = performance.now();
  let count = 0;
  for (let after; ;) {
    const page = await store.readAll(after, PAGE);
    count += page.events.length;
    if (page.position === after) return (count * 1_000) / (performance.now() - began);
    after = page.position;
  }
};
/** Milliseconds from an append until a listener has read it. */
const wakeUp = async (store) => {
  const bell = store.changes(AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
  let after = (await store.append(`order-${randomUUID()}`, [ordered()], -1n)).position;
  const took = [];
  for (let times = 0; times < 100; times++) {
    const began = performance.now();
    const { position } = await store.append(`order-${randomUUID()}`, [ordered()], -1n);
    while (store.compare(after, position) < 0) {
      await bell.next();
      after = (await store.readAll(after, PAGE)).position;
    }
    took.push(performance.now() - began);
  }
  return median(took);
};

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rows = [];
const compete = async (name, contestants, better, measure) => {
  const measured = Object.fromEntries(Object.keys(contestants).map((key) => [key, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [key, contestant] of Object.entries(contestants)) measured[key].push(await measure(contestant));
  const medians = Object.fromEntries(Object.entries(measured).map(([key, values]) => [key, median(values)]));
  rows.push({ name, better, medians });
};

try {
  for (const append of Object.values(appenders)) await appendRate(append, 8);
  for (const writers of WRITERS)
    await compete(`append one event, ${writers} writer${writers > 1 ? 's' : ''} (1/s)`, appenders, 'more', (append) =>
      appendRate(append, writers),
    );
  const stores = { 'PostgreSQL store': postgres, 'EventStoreDB store': eventStoreDB };
  await compete('read all, pages of 1,000 (events/s)', stores, 'more', readRate);
  await compete('append until a listener has read it (ms)', stores, 'less', wakeUp);
} finally {
  postgres.close();
  await eventStoreDB.close();
  await client.dispose();
  await database.close();
  await embedded.stop();
  wire.stop();
  aside.stop();
  rmSync(directory, { recursive: true, force: true });
}

if (process.argv.includes('--json')) console.log(JSON.stringify(rows));
else
  for (const { name, medians } of rows) {
    console.log(name);
    const base = medians['PostgreSQL store'];
    for (const [key, value] of Object.entries(medians))
      console.log(`  ${key.padEnd(32)} ${value.toFixed(value < 100 ? 2 : 0).padStart(8)}   ${(value / base).toFixed(2)} of PostgreSQL`);
  }
process.exit(0);
