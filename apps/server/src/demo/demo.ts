import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { inspectReport, type ChangedPath } from '#libs/work';
import { castFrom, DemoError, until, type Api, type Cast, type Json } from './api.js';
import { CHECK, implement, makeRepository, release, sha256, SOURCE } from './repository.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const short = (digest: string): string => digest.slice(0, 12);

/**
 * Plays the whole round trip over HTTP against a running server, each part with the credential of whoever does it, on a real git
 * repository. Answers the exit code: 0, or 1 with a sentence that says what is missing.
 */
export const demo = async (environment: NodeJS.ProcessEnv = process.env, root = process.cwd()): Promise<0 | 1> => {
  try {
    await play(environment, root);
    return 0;
  } catch (error) {
    if (!(error instanceof DemoError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
};

const play = async (environment: NodeJS.ProcessEnv, root: string): Promise<void> => {
  const { url, cast } = castFrom(environment);
  const folder = resolve(root, 'demo-out', new Date().toISOString().replaceAll(/[:.]/g, '-'));
  mkdirSync(join(folder, 'artifacts'), { recursive: true });
  const repository = join(folder, 'repository');
  const baseRevision = makeRepository(repository);
  say(`The round trip, against ${url}`);
  say(`  repository    ${relative(root, repository)} at ${short(baseRevision)}: its test fails`);

  const eve = await actingFor(cast);
  const recordId = await createWorkItem(cast, eve);
  const proposal = await dispatch(cast, eve, recordId, { repository, baseRevision });
  const taskId = await queuedTask(cast, proposal.proposalId);
  const report = await implementTask(cast.implementer, taskId, join(folder, 'worktree'));
  await verifyTask(cast.verifier, taskId, report.reportDigest);

  release(repository, report.revision);
  await cast.operator.post(`/api/tasks/${taskId}/ship`, { revision: report.revision });
  say(`  shipped       ${short(report.revision)} by the operator; the branch main is there now`);
  await saveReceipt(cast, taskId, folder, root);
};

/** A short-lived token that the member's own credential mints lets Eve act in the member's name. */
const actingFor = async ({ member, eve }: Cast): Promise<Api> => {
  const { delegation } = await member.post('/api/delegations');
  say('  delegation    the member lets Eve act for them');
  return eve.with({ 'workbench-delegation': delegation as string });
};

const createWorkItem = async (cast: Cast, eve: Api): Promise<string> => {
  const fields = { title: 'Mend add', description: 'add(2, 3) gives -1.', acceptanceCriteria: ['add(2, 3) is 5'] };
  const proposal = await propose(eve, 'record.create', { kind: 'work_item', fields }, 'There is a fault to keep track of.');
  const [receipt] = await decide(cast, proposal);
  return (receipt!.stream as string).slice('record-'.length);
};

const dispatch = async (
  cast: Cast,
  eve: Api,
  recordId: string,
  place: Readonly<{ repository: string; baseRevision: string }>,
): Promise<Json> => {
  const work = { ...place, paths: [SOURCE], commands: [CHECK.join(' ')], checks: [CHECK], criteria: ['add(2, 3) is 5'] };
  const proposal = await propose(eve, 'work.dispatch', { recordId, work }, 'The test has been red since this morning.');
  await decide(cast, proposal);
  return proposal;
};

const propose = async (eve: Api, operation: string, args: object, reason: string): Promise<Json> => {
  const proposal = await eve.post('/api/proposals', { operation, arguments: args, reason });
  say(`  proposed      ${operation} by Eve, pending as ${proposal.confirmationId}, audit id ${proposal.auditId}`);
  return proposal;
};

/** The approver reads the card, whose token is for exactly what it shows, and approves; answers where the change was written. */
const decide = async ({ approver }: Cast, { confirmationId }: Json): Promise<Json[]> => {
  const shown = await approver.get(`/api/confirmations/${confirmationId}`);
  const { card } = shown;
  say(
    `  card          "${card.operation.summary}", ${card.risk.class}, action ${short(card.actionDigest)}, shown ${short(card.presentedDigest)}`,
  );
  const decided = await approver.post(`/api/confirmations/${confirmationId}/approve`, { confirmation_token: shown.confirmation_token });
  const receipts = await until('the approved change', async () => {
    if (decided.receipt) return decided.receipt.receipts as Json[];
    const { card: now } = await approver.get(`/api/confirmations/${confirmationId}`);
    if (now.failure) throw new DemoError(`It was approved and did not happen: ${now.failure.detail}`);
    return now.receipts as Json[] | undefined;
  });
  say(`  approved      and committed as ${receipts.map(({ stream, revision }) => `${stream}@${revision}`).join(', ')}`);
  return receipts;
};

const queuedTask = async ({ implementer }: Cast, proposalId: string): Promise<string> => {
  const task = await until('the task in the queue', async () => {
    const { items } = await implementer.get('/api/queue?limit=200');
    return (items as Json[]).find((item) => item.proposalId === proposalId);
  });
  say(`  queued        task ${task.taskId}, scope ${short(task.scopeDigest)}`);
  return task.taskId as string;
};

const implementTask = async (implementer: Api, taskId: string, worktree: string): Promise<Json> => {
  const { lease, fence, expiresAt, work } = await implementer.post('/api/leases', { taskId });
  const { repository, baseRevision } = work;
  say(`  leased        fence ${fence}, until ${expiresAt}`);
  const { before, after, revision, changed, source } = implement(repository, baseRevision, worktree);
  say(
    `  implemented   ${short(revision)} (${changed}); ${CHECK.join(' ')} ended with ${before.exitCode} before and ${after.exitCode} after`,
  );

  for (const bytes of [source, after.output]) await implementer.put(`/api/artifacts/${sha256(bytes)}`, bytes);
  const { exitCode, outputSha256, durationMs } = after;
  const status = exitCode === 0 ? 'passed' : 'failed';
  const reported = await implementer.post(`/api/leases/${lease.leaseId}/report`, {
    fence,
    revision,
    artifacts: [{ path: SOURCE, mediaType: 'text/javascript', size: source.length, sha256: sha256(source), commit: revision }],
    changedPaths: [{ path: SOURCE, change: 'modified' }],
    evidence: [{ check: '0', status, exitCode, outputSha256, durationMs }],
    summary: 'add adds now.',
  });
  say(`  reported      ${short(reported.reportDigest)}: one artifact ${short(sha256(source))}, evidence self-reported`);
  return { ...reported, revision };
};

/** The verifier judges from git alone: what changed, whether the artifacts are what they are said to be, and the checks, run again. */
const verifyTask = async (verifier: Api, taskId: string, reportDigest: string): Promise<void> => {
  const { fence, report, work } = await verifier.post(`/api/verifications/${taskId}/claim`);
  say(`  verification  taken by the verifier, fence ${fence}`);
  const { findings, evidence, outputs, changedPaths, tree } = await inspectReport(work.repository, work, report);
  for (const { sha256: digest, bytes } of outputs) await verifier.put(`/api/artifacts/${digest}`, bytes);
  const verdict = findings.length === 0 ? 'verified' : 'rejected';
  await verifier.post(`/api/verifications/${taskId}/verdict`, {
    fence,
    reportDigest,
    verdict,
    findings,
    evidence,
    changedPaths: [...changedPaths] satisfies ChangedPath[],
    tree,
  });
  say(`  ${verdict.padEnd(13)} report ${short(reportDigest)}, tree ${short(tree)}, ${evidence.length} check run again by the verifier`);
  if (verdict === 'rejected') throw new DemoError(findings.map(({ detail }) => detail).join(' '));
};

/** As the member, who asked for it: the receipt's bytes, the artifacts from the server, and the key to judge them with. */
const saveReceipt = async ({ member }: Cast, taskId: string, folder: string, root: string): Promise<void> => {
  const { receiptId } = await until('the receipt', async () => {
    const { items } = await member.get('/api/receipts');
    return (items as Json[]).find((item) => item.taskId === taskId);
  });
  const file = join(folder, 'receipt.dsse.json');
  const keyFile = join(folder, 'receipt-key.pem');
  writeFileSync(file, await member.bytes(`/api/receipts/${receiptId}`, 'application/vnd.dsse+json'));
  const { statement } = await member.get(`/api/receipts/${receiptId}`);
  for (const { sha256: digest } of statement.predicate.chain.report.content.artifacts as { sha256: string }[])
    writeFileSync(join(folder, 'artifacts', digest), await member.bytes(`/api/artifacts/${digest}`));
  const { pem, keyId } = await member.get('/api/receipts/key');
  writeFileSync(keyFile, pem as string);
  say(`  receipt       ${receiptId}, visible to member and operator, signed with key ${short(keyId)}`);
  say('');
  say(relative(root, file));
  say(`Judge it: npm run verify-receipt ${relative(root, file)} -- --key ${relative(root, keyFile)}`);
};
