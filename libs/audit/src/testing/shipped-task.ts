import {
  derivedId,
  digestOf,
  EventTypes,
  handleCommand,
  InMemoryEventStore,
  sha256,
  systemPrincipal,
  type Command,
  type CommandMeta,
  type Principal,
  type Recorded,
} from '#libs/kernel';
import { metaOf, principal, TENANT, WORKSPACE } from '#libs/kernel/testing';
import { credentialEventFor } from './credentials.js';
import { identityEvents } from '#libs/identity';
import { proposalDecider, proposalEvents, scopeDigest, type ProposalCommand, type ProposalEvent, type WorkScope } from '#libs/proposals';
import { recordEvents } from '#libs/records';
import { taskDecider, taskEvents, type TaskCommand, type TaskEvent } from '#libs/work';

export const mia = principal('mia', { roles: ['member'] });
export const eve = principal('eve', { kind: 'agent', roles: ['eve'], accountableHuman: 'olga' });
export const ann = principal('ann', { roles: ['approver'] });
export const ida = principal('ida', { kind: 'agent', roles: ['implementer'], capabilities: ['code'], accountableHuman: 'ian' });
export const vera = principal('vera', {
  kind: 'service',
  roles: ['verifier'],
  capabilities: ['verification-worker'],
  accountableHuman: 'vic',
});
export const olga = principal('olga', { roles: ['operator'] });
export const product = systemPrincipal(TENANT, WORKSPACE);

export const PROPOSAL_ID = derivedId('fixture', 'proposal');
export const TASK_ID = derivedId('fixture', 'task');
export const ARTIFACT = Buffer.from('export const add = (a, b) => a + b;\n');
export const scope: WorkScope = {
  repository: '/srv/git/sums',
  baseRevision: 'a'.repeat(40),
  paths: ['src/'],
  commands: ['npm test'],
  checks: [['node', '--test']],
  criteria: ['add adds'],
};
const REVISION = 'b'.repeat(40);
const TREE = 'c'.repeat(40);
const party = ({ id, name }: Principal) => ({ id, name });
const queued = { queue: 'code', title: 'Mend add', brief: 'It subtracts.', scope, scopeDigest: scopeDigest(scope) };
const artifacts = [{ path: 'src/add.js', mediaType: 'text/javascript', size: ARTIFACT.length, sha256: sha256(ARTIFACT), commit: REVISION }];
const changedPaths = [{ path: 'src/add.js', change: 'modified' as const }];
const evidence = [{ check: '0', status: 'passed' as const, exitCode: 0, outputSha256: sha256('ok'), durationMs: 12, testsRun: 1 }];

type Step = { [K in 'type' | 'data']: Command[K] } & Readonly<{ by: Principal }>;

/**
 * A task from its proposal to its shipping, decided by the real deciders: `events` are those of all its streams in order, credentials
 * first. `cast` puts others in the place of the usual ones.
 */
export const shippedTask = async (cast: Partial<Record<'approver' | 'implementer' | 'verifier' | 'shipper', Principal>> = {}) => {
  const { approver = ann, implementer = ida, verifier = vera, shipper = olga } = cast;
  const store = new InMemoryEventStore(new EventTypes(identityEvents, recordEvents, proposalEvents, taskEvents));
  const auditId = derivedId('fixture', 'audit');
  let minute = 0;
  const meta = (by: Principal): CommandMeta =>
    metaOf(by, {
      at: new Date(Date.UTC(2026, 0, 5, 9, minute++)).toISOString(),
      auditId,
      ...(by.roles.includes('eve') && { onBehalfOf: mia.id }),
    });
  const propose = ({ by, ...step }: Step) =>
    handleCommand(store, proposalDecider, PROPOSAL_ID, { ...step, meta: meta(by) } as ProposalCommand);
  const work = ({ by, ...step }: Step) => handleCommand(store, taskDecider, TASK_ID, { ...step, meta: meta(by) } as TaskCommand);

  for (const one of [mia, eve, approver, implementer, verifier, shipper])
    await store.append(`credential-${one.credentialId}`, [credentialEventFor(one)], -1n);

  const submitted = await propose({ type: 'SubmitProposal', by: eve, data: { plan: plan(), decideMs: 3_600_000 } });
  const { actionDigest, presentedDigest } = submitted.state as { actionDigest: string; presentedDigest: string };
  const token = { actionDigest, presentedDigest, nonce: 'nonce-1', expiresAt: '2026-01-05T10:00:00.000Z' };
  await propose({ type: 'ApproveConfirmation', by: approver, data: { token, moved: [], releaseMs: 3_600_000 } });
  const receipts = [{ stream: 'record-1', revision: '0', position: '9' }];
  await propose({
    type: 'CommitMutation',
    by: product,
    data: { operation: 'work.dispatch', receipts, requester: party(mia), agent: party(eve), work: queued },
  });

  const { scope: scopeOf, ...rest } = queued;
  const origin = { proposalId: PROPOSAL_ID, actionDigest, presentedDigest, decidedBy: approver.id, requester: mia.id, agent: eve.id };
  await work({ type: 'QueueTask', by: product, data: { ...rest, ...origin, work: scopeOf, leaseMs: 900_000 } });
  await work({ type: 'ClaimTask', by: implementer, data: { amend: false } });
  const report = { fence: '1', revision: REVISION, artifacts, changedPaths, evidence, summary: 'Adds.' };
  const { events } = await work({ type: 'ReportWork', by: implementer, data: report });
  const { reportDigest } = events[0]!.data as { reportDigest: string };
  await work({ type: 'ClaimVerification', by: verifier, data: {} });
  const verdict = {
    fence: '2',
    reportDigest,
    verdict: 'verified',
    findings: [],
    evidence,
    changedPaths,
    tree: TREE,
    readable: [sha256('ok')],
  };
  await work({ type: 'RecordVerdict', by: verifier, data: verdict });
  await work({ type: 'ShipWork', by: shipper, data: { revision: REVISION, tree: TREE, url: 'https://git.example/sums' } });

  const proposal = (await store.readStream<ProposalEvent>(`proposal-${PROPOSAL_ID}`)).events;
  const task = (await store.readStream<TaskEvent>(`task-${TASK_ID}`)).events;
  return { store, events: (await store.readAll(undefined, 100)).events, proposal, task };
};

/** The history with the data of every event of one type changed, as a forger of events would. */
export const forged = <E extends Recorded>(events: readonly E[], type: E['type'], change: (event: E) => Partial<E>): E[] =>
  events.map((event) => (event.type === type ? { ...event, ...change(event) } : event));

const plan = () => ({
  operation: 'work.dispatch',
  arguments: { recordId: 'r1' },
  summary: 'Dispatch "Mend add" to executors',
  targets: [],
  references: [],
  changes: [],
  reason: 'It subtracts.',
  agent: party(eve),
  agentCredentialId: eve.credentialId,
  requester: party(mia),
  requesterCredentialId: mia.credentialId,
  tenant: { id: TENANT, name: 'Demo' },
  workspace: { id: WORKSPACE, name: 'Sums' },
  risk: { class: 'write', level: 1, why: 'It queues work.' },
  mode: 'supervised',
  reversible: true,
  warnings: [],
  outcomes: { approve: 'It is queued.', decline: 'Nothing happens.' },
  work: queued,
  actionDigest: digestOf({ fixture: 'action' }),
});
