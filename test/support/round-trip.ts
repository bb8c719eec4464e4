import { createHash } from 'node:crypto';
import { inspectReport } from '#libs/work';
import { eventually } from './eventually.js';
import type { Repository } from './repository.js';
import type { Cast } from './workbench.js';
import type { Answer, Client } from './client.js';

/** Eve acting for this person: a delegation that the person's own credential minted. */
export const eveFor = async (cast: Pick<Cast, 'eve'>, person: Client): Promise<Client> => {
  const { status, body } = await person.post('/api/delegations');
  if (status >= 300) throw new Error(JSON.stringify(body));
  return cast.eve.with({ 'workbench-delegation': (body as { delegation: string }).delegation });
};

export const propose = async (eve: Client, operation: string, args: object, key?: string): Promise<Answer<any>> =>
  eve.post('/api/proposals', { operation, arguments: args, reason: 'Because it helps.' }, key === undefined ? {} : { key });

/** Reads the card for its token and approves with it. Its answer is `pending` where no worker carries the change out within a second. */
export const decide = async (approver: Client, confirmationId: string, key?: string): Promise<Answer<any>> => {
  const { body } = await approver.get(`/api/confirmations/${confirmationId}`);
  return approver.post(
    `/api/confirmations/${confirmationId}/approve`,
    { confirmation_token: body.confirmation_token ?? 'none' },
    key === undefined ? {} : { key },
  );
};

/** As `decide`, where a worker runs: on a busy machine the receipt comes later than the answer, and is waited for. */
export const approve = async (approver: Client, confirmationId: string, key?: string): Promise<Answer<any>> => {
  const answer = await decide(approver, confirmationId, key);
  if (answer.body.pending === undefined) return answer;
  const card = await eventually(async () => {
    const { card } = (await approver.get(`/api/confirmations/${confirmationId}`)).body;
    return card !== undefined && card.status !== 'approved' && card;
  }, 30_000);
  const { pending: _, ...rest } = answer.body;
  return { ...answer, body: { ...rest, ...(card.receipts ? { receipt: { receipts: card.receipts } } : { failure: card.failure }) } };
};

/** A record made by a proposal that Ann approved; answers its id. */
export const createRecord = async (cast: Cast, kind: string, fields: object): Promise<string> => {
  const eve = await eveFor(cast, cast.mia);
  const proposed = await propose(eve, 'record.create', { kind, fields });
  if (proposed.status !== 202) throw new Error(JSON.stringify(proposed.body));
  const approved = await approve(cast.ann, proposed.body.confirmationId as string);
  const stream = approved.body.receipt?.receipts[0].stream as string | undefined;
  if (stream === undefined) throw new Error(JSON.stringify(approved.body));
  return stream.slice('record-'.length);
};

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Queues the mending of the repository's greeting, approved by Ann; answers the task's id once it is offered. */
export const queueTask = async (
  cast: Cast,
  repository: Repository,
  title = 'Greet by name',
): Promise<{ taskId: string; proposalId: string; auditId: string }> => {
  const recordId = await createRecord(cast, 'work_item', { title });
  const work = {
    repository: repository.directory,
    baseRevision: repository.base,
    paths: ['src'],
    commands: ['node --test'],
    checks: [['node', '--test', 'test/greet.test.mjs']],
    criteria: ['greet("Ada") is "Hello, Ada"'],
  };
  const proposed = await propose(await eveFor(cast, cast.mia), 'work.dispatch', { recordId, work });
  const { proposalId, auditId } = proposed.body;
  await approve(cast.ann, proposalId as string);
  const { taskId } = await eventually(async () => {
    const { items } = (await cast.ida.get('/api/queue?limit=200')).body;
    return (items as { taskId: string; proposalId: string }[]).find((item) => item.proposalId === proposalId);
  });
  return { taskId, proposalId, auditId };
};

