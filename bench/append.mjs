import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { atLeast, compete, ratioRow } from './harness.mjs';
import { ids, metaOf, PEOPLE, taskQueued, types } from './load.mjs';
import { openStore, query, startCluster, withServer } from './servers.mjs';

const BARS = { 1: 0.7, 8: 0.9, 32: 1, 128: 1.5 };
const APPENDS = { 1: 1_500, 8: 5_000, 32: 10_000, 128: 20_000 };
/** More connections than this make a plain INSERT slower and not faster. */
const MOST_CONNECTIONS = 32;

/**
 * `append`: one event an append, each writer in a stream of its own, against a plain INSERT of the same rows into a table with the same
 * columns and indexes, each a transaction of its own. The INSERT has a prepared statement and a connection for each writer (32 at most);
 * the store has its usual two.
 */
export const run = ({ rounds, quick, say }) =>
  withServer(startCluster, async (cluster) => {
    const { store, close } = await openStore(cluster, types);
    await query(
      cluster.connection,
      `create table plain_events (like es.events including all); create sequence plain_positions; grant all on plain_events, plain_positions to public`,
    );
    try {
      const rows = [];
      for (const [writers, bar] of Object.entries(BARS).map(([key, value]) => [Number(key), value])) {
        const appends = quick ? 300 : APPENDS[writers];
        const pool = new pg.Pool({ ...cluster.connection, max: Math.min(writers, MOST_CONNECTIONS) });
        await Promise.all(Array.from({ length: pool.options.max }, () => pool.query('select 1')));
        const contestants = {
          'event store': () => rate(writers, appends, (stream, event, revision) => store.append(stream, [event], revision - 1n)),
          'plain INSERT': () => rate(writers, appends, (stream, event, revision) => insert(pool, stream, event, revision)),
        };
        for (const measure of Object.values(contestants)) await measure();
        const values = await compete(turns(cluster, contestants), rounds, (line) => say(`${writers} writers, ${line}`));
        const what = `append one event, ${writers} writer${writers > 1 ? 's' : ''}`;
        rows.push(ratioRow({ what, unit: 'events/s', values, ours: 'event store', against: 'plain INSERT', bar: atLeast(bar) }));
        await pool.end();
      }
      return rows;
    } finally {
      await close();
    }
  });

/** Nobody pays for the pages that another one left dirty. */
const turns = (cluster, contestants) =>
  Object.fromEntries(
    Object.entries(contestants).map(([name, measure]) => [
      name,
      async () => {
        await query(cluster.connection, 'checkpoint');
        return measure();
      },
    ]),
  );

const rate = async (writers, appends, append) => {
  const nextId = ids();
  const at = new Date().toISOString();
  let left = appends;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const stream = `task-${randomUUID()}`;
      for (let revision = 0n; left-- > 0; revision++) {
        const id = nextId();
        await append(stream, { id, ...taskQueued(id, at), meta: metaOf(id, AUTHOR) }, revision);
      }
    }),
  );
  return (appends * 1_000) / (performance.now() - began);
};
const AUTHOR = { id: PEOPLE.ida, kind: 'agent' };

/** The columns that the store writes, and bytes as many: where it puts a digest of the content, here stands a constant. */
const insert = (pool, stream, { id, type, data, meta }, revision) =>
  pool.query({
    name: 'plain',
    text: `insert into plain_events (position, stream, revision, event_id, type, data, meta) values (nextval('plain_positions'), $1, $2, $3, $4, $5, $6)`,
    values: [
      stream,
      revision.toString(),
      id,
      type,
      JSON.stringify(data),
      JSON.stringify({ ...meta, schemaVersion: 1, contentHash: DIGEST }),
    ],
  });
const DIGEST = 'f'.repeat(64);
