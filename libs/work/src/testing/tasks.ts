import { sha256, type CommandMeta, type Principal } from '#libs/kernel';
import { AT, fold, metaOf, principal } from '#libs/kernel/testing';
import type { WorkScope } from '#libs/proposals';
import type { ReportWork, StatedAtom } from '../reports/report.js';
import { taskDecider, type TaskCommand } from '../task.decider.js';
import type { ChangedPath, TaskEvent } from '../task-events.js';
import type { KnownTask } from '../task.js';
import type { RecordVerdict } from '../verifications/verdict.js';

/** An agent that may work on code, accountable to a human of its own. */
export const agent = (id: string, over: Partial<Principal> = {}): Principal =>
  principal(id, { kind: 'agent', roles: ['implementer'], capabilities: ['code', 'content'], ...over });
export const verifierAgent = (id: string, over: Partial<Principal> = {}): Principal =>
  principal(id, { kind: 'agent', roles: ['verifier'], ...over });
export const worker = principal('worker', { kind: 'service', roles: ['verifier'], capabilities: ['verification-worker'] });

export const ada = agent('ada');
export const bo = agent('bo');
export const vera = principal('vera', { roles: ['verifier'] });
export const olga = principal('olga', { roles: ['operator'] });
export const system = principal('system', { kind: 'service' });

export const LEASE_MS = 900_000;
/** `ms` after the first moment of the tests. */
export const at = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

export const work: WorkScope = {
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

type Of<T extends TaskCommand['type']> = Extract<TaskCommand, { type: T }>['data'];
const command =
  <T extends TaskCommand['type'], D extends object>(type: T, defaults: (stated: D) => Of<T>) =>
  (actor: Principal, data: D, over: Partial<CommandMeta> = {}) =>
    ({ type, data: defaults(data), meta: metaOf(actor, over) }) as unknown as Extract<TaskCommand, { type: T }>;

export const queue = command('QueueTask', (over: Partial<Of<'QueueTask'>>) => ({
  proposalId: 'proposal',
  title: 'Greet by name',
  queue: 'code',
  brief: 'Say hello to whoever is named.',
  work,
  scopeDigest: 'scope',
  actionDigest: 'action',
  presentedDigest: 'presented',
  decidedBy: 'ann',
  requester: 'mia',
  agent: 'eve',
  leaseMs: LEASE_MS,
  ...over,
}));
export const claim = command('ClaimTask', (over: Partial<Of<'ClaimTask'>>) => ({ amend: true, ...over }));
export const renew = command(
  'RenewLease',
  ({ kind = 'implementation', fence }: { fence: string; kind?: 'implementation' | 'verification' }) => ({
    fence,
    kind,
  }),
);
export const release = command(
  'ReleaseLease',
  ({ kind = 'implementation', fence }: { fence: string; kind?: 'implementation' | 'verification' }) => ({
    fence,
    kind,
    reason: 'going home',
  }),
);
export const expire = command('ExpireLease', (data: { fence: string }) => data);
export const revoke = command('RevokeLease', (data: { fence: string }) => ({ ...data, reason: 'by hand' }));
export const block = command('BlockTask', (data: { fence: string }) => ({ ...data, question: 'Which greeting?' }));
export const unblock = command('UnblockTask', (data: { fence?: string }) => ({ answer: 'Hello', ...data }));
export const cancel = command('CancelTask', () => ({ reason: 'not needed' }));
export const requeue = command('RequeueTask', () => ({ reason: 'try again' }));

export const OUTPUT = sha256('all passed');
export const changed: readonly ChangedPath[] = [{ path: 'src/greet.ts', change: 'modified' }];
const artifact = { path: 'src/greet.ts', mediaType: 'text/plain', size: 12, sha256: sha256('greet') };
export const atom = (check: string, over: Partial<StatedAtom> = {}): StatedAtom => ({
  check,
  status: 'passed',
  exitCode: 0,
  outputSha256: OUTPUT,
  durationMs: 100,
  testsRun: 3,
  ...over,
});
export const report = command('ReportWork', (over: Partial<ReportWork['data']> & { fence: string }) => ({
  revision: 'c'.repeat(40),
  artifacts: [artifact],
  changedPaths: changed,
  evidence: [atom('0'), atom('1')],
  summary: 'It greets by name now.',
  ...over,
}));

export const take = command('ClaimVerification', (over: Of<'ClaimVerification'>) => over);
export const TREE = 'd'.repeat(40);
export const verdict = command('RecordVerdict', (over: Partial<RecordVerdict['data']> & { fence: string; reportDigest: string }) => ({
  verdict: 'verified',
  findings: [],
  evidence: [atom('0'), atom('1')],
  changedPaths: changed,
  tree: TREE,
  readable: [OUTPUT],
  ...over,
}));
export const ship = command('ShipWork', (over: Partial<Of<'ShipWork'>>) => ({ revision: 'c'.repeat(40), ...over }));
export const receipt = command('IssueReceipt', () => ({ receiptId: 'receipt', envelope: {}, keyId: 'key', statementDigest: 'statement' }));

/** The events that these commands leave, one after the other; refusals leave none but the recorded ones. */
export const play = (...commands: readonly TaskCommand[]): TaskEvent[] => playOn([], ...commands);
export const playOn = (history: readonly TaskEvent[], ...commands: readonly TaskCommand[]): TaskEvent[] =>
  commands.reduce<TaskEvent[]>((events, next) => [...events, ...taskDecider.decide(next, fold(taskDecider, events)).events], [...history]);

export const stateOf = (events: readonly TaskEvent[]): KnownTask => {
  const state = fold(taskDecider, events);
  if (state.status === 'none') throw new Error('There is no task in this history.');
  return state;
};
export const digestIn = (events: readonly TaskEvent[]): string =>
  events.findLast((event) => event.type === 'WorkReported')?.data.reportDigest ?? 'no report';

export const queued = play(queue(system, {}));
export const leased = playOn(queued, claim(ada, {}));
export const reported = playOn(leased, report(ada, { fence: '1' }));
export const verifying = playOn(reported, take(vera, {}));
export const reportDigest = digestIn(reported);
export const verified = playOn(verifying, verdict(vera, { fence: '2', reportDigest }));
export const rejected = playOn(
  verifying,
  verdict(vera, { fence: '2', reportDigest, verdict: 'rejected', findings: [{ code: 'greeting', detail: 'It greets nobody.' }] }),
);
export const unverifiable = playOn(verifying, verdict(vera, { fence: '2', reportDigest, verdict: 'unverifiable' }));
export const shipped = playOn(verified, ship(olga, {}));
