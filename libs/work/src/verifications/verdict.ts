import { accept, record, refuse, SYSTEM_ID, type Command, type Decision } from '#libs/kernel';
import { underFence } from '../leases/fence.js';
import { presentHolder } from '../leases/holder.js';
import { endOf } from '../leases/lease.js';
import { differences, outOfScope } from '../reports/changed-paths.js';
import { beyondStatement } from '../reports/statement-size.js';
import type { StatedAtom } from '../reports/report.js';
import type { KnownTask } from '../task.js';
import type { ChangedPath, EvidenceAtom, Finding, TaskEvent } from '../task-events.js';
import { missingEvidence, provenanceOf } from './evidence.js';
import { notIndependent } from './independence.js';
import { tieOf } from './verification.js';

export type RecordVerdict = Command<
  'RecordVerdict',
  Readonly<{
    fence: string;
    /** Of the report that was judged; a verdict on another one is refused. */
    reportDigest: string;
    verdict: 'verified' | 'rejected' | 'unverifiable';
    findings: readonly Finding[];
    evidence: readonly StatedAtom[];
    /** Computed by the verifier from git. */
    changedPaths: readonly ChangedPath[];
    tree: string;
    /** Which of the evidence's outputs are stored: looked up, never stated. */
    readable: readonly string[];
  }>
>;

/** Ends the verification. Independence is judged again: lineage may have become known since the claim. */
export const recordVerdict = (command: RecordVerdict, state: KnownTask): Decision<TaskEvent> =>
  underFence(command, state, 'verification', (held) => {
    const { data, meta } = command;
    const { report } = held.rest;
    const { work, scopeDigest } = held.facts;
    const by = presentHolder(meta.actor, held.lease.holder);

    const tie = tieOf(by, held, report, meta.at);
    if (tie)
      return record(
        [
          { type: 'VerificationRefused', data: tie },
          { type: 'LeaseRevoked', data: { ...endOf(held, meta.at), kind: 'verification', by: SYSTEM_ID, reason: 'not independent' } },
        ],
        notIndependent(tie),
      );
    if (data.reportDigest !== report.reportDigest)
      return refuse('conflict', 'verdict/other-report', 'This verdict is on another report than the one you hold. Read the brief again.', {
        reportDigest: report.reportDigest,
      });

    const evidence = data.evidence.map((atom): EvidenceAtom => ({ ...atom, provenance: provenanceOf(meta.actor) }));
    const { reportDigest, findings, changedPaths, tree } = data;
    const verdict = { ...endOf(held, meta.at), by, reportDigest, scopeDigest, findings, evidence, changedPaths, tree };
    switch (data.verdict) {
      case 'unverifiable':
        return accept({ type: 'WorkUnverifiable', data: verdict });
      case 'rejected':
        return findings.length > 0
          ? accept({ type: 'WorkRejected', data: verdict })
          : refuse('invalid', 'verdict/no-findings', 'A rejection says what was found, so that the work can be mended.', undefined, [
              { pointer: '/findings', detail: 'Must hold at least one finding.' },
            ]);
      case 'verified': {
        const { hidden, claimed } = differences(report.changedPaths, changedPaths);
        const outside = outOfScope(changedPaths, work);
        if (hidden.length + claimed.length + outside.length > 0)
          return refuse(
            'conflict',
            'verdict/paths-differ',
            'What git shows differs from the report or the scope: this can be rejected, not verified.',
            {
              hidden,
              claimed,
              outOfScope: outside,
            },
          );
        const tooLarge = beyondStatement('verdict', { findings, changedPaths, evidence });
        if (tooLarge) return tooLarge;
        const missing = missingEvidence(work, evidence, data.readable);
        return missing.length > 0
          ? refuse('conflict', 'verdict/evidence-missing', 'Each required check needs a passing run of your own, with its output stored.', {
              missing,
            })
          : accept({ type: 'WorkVerified', data: verdict });
      }
    }
  });
