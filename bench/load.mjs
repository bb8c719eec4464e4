import { randomBytes } from 'node:crypto';

const { derivedId, digestOf, newId, prepareAppend } = await import('../dist/libs/kernel/src/index.js');
const { ROOT_TENANT_ID, ROOT_WORKSPACE_ID } = await import('../dist/libs/identity/src/index.js');
const { taskDecider } = await import('../dist/libs/work/src/index.js');
const { shown } = await import('../dist/libs/proposals/src/index.js');
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

/** What an agent hands in of it. */
export const REPORT = {
  revision: 'c'.repeat(40),
  artifacts: [{ path: 'src/greet.ts', mediaType: 'text/plain', size: 12, sha256: 'd'.repeat(64) }],
  changedPaths: [{ path: 'src/greet.ts', change: 'modified' }],
  evidence: ['0', '1'].map((check) => ({
    check,
    status: 'passed',
    exitCode: 0,
    outputSha256: 'e'.repeat(64),
    durationMs: 100,
    testsRun: 3,
  })),
  summary: 'It greets by name now.',
};

/** An agent that may claim it. */
export const agentNamed = (name, id = newId()) => ({
  id,
  kind: 'agent',
  name,
  tenantId: ROOT_TENANT_ID,
  workspaceIds: [ROOT_WORKSPACE_ID],
  roles: ['implementer'],
  credentialId: derivedId(id, 'credential'),
  accountableHuman: PEOPLE.ian,
  capabilities: ['code'],
  lineage: { accountableHuman: PEOPLE.ian, sessions: [] },
});
const IDA = agentNamed('Ida Implementer', PEOPLE.ida);

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

/**
 * So many tasks, each queued a millisecond after the other; of `reported` in ten an agent has already reported the work. Lease and report are what
 * the task's own decider gives.
 */
export const queueTasks = (projector, count, reported = 0) => {
  const nextId = ids();
  const since = Date.now() - count;
  const streams = function* () {
    for (let nth = 0; nth < count; nth++) {
      const [taskId, proposalId, commandId] = [nextId(), nextId(), nextId()];
      const at = new Date(since + nth).toISOString();
      const queued = { id: derivedId(commandId, '0'), ...taskQueued(proposalId, at), meta: metaOf(commandId, SYSTEM) };
      const stream = `task-${taskId}`;
      yield { stream, events: nth % 10 < reported ? [queued, ...implementation(stream, queued, nextId, at)] : [queued] };
    }
  };
  return writeStreams(projector, streams());
};

const implementation = (stream, queued, nextId, at) => {
  let state = taskDecider.evolve(taskDecider.initialState, { ...queued, stream });
  return [
    ['ClaimTask', { capabilities: ['code'], amend: false }],
    ['ReportWork', { fence: '1', ...REPORT }],
  ].map(([type, data]) => {
    const commandId = nextId();
    const meta = { ...metaOf(commandId, { id: IDA.id, kind: IDA.kind }, queued.meta.auditId), credentialId: IDA.credentialId };
    const [event] = taskDecider.decide({ type, data, meta: { ...meta, actor: IDA, at } }, state).events;
    const written = { id: derivedId(commandId, '0'), ...event, meta };
    state = taskDecider.evolve(state, { ...written, stream });
    return written;
  });
};

/** So many pending cards like this one, which was really submitted; each asks for the same, a millisecond after the other. */
export const copyCards = (projector, { data, meta }, count) => {
  const nextId = ids();
  const since = Date.parse(data.submittedAt);
  const streams = function* () {
    for (let nth = 0; nth < count; nth++) {
      const [proposalId, commandId, auditId] = [nextId(), nextId(), nextId()];
      const submitted = { ...data, submittedAt: new Date(since + nth).toISOString() };
      const presentedDigest = digestOf(shown(submitted, auditId));
      const event = {
        id: derivedId(commandId, '0'),
        type: 'ProposalSubmitted',
        data: { ...submitted, presentedDigest },
        meta: { ...meta, commandId, auditId, correlationId: commandId, causationId: commandId },
      };
      yield { stream: `proposal-${proposalId}`, events: [event] };
    }
  };
  return writeStreams(projector, streams());
};