/** Claims this very task. */
export const claim = async (agent: Client, taskId: string, key?: string): Promise<Answer<any>> =>
  agent.post('/api/leases', { taskId }, key === undefined ? {} : { key });

/** What an honest implementer would report of this commit. */
export const reportOf = async (agent: Client, repository: Repository, fence: string, revision: string): Promise<object> => {
  const output = 'ok 1 - greets by name\n';
  await agent.put(`/api/artifacts/${sha256(output)}`, output);
  const changedPaths = repository
    .git('diff', '--name-status', '--no-renames', `${repository.base}..${revision}`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      path: line.split('\t')[1],
      change: ({ A: 'added', M: 'modified', D: 'deleted' } as Record<string, string>)[line[0]!],
    }));
  return {
    fence,
    revision,
    artifacts: [{ ...repository.artifact('src/greet.mjs'), commit: revision }],
    changedPaths,
    evidence: [{ check: '0', status: 'passed', exitCode: 0, outputSha256: sha256(output), durationMs: 12, testsRun: 1 }],
    summary: 'Greets by name.',
  };
};

/** Makes the change, commits it and reports it under this lease. */
export const implement = async (
  agent: Client,
  repository: Repository,
  lease: { leaseId: string; fence: string },
  key?: string,
): Promise<Answer<any> & { revision: string }> => {
  repository.write('src/greet.mjs', `export const greet = (name) => \`Hello, \${name}\`; // ${lease.fence}\n`);
  const revision = repository.commit('Greet by name');
  const answer = await agent.post(
    `/api/leases/${lease.leaseId}/report`,
    await reportOf(agent, repository, lease.fence, revision),
    key === undefined ? {} : { key },
  );
  return { ...answer, revision };
};

/** Takes the report, judges it from git and by running the checks, and says what it found. */
export const verify = async (verifier: Client, taskId: string, key?: string): Promise<Answer<any>> => {
  const claimed = await verifier.post(`/api/verifications/${taskId}/claim`);
  if (claimed.status !== 200) return claimed;
  return judge(verifier, taskId, claimed.body, key);
};

export const judge = async (verifier: Client, taskId: string, claimed: any, key?: string): Promise<Answer<any>> => {
  const { fence, reportDigest, work, report } = claimed;
  const inspection = await inspectReport(work.repository as string, work, report);
  for (const { sha256: digest, bytes } of inspection.outputs) await verifier.put(`/api/artifacts/${digest}`, bytes);
  const { findings, evidence, changedPaths, tree } = inspection;
  const verdict = findings.length === 0 && evidence.every(({ status }) => status === 'passed') ? 'verified' : 'rejected';
  return verifier.post(
    `/api/verifications/${taskId}/verdict`,
    { fence, reportDigest, verdict, findings, evidence, changedPaths, tree },
    key === undefined ? {} : { key },
  );
};

export const ship = (operator: Client, taskId: string, revision: string, key?: string): Promise<Answer<any>> =>
  operator.post(`/api/tasks/${taskId}/ship`, { revision }, key === undefined ? {} : { key });

/** The task's receipt as a signed envelope, once it is issued. */
export const receiptOf = async (reader: Client, taskId: string): Promise<{ receiptId: string; envelope: Uint8Array }> => {
  const receiptId = await eventually(async () => (await reader.get(`/api/tasks/${taskId}`)).body.receiptId as string | undefined);
  const answer = await eventually(async () => {
    const { status, body } = await reader.get(`/api/receipts/${receiptId}`, { headers: { accept: 'application/vnd.dsse+json' } });
    return status === 200 && body;
  });
  return { receiptId, envelope: Buffer.from(JSON.stringify(answer)) };
};

/** Work that nobody is going to do: all that a proposal of work has to state. */
export const SITE_WORK = {
  repository: '/srv/site',
  baseRevision: '0123456789abcdef0123456789abcdef01234567',
  paths: ['src'],
  commands: [],
  checks: [['npm', 'test']],
  criteria: ['It works'],
};
