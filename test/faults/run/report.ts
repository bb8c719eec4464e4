import type { Violation } from '../checker/violation.js';

/** What a run was, and what the checker found. */
export type Report = Readonly<{
  seed: number;
  /** From the first start to the judgement. */
  minutes: number;
  events: number;
  faults: Readonly<Record<string, number>>;
  skipped: readonly string[];
  /** Processes that were killed, those of PostgreSQL counted as one. */
  kills: number;
  trips: number;
  edits: number;
  commands: number;
  /** Answers that were held against the log. */
  acknowledged: number;
  /** Refusals of which it was seen that they had no effect. */
  refusedChecked: number;
  answers: Readonly<Record<string, number>>;
  violations: readonly Violation[];
  /** From the start to the first violation that was seen while clients still wrote. */
  foundAfterMs?: number;
}>;

export const reportText = (report: Report): string => {
  const { seed, minutes, events, faults, skipped, kills, trips, edits, commands, acknowledged, refusedChecked, answers, violations } =
    report;
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return [
    '',
    `Seed ${seed}, ${minutes} minutes`,
    `  events       ${events}, of ${commands} commands by clients; ${trips} round trips and ${edits} rival edits came to their end`,
    `  faults       ${list(faults) || 'none'}; ${kills} kills`,
    ...(skipped.length > 0 ? [`  skipped      ${skipped.join('; ')}`] : []),
    `  answers      ${list(answers)}`,
    `  checked      ${acknowledged} acknowledged answers against the log, ${refusedChecked} refusals for their lack of effect`,
    `  violations   ${violations.length}`,
    ...violations.slice(0, 20).map(({ rule, place, detail }) => `    ${rule}  ${place}: ${detail.slice(0, 600)}`),
    ...(report.foundAfterMs !== undefined ? [`  found        after ${(report.foundAfterMs / 1000).toFixed(1)} s`] : []),
    '',
  ].join('\n');
};
