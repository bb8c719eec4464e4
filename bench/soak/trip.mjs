import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const BASE = sha256('base').slice(0, 40);
const WAIT_MS = 10_000;

/** Those who take part in a trip. Eve's delegation lasts as long as `delegate` renews it. */
export const castOf = async (product, calls) => {
  const as = (role) => calls.as(product.credential(role));
  const cast = Object.fromEntries(['member', 'approver', 'eve', 'implementer', 'verifier', 'operator'].map((role) => [role, as(role)]));
  const delegate = async () => {
    const { delegation } = await cast.member.post('/api/delegations');
    cast.proposer = cast.eve.with({ 'workbench-delegation': delegation });
  };
  await delegate();
  return Object.assign(cast, { delegate });
};

/**
 * One trip, from a proposal to the receipt. The git repository and the runs of its checks are made up: a server that may read no repository
 * takes the parties' word, and all else is as in earnest. Agents claim whatever is oldest, so a trip may carry on the task of another.
 */
export const trip = async (cast, name) => {
  const created = await decided(cast, 'record.create', { kind: 'work_item', fields: { title: name } });
  const work = {
    repository: '/srv/made-up.git',
    baseRevision: BASE,
    paths: ['src'],
    commands: [],
    checks: [['node', '--test']],
    criteria: [],
  };
  await decided(cast, 'work.dispatch', { recordId: created.slice('record-'.length), work });

  const claimed = await cast.implementer.post('/api/leases', { waitMs: WAIT_MS });
  if (!claimed) throw new Error('A claim found nothing within 10 s.');
  const { lease } = claimed;
  const { fence, leaseId } = lease;
  await cast.implementer.post(`/api/leases/${leaseId}/renew`, { fence });
  const output = `ok 1 - ${name}\n`;
  await cast.implementer.put(`/api/artifacts/${sha256(output)}`, output);
  const revision = sha256(name).slice(0, 40);
  const changedPaths = [{ path: 'src/greet.mjs', change: 'modified' }];
  const evidence = [{ check: '0', status: 'passed', exitCode: 0, outputSha256: sha256(output), durationMs: 12, testsRun: 1 }];
  const artifacts = [{ path: 'src/greet.mjs', mediaType: 'text/javascript', size: 40, sha256: sha256(name), commit: revision }];
  const { reportDigest } = await cast.implementer.post(`/api/leases/${leaseId}/report`, {
    fence,
    revision,
    artifacts,
    changedPaths,
    evidence,
    summary: name,
  });

  const taskId = claimed.id;
  const judging = await cast.verifier.post(`/api/verifications/${taskId}/claim`);
  await cast.verifier.put(`/api/artifacts/${sha256(output)}`, output);
  await cast.verifier.post(`/api/verifications/${taskId}/verdict`, {
    fence: judging.fence,
    reportDigest,
    verdict: 'verified',
    findings: [],
    evidence,
    changedPaths,
    tree: revision,
  });
  await cast.operator.post(`/api/tasks/${taskId}/ship`, { revision });
  await cast.member.get(`/api/tasks/${taskId}`);
};

/** Has it proposed and approved, and answers the stream that it changed. */
const decided = async (cast, operation, args) => {
  const { confirmationId } = await cast.proposer.post('/api/proposals', { operation, arguments: args, reason: 'A trip of the soak.' });
  const card = `/api/confirmations/${confirmationId}`;
  const { confirmation_token } = await cast.approver.get(card);
  const { receipt } = await cast.approver.post(`${card}/approve`, { confirmation_token });
  if (receipt) return receipt.receipts[0].stream;
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(100)) {
    const { card: seen } = await cast.approver.get(card);
    if (seen?.receipts) return seen.receipts[0].stream;
  }
  throw new Error(`${operation} was approved and not carried out within 10 s.`);
};
