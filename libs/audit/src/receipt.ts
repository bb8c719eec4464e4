import { idOf, type Recorded } from '#libs/kernel';
import type { ProposalEvent } from '#libs/proposals';
import type { TaskEvent } from '#libs/work';
import { PREDICATE_TYPE, STATEMENT_TYPE, type Fact, type Statement } from './statement.js';

/** What a reader must not conclude from a receipt; part of what is signed. */
export const DOES_NOT_PROVE = [
  'That the change is right, complete or safe: it shows which checks passed in which runs, not that the checks are enough.',
  'What self-reported evidence says: only evidence of another provenance counted for the verdict.',
  'That the verifier is independent of earlier holders of the task, whom it does not name: that was judged when the verification was taken.',
  'Who stands behind a principal: it names credentials of this workbench, not passports.',
  'The times: they are those of the issuing database.',
  'That the shipped revision is deployed, or still on its branch.',
  'That a git commit id names one content only: SHA-1 ids are as strong as SHA-1. The artifacts are named by SHA-256.',
  'That the event log still holds these events: compare the content hashes with it.',
  'That the signing key is the one you expect: compare its id by a way of your own.',
] as const;

/** The two histories that a receipt is made from, in the order of their streams. */
export type Histories = Readonly<{
  proposal: readonly Recorded<ProposalEvent>[];
  task: readonly Recorded<TaskEvent>[];
}>;

/**
 * The statement about the shipping of a task: a pure function of its events, so that it comes out the same whenever and
 * wherever it is made. Throws where a step is missing, since a receipt with a gap would prove nothing.
 */
export const statementOf = (receiptId: string, { proposal, task }: Histories): Statement => {
  const shipped = one(task, 'WorkShipped', () => true);
  const verdict = one(task, 'WorkVerified', ({ data }) => data.reportDigest === shipped.data.reportDigest);
  const verification = one(task, 'VerificationGranted', ({ data }) => data.fence === verdict.data.fence);
  const report = one(task, 'WorkReported', ({ data }) => data.reportDigest === shipped.data.reportDigest);
  const lease = one(task, 'LeaseGranted', ({ data }) => data.fence === report.data.fence);
  const work = one(task, 'TaskQueued', () => true);
  const submitted = one(proposal, 'ProposalSubmitted', () => true);
  const decision = one(proposal, 'ConfirmationApproved', () => true);
  const mutation = one(proposal, 'MutationCommitted', () => true);
  const taskId = idOf(shipped.stream);
  const { artifacts, changedPaths, evidence, summary, revision, fence, scopeDigest } = report.data;

  return {
    _type: STATEMENT_TYPE,
    predicateType: PREDICATE_TYPE,
    subject: [
      { name: work.data.work.repository, digest: { gitCommit: shipped.data.revision } },
      ...artifacts.map((artifact) => ({ name: nameOf(artifact), digest: { sha256: artifact.sha256 } })),
    ],
    predicate: {
      receiptId,
      auditId: shipped.meta.auditId,
      tenant: party(submitted.data.tenant),
      workspace: party(submitted.data.workspace),
      taskId,
      scopeDigest: work.data.scopeDigest,
      chain: {
        proposal: {
          fact: factOf(submitted),
          proposalId: idOf(submitted.stream),
          operation: submitted.data.operation,
          actionDigest: submitted.data.actionDigest,
          presentedDigest: submitted.data.presentedDigest,
          mode: submitted.data.mode,
          requester: party(submitted.data.requester),
          agent: party(submitted.data.agent),
          submittedAt: submitted.data.submittedAt,
        },
        decision: {
          fact: factOf(decision),
          ...pick(decision.data, 'at', 'actionDigest', 'presentedDigest', 'tokenNonce'),
          by: party(decision.data.by),
        },
        mutation: {
          fact: factOf(mutation),
          ...pick(mutation.data, 'at', 'actionDigest', 'presentedDigest'),
          decidedBy: party(mutation.data.decidedBy),
          receipts: mutation.data.receipts.map((receipt) => pick(receipt, 'stream', 'revision', 'position')),
        },
        work: {
          fact: factOf(work),
          ...pick(work.data, 'at', 'proposalId', 'queue', 'title', 'actionDigest', 'presentedDigest'),
          scope: pick(work.data.work, 'repository', 'baseRevision', 'paths', 'commands', 'checks', 'criteria'),
        },
        lease: { fact: factOf(lease), ...pick(lease.data, 'at', 'leaseId', 'fence', 'holder', 'scopeDigest') },
        report: {
          fact: factOf(report),
          ...pick(report.data, 'at', 'by', 'reportDigest'),
          content: { taskId, fence, scopeDigest, revision, artifacts, changedPaths, evidence, summary },
        },
        verification: {
          fact: factOf(verification),
          ...pick(verification.data, 'at', 'leaseId', 'fence', 'holder', 'scopeDigest', 'reportDigest'),
        },
        verdict: {
          fact: factOf(verdict),
          verdict: 'verified',
          ...pick(verdict.data, 'at', 'fence', 'by', 'scopeDigest', 'reportDigest', 'tree', 'changedPaths', 'evidence', 'findings'),
        },
        shipped: { fact: factOf(shipped), ...pick(shipped.data, 'at', 'by', 'revision', 'tree', 'scopeDigest', 'reportDigest', 'url') },
      },
      doesNotProve: DOES_NOT_PROVE,
    },
  };
};

/** How a subject names an artifact: its path in the shipped revision, or where else it lies. */
export const nameOf = ({ path, uri, sha256 }: Readonly<{ path?: string; uri?: string; sha256: string }>): string => path ?? uri ?? sha256;

const factOf = ({ id, type, stream, revision, meta }: Recorded): Fact => ({
  eventId: id,
  type,
  stream,
  revision: revision.toString(),
  contentHash: meta.contentHash,
  author: meta.actor,
  credentialId: meta.credentialId,
  onBehalfOf: meta.onBehalfOf,
});

const party = ({ id, name }: Readonly<{ id: string; name: string }>) => ({ id, name });

const pick = <T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;

/** The latest event of this type for which `fits` holds. */
const one = <E extends Recorded<ProposalEvent | TaskEvent>, T extends E['type']>(
  events: readonly E[],
  type: T,
  fits: (event: Extract<E, { type: T }>) => boolean,
): Extract<E, { type: T }> => {
  const found = events.findLast((event): event is Extract<E, { type: T }> => event.type === type && fits(event as Extract<E, { type: T }>));
  if (!found) throw new Error(`No receipt without ${type} in ${events[0]?.stream ?? 'an empty stream'}.`);
  return found;
};
