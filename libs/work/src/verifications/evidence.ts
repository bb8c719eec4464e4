import type { Principal } from '#libs/kernel';
import type { WorkScope } from '#libs/proposals';
import type { EvidenceAtom, Provenance } from '../task-events.js';

/** What a verifier's atoms count as, by its credential: a human's own word, the product's own re-run, or no more than a self-report. */
export const provenanceOf = (verifier: Principal): Provenance =>
  verifier.kind === 'human'
    ? 'human'
    : verifier.kind === 'service' && verifier.capabilities.includes('verification-worker')
      ? 'server_rerun'
      : 'self_reported';

export type MissingEvidence = Readonly<{ check: string; why: string }>;

/**
 * Required checks that no atom proves, with the reason of the nearest one. An atom proves a check if it is not self-reported,
 * passed with exit code 0, did not run zero tests, and its output is stored (`readable`). Where a scope requires no check, one such
 * atom is needed all the same: nothing is verified on no evidence.
 */
export const missingEvidence = (work: WorkScope, evidence: readonly EvidenceAtom[], readable: readonly string[]): MissingEvidence[] => {
  const why = (atom: EvidenceAtom) => shortfall(atom, readable);
  if (work.checks.length === 0) return evidence.some((atom) => !why(atom)) ? [] : [{ check: 'any', why: nearest(evidence.map(why)) }];
  return work.checks.flatMap((argv, index) => {
    const reasons = evidence.filter(({ check }) => checkIndex(check, work) === index).map(why);
    return reasons.some((reason) => !reason) ? [] : [{ check: argv.join(' '), why: nearest(reasons) }];
  });
};

/** Which required check a label names: its index, or its arguments joined by spaces where that names one only. */
export const checkIndex = (label: string, { checks }: WorkScope): number | undefined => {
  if (/^\d{1,4}$/.test(label)) return Number(label);
  const named = checks.flatMap((argv, index) => (argv.join(' ') === label ? [index] : []));
  return named.length === 1 ? named[0] : undefined;
};

const shortfall = (atom: EvidenceAtom, readable: readonly string[]): string | undefined => {
  if (atom.provenance === 'self_reported') return 'self_reported';
  if (atom.status !== 'passed') return atom.status;
  if (atom.exitCode !== 0) return 'exit_code';
  if (atom.testsRun === 0) return 'zero_tests';
  if (!readable.includes(atom.outputSha256)) return 'unreadable';
  return undefined;
};

const nearest = (reasons: readonly (string | undefined)[]): string => reasons.findLast((reason) => reason !== undefined) ?? 'missing';
