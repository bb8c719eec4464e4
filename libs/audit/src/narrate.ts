import { nameOf } from './receipt.js';
import type { Statement } from './statement.js';

/** The chain of a receipt as lines for a person, one step a line, then what it does not prove. */
export const narrate = ({ predicate }: Statement): string[] => {
  const { proposal, decision, mutation, work, lease, report, verification, verdict, shipped } = predicate.chain;
  const line = (step: Readonly<{ fact: Readonly<{ stream: string; revision: string }> }>, name: string, at: string, said: string) =>
    `  ${name.padEnd(12)} ${at}  ${said}  [${step.fact.stream}@${step.fact.revision}]`;
  return [
    `Receipt ${predicate.receiptId}`,
    `  audit id     ${predicate.auditId}`,
    `  where        ${predicate.tenant.name} / ${predicate.workspace.name}`,
    `  scope        ${predicate.scopeDigest}: ${work.scope.paths.join(', ')} of ${work.scope.repository}`,
    line(
      proposal,
      'proposed',
      proposal.submittedAt,
      `${proposal.operation} by ${proposal.agent.name} for ${proposal.requester.name}, action ${short(proposal.actionDigest)}`,
    ),
    line(
      decision,
      'approved',
      decision.at,
      `by ${decision.by.name}, who was shown ${short(decision.presentedDigest)} (${proposal.mode === 'four_eyes' ? 'four eyes' : 'supervised'})`,
    ),
    line(mutation, 'committed', mutation.at, mutation.receipts.map(({ stream, revision }) => `${stream}@${revision}`).join(', ')),
    line(work, 'queued', work.at, `"${work.title}" in ${work.queue}`),
    line(lease, 'leased', lease.at, `by ${lease.holder.name}, fence ${lease.fence}`),
    line(report, 'reported', report.at, `${short(report.content.revision)}, report ${short(report.reportDigest)}`),
    ...report.content.artifacts.map((artifact) => `    artifact   ${artifact.sha256}  ${nameOf(artifact)} (${artifact.size} bytes)`),
    line(verification, 'taken', verification.at, `for verification by ${verification.holder.name}, fence ${verification.fence}`),
    line(verdict, 'verified', verdict.at, `by ${verdict.by.name}, report ${short(verdict.reportDigest)}, tree ${short(verdict.tree)}`),
    ...verdict.evidence.map(
      (atom) =>
        `    evidence   check ${atom.check} ${atom.status}, exit ${atom.exitCode}, ${atom.provenance}, output ${short(atom.outputSha256)}`,
    ),
    line(shipped, 'shipped', shipped.at, `${shipped.revision}${shipped.url === undefined ? '' : ` at ${shipped.url}`}`),
    'It does not prove:',
    ...predicate.doesNotProve.map((sentence) => `  - ${sentence}`),
  ].map(printable);
};

const short = (digest: string): string => digest.slice(0, 12);

/** Names in a receipt are data: no control or format character in them may steer a terminal or turn the reading direction. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`);
