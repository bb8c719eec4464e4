import { digestOf } from '#libs/kernel';
import { differences, missingEvidence, outOfScope, sharedLineage } from '#libs/work';
import { nameOf } from './receipt.js';
import type { Fact, ReceiptHolder, Statement } from './statement.js';

/**
 * What in a well-formed statement contradicts itself, as sentences; empty for an honest one. These are the promises of the
 * round trip, checked from the receipt alone: one action, one scope, one report, an independent verdict, the verified tree.
 */
export const faultsOf = ({ subject, predicate }: Statement): string[] => {
  const { chain, taskId, scopeDigest } = predicate;
  const { proposal, decision, mutation, work, lease, report, verification, verdict, shipped } = chain;
  const { content } = report;
  const taskSteps = [work, lease, report, verification, verdict, shipped];
  const proposalSteps = [proposal, decision, mutation];
  const scoped = [lease, content, verification, verdict, shipped];

  const rules: readonly (readonly [holds: boolean, fault: string])[] = [
    [
      same(
        [subject[0]?.digest, ...subject.slice(1)],
        [{ gitCommit: shipped.revision }, ...content.artifacts.map((one) => ({ name: nameOf(one), digest: { sha256: one.sha256 } }))],
      ),
      'The subjects are not the shipped revision and the reported artifacts.',
    ],
    [subject[0]?.name === work.scope.repository, 'The shipped revision is named after another repository than the scope.'],

    [proposalSteps.every((step) => step.fact.stream === `proposal-${proposal.proposalId}`), 'A step of the proposal is of another stream.'],
    [taskSteps.every((step) => step.fact.stream === `task-${taskId}`), 'A step of the task is of another stream.'],
    [isRising(proposalSteps) && isRising(taskSteps), 'The steps did not happen in the order of the round trip.'],
    [isDistinct([...proposalSteps, ...taskSteps].map(({ fact }) => fact.eventId)), 'Two steps stand on one event.'],
    [
      Object.entries(TYPES).every(([step, type]) => chain[step as keyof typeof TYPES].fact.type === type),
      'A step stands on an event of another type.',
    ],

    [
      isOne([proposal, decision, mutation, work].map((step) => step.actionDigest)),
      'What was decided is not what was proposed and done: the action digests differ.',
    ],
    [
      isOne([proposal, decision, mutation, work].map((step) => step.presentedDigest)),
      'The decision is on another card than the one presented.',
    ],
    [
      decision.fact.author.id === decision.by.id && mutation.decidedBy.id === decision.by.id,
      'The decision is attributed to someone who did not take it.',
    ],
    [decision.fact.author.kind === 'human' && decision.by.id !== proposal.agent.id, 'The decision was not taken by a human.'],
    [
      proposal.mode !== 'four_eyes' || decision.by.id !== proposal.requester.id,
      'Four eyes were asked for, and the requester decided alone.',
    ],
    [work.proposalId === proposal.proposalId, 'The task was queued by another proposal.'],

    [digestOf(work.scope) === scopeDigest && scoped.every((step) => step.scopeDigest === scopeDigest), 'The scope changed on the way.'],
    [lease.fence === content.fence && sameHolder(lease, lease.holder, report, report.by), 'The report was not made under the lease.'],
    [content.taskId === taskId, 'The report is on another task.'],
    [digestOf(content) === report.reportDigest, 'The report is not the one that its digest names.'],
    [
      [verification, verdict, shipped].every((step) => step.reportDigest === report.reportDigest),
      'The verdict or the shipping is on another report.',
    ],
    [
      verification.fence === verdict.fence && sameHolder(verification, verification.holder, verdict, verdict.by),
      'The verdict was not given under the verification.',
    ],
    [BigInt(verification.fence) > BigInt(lease.fence), 'The verification is older than the report.'],
    [
      !sharedLineage(
        verdict.by,
        [lease.holder, report.by].map((holder) => ({ holder, eventId: '', type: '' })),
      ),
      'The verifier shares its lineage with the implementer.',
    ],
    [outOfScope(verdict.changedPaths, work.scope).length === 0, 'A path outside the scope was changed.'],
    [isEmpty(differences(content.changedPaths, verdict.changedPaths)), 'The verifier found other changed paths than were reported.'],
    [
      missingEvidence(
        work.scope,
        verdict.evidence,
        verdict.evidence.map((atom) => atom.outputSha256),
      ).length === 0,
      'A required check has no passing evidence but the implementer’s own.',
    ],
    [shipped.tree === verdict.tree, 'What was shipped has another tree than what was verified.'],
    [
      shipped.fact.author.id === shipped.by && shipped.fact.author.kind === 'human',
      'The shipping is attributed to someone who did not do it.',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
};

const TYPES = {
  proposal: 'ProposalSubmitted',
  decision: 'ConfirmationApproved',
  mutation: 'MutationCommitted',
  work: 'TaskQueued',
  lease: 'LeaseGranted',
  report: 'WorkReported',
  verification: 'VerificationGranted',
  verdict: 'WorkVerified',
  shipped: 'WorkShipped',
} as const;

type Step = Readonly<{ fact: Fact }>;

const same = (a: unknown, b: unknown): boolean => digestOf(a) === digestOf(b);
const isOne = (values: readonly string[]): boolean => new Set(values).size === 1;
const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;
const isRising = (steps: readonly Step[]): boolean =>
  steps.every(({ fact }, index) => index === 0 || BigInt(fact.revision) > BigInt(steps[index - 1]!.fact.revision));

/** One principal with one credential took the lease and wrote under it. */
const sameHolder = (granted: Step, holder: ReceiptHolder, written: Step, by: ReceiptHolder): boolean =>
  isOne([granted.fact.author.id, holder.principalId, written.fact.author.id, by.principalId]) &&
  isOne([granted.fact.credentialId, holder.credentialId, written.fact.credentialId, by.credentialId]);

const isEmpty = ({ hidden, claimed }: ReturnType<typeof differences>): boolean => hidden.length + claimed.length === 0;
