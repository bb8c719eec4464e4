import { randomBytes } from 'node:crypto';

const { derivedId, digestOf, prepareAppend } = await import('../dist/libs/kernel/src/index.js');
const { ROOT_TENANT_ID, ROOT_WORKSPACE_ID } = await import('../dist/libs/identity/src/index.js');
const { allEventTypes } = await import('../dist/apps/server/src/contexts.js');

// Events as the product would have written them, of the demo tenant, written as fast as they can be: through the store's own
// encoding, many to a transaction. Only for a server that does nothing else meanwhile.

export const types = allEventTypes();
/** Ids of people and agents that the events name. */
export const PEOPLE = Object.fromEntries(['ann', 'mia', 'ian', 'eve', 'ida'].map((name) => [name, derivedId('bench', name)]));

/** Ids like the product's (version 7: by time), drawn faster. */
export const ids = () => {
  let counter = 0;
  const run = randomBytes(5).toString('hex');
  return () => {
    const time = Date.now().toString(16).padStart(12, '0');
    const low = (counter++).toString(16).padStart(8, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${low.slice(0, 3)}-8${low.slice(3, 6)}-${low.slice(6)}${run}`;
  };
};

/** What every event carries, for events by this author. */
export const metaOf = (commandId, actor, auditId = commandId) => ({
  tenantId: ROOT_TENANT_ID,
  workspaceId: ROOT_WORKSPACE_ID,
  actor,
  credentialId: actor.id,
  auditId,
  commandId,
  requestDigest: commandId.replaceAll('-', '').repeat(2),
  correlationId: commandId,
  causationId: commandId,
});

export const WORK = {
  repository: '/srv/repositories/demo',
  baseRevision: 'b'.repeat(40),
  paths: ['src', 'README.md'],
  commands: ['npm test'],
  checks: [
    ['npm', 'test'],
    ['npm', 'run', 'lint'],
  ],
  criteria: ['It greets by name.'],
};
const SCOPE_DIGEST = digestOf(WORK);
const BRIEF = 'Say hello to whoever is named, and goodbye to whoever leaves; keep the tests green.';

/** The task that an approved proposal became. */
export const taskQueued = (proposalId, at, over = {}) => ({
  type: 'TaskQueued',
  data: {
    proposalId,
    title: 'Greet by name',
    queue: 'code',
    brief: BRIEF,
    work: WORK,
    scopeDigest: SCOPE_DIGEST,
    actionDigest: 'a'.repeat(64),
    presentedDigest: 'a'.repeat(64),
    decidedBy: PEOPLE.ann,
    requester: PEOPLE.mia,
    agent: PEOPLE.eve,
    leaseMs: 900_000,
    at,
    ...over,
  },
});

const SYSTEM = { id: '00000000-0000-7000-8000-000000000000', kind: 'service' };
const BATCH = 2_000;

/** Writes streams, each `{stream, events: [{id, type, data, meta}]}` from its first event on, in the order given. Answers how many events. */
export const writeStreams = async (projector, streams) => {
  let written = 0;
  let batch = [];
  let storing = Promise.resolve();
  const flush = async () => {
    const rows = batch;
    batch = [];
    await storing; // one at a time, while the next is encoded
    storing = store(projector, rows);
    storing.catch(() => undefined);
    written += rows.length;
  };
  for (const { stream, events } of streams) {
    prepareAppend(types, stream, events, -1n).forEach((encoded, revision) => batch.push({ stream, revision, ...encoded }));
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  await storing;
  return written;
};

const store = async (projector, rows) => {
  const client = await projector.connect();
  try {
    // Before the first position is drawn, as es.watermark asks of whoever writes.
    await client.query('begin; select pg_current_xact_id()');
    await client.query(
      `insert into es.events (position, stream, revision, event_id, type, data, meta)
       select nextval('es.positions'), given.*
         from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::json[], $6::json[]) as given`,
      ['stream', 'revision', 'id', 'type', 'data', 'meta'].map((column) => rows.map((row) => row[column])),
    );
    await client.query('commit');
  } finally {
    client.release();
  }
};

/** Queues so many tasks, each a millisecond after the other. */
export const queueTasks = (projector, count) => {
  const nextId = ids();
  const since = Date.now() - count;
  const streams = function* () {
    for (let nth = 0; nth < count; nth++) {
      const [taskId, proposalId, commandId] = [nextId(), nextId(), nextId()];
      const meta = metaOf(commandId, SYSTEM);
      const event = taskQueued(proposalId, new Date(since + nth).toISOString());
      yield { stream: `task-${taskId}`, events: [{ id: derivedId(commandId, '0'), ...event, meta }] };
    }
  };
  return writeStreams(projector, streams());
};
