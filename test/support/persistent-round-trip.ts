import { inspectReport } from '#libs/work';
import type { Answer } from './client.js';
import { eventually } from './eventually.js';
import type { Repository } from './repository.js';
import { reportOf } from './round-trip.js';
import type { Cast } from './workbench.js';

const PATIENCE_MS = 90_000;

/**
 * The whole round trip by clients who do what good clients do: every write has a key and is sent again, unchanged, until
 * there is an answer. Survives servers that die under it. Answers the task and what every step was told in the end.
 */
export const persistentRoundTrip = async (
  cast: Cast,
  repository: Repository,
  name: string,
): Promise<{ taskId: string; proposalIds: string[] }> => {
  const key = (step: string) => ({ key: `${name} ${step}`.replaceAll(' ', '-') });
  const eve = cast.eve.with({ 'workbench-delegation': (await until(() => cast.mia.post('/api/delegations'))).body.delegation });

  const decided = async (operation: string, args: object): Promise<{ proposalId: string; stream: string }> => {
    const proposed = await until(() =>
      eve.post('/api/proposals', { operation, arguments: args, reason: name }, key(`propose ${operation}`)),
    );
    const { proposalId } = proposed.body;
    const { body } = await until(() => cast.ann.get(`/api/confirmations/${proposalId}`));
    await until(() =>
      cast.ann.post(
        `/api/confirmations/${proposalId}/approve`,
        { confirmation_token: body.confirmation_token },
        key(`approve ${operation}`),
      ),
    );
    const stream = await eventually(
      async () => (await cast.ann.get(`/api/confirmations/${proposalId}`)).body.card?.receipts?.[0].stream as string | undefined,
      PATIENCE_MS,
    );
    return { proposalId, stream };
  };

  const created = await decided('record.create', { kind: 'work_item', fields: { title: name } });
  const work = {
    repository: repository.directory,
    baseRevision: repository.base,
    paths: ['src'],
    commands: [],
    checks: [['node', '--test', 'test/greet.test.mjs']],
    criteria: [],
  };
  const dispatched = await decided('work.dispatch', { recordId: created.stream.slice('record-'.length), work });
  const { taskId } = await eventually(async () => {
    const items = (await cast.otto.get('/api/tasks?limit=200')).body.items as { taskId: string; proposalId: string }[];
    return items.find(({ proposalId }) => proposalId === dispatched.proposalId);
  }, PATIENCE_MS);

  const { lease } = (await until(() => cast.ida.post('/api/leases', { taskId }, key('claim')))).body;
  repository.git('checkout', '--quiet', '--detach', repository.base);
  repository.write('src/greet.mjs', `export const greet = (name) => \`Hello, \${name}\`; // ${name}\n`);
  const revision = repository.commit(name);
  const report = await eventually(() => reportOf(cast.ida, repository, lease.fence as string, revision), PATIENCE_MS);
  const reported = await until(() => cast.ida.post(`/api/leases/${lease.leaseId}/report`, report, key('report')));

  const claimed = (await until(() => cast.vera.post(`/api/verifications/${taskId}/claim`, {}, key('verify')))).body;
  const { findings, evidence, changedPaths, tree, outputs } = await inspectReport(repository.directory, work, claimed.report);
  for (const { sha256, bytes } of outputs) await until(() => cast.vera.put(`/api/artifacts/${sha256}`, bytes));
  const verdict = {
    fence: claimed.fence,
    reportDigest: reported.body.reportDigest,
    verdict: 'verified',
    findings,
    evidence,
    changedPaths,
    tree,
  };
  await until(() => cast.vera.post(`/api/verifications/${taskId}/verdict`, verdict, key('verdict')));
  await until(() => cast.otto.post(`/api/tasks/${taskId}/ship`, { revision }, key('ship')));
  await eventually(async () => (await cast.mia.get(`/api/tasks/${taskId}`)).body.receiptId as string | undefined, PATIENCE_MS);
  return { taskId, proposalIds: [created.proposalId, dispatched.proposalId] };
};

/** Sends until there is a definite answer, which has to be a success. */
const until = async (send: () => Promise<Answer<any>>): Promise<Answer<any>> => {
  const answer = await eventually(async () => {
    const one = await send();
    return one.status < 500 && one.status !== 429 && one;
  }, PATIENCE_MS);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
};
