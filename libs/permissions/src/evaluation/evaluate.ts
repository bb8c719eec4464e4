import { type Tier } from '../effects.js';
import { type Verdict } from '../verdict.js';

/** A row of a corpus: the right tier, or what peers' tests expect after adjudication. */
export type Row = Readonly<{ command: string; tier?: Tier; expect?: string; contested?: boolean }>;

export type Missed = Readonly<{ command: string; wanted: string; verdict: Verdict }>;

export type Evaluation = Readonly<{
  rows: number;
  contested: number;
  /** Commands that destroy: how many there are, and which were not told. */
  destructive: Readonly<{ of: number; missed: readonly Missed[] }>;
  /** Commands that must not run alone, and which would. */
  misses: Readonly<{ of: number; missed: readonly Missed[] }>;
  /** Commands that need nobody, and which ask. */
  prompts: Readonly<{ of: number; missed: readonly Missed[] }>;
  /** Of those, which are blocked as destructive. */
  blocked: Readonly<{ of: number; missed: readonly Missed[] }>;
  /** Verdicts without a reason, or with a mark outside the command. */
  unmarked: readonly Missed[];
  micros: Readonly<{ p50: number; p99: number; max: number; slowest: string }>;
}>;

export type Timed = (command: string) => Readonly<{ verdict: Verdict; micros: number }>;

type Wanted = 'safe' | 'dangerous' | 'destructive' | 'at least dangerous' | 'not destructive' | undefined;

const wantedOf = ({ tier, expect, contested }: Row): Wanted => {
  if (contested === true || expect === 'contested') return undefined;
  if (tier !== undefined) return tier;
  if (expect === 'safe') return 'safe';
  if (expect === 'not-destructive') return 'not destructive';
  return expect?.startsWith('at-least-dangerous') ? 'at least dangerous' : undefined;
};

/** Runs a corpus through a classifier and counts what it gets wrong. */
export const evaluate = (rows: readonly Row[], classify: Timed): Evaluation => {
  const judged = rows.map((row) => ({ row, wanted: wantedOf(row), ...classify(row.command) }));
  const pick = (of: (wanted: Wanted) => boolean, wrong: (verdict: Verdict) => boolean): { of: number; missed: Missed[] } => {
    const concerned = judged.filter(({ wanted }) => wanted !== undefined && of(wanted));
    return {
      of: concerned.length,
      missed: concerned
        .filter(({ verdict }) => wrong(verdict))
        .map(({ row, wanted, verdict }) => ({ command: row.command, wanted: wanted!, verdict })),
    };
  };
  const times = judged.map(({ micros }) => micros).sort((a, b) => a - b);
  const slowest = judged.reduce((a, b) => (b.micros > a.micros ? b : a), judged[0]!);
  const harmless = (wanted: Wanted): boolean => wanted === 'safe' || wanted === 'not destructive';
  return {
    rows: rows.length,
    contested: judged.filter(({ wanted }) => wanted === undefined).length,
    destructive: pick(
      (wanted) => wanted === 'destructive',
      ({ tier }) => tier !== 'destructive',
    ),
    misses: pick(
      (wanted) => !harmless(wanted),
      ({ tier }) => tier === 'safe',
    ),
    prompts: pick(
      (wanted) => wanted === 'safe',
      ({ tier }) => tier !== 'safe',
    ),
    blocked: pick(harmless, ({ tier }) => tier === 'destructive'),
    unmarked: judged
      .filter(({ row, verdict }) => !isMarked(row.command, verdict))
      .map(({ row, verdict }) => ({ command: row.command, wanted: 'a reason and a mark', verdict })),
    micros: { p50: at(times, 0.5), p99: at(times, 0.99), max: times.at(-1) ?? 0, slowest: slowest?.row.command ?? '' },
  };
};

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** It has a reason; and whoever is asked is shown a place in the command that is not empty. */
export const isMarked = (command: string, { reason, span, tier }: Verdict): boolean =>
  reason.length > 0 && span.start >= 0 && span.end <= command.length && (tier === 'safe' || command === '' || span.end > span.start);

const share = (missed: number, of: number): string => (of === 0 ? '–' : `${((100 * missed) / of).toFixed(2)} %`);

/** The evaluation as text, with every exception named. */
export const report = (evaluation: Evaluation): string => {
  const { destructive, misses, prompts, blocked, unmarked, micros } = evaluation;
  const line = (name: string, { of, missed }: { of: number; missed: readonly Missed[] }): string =>
    `${name.padEnd(34)}${String(missed.length).padStart(5)} of ${String(of).padStart(5)}   ${share(missed.length, of)}`;
  const list = (title: string, missed: readonly Missed[]): string[] =>
    missed.length === 0
      ? []
      : ['', `${title}:`, ...missed.map(({ command, verdict }) => `  ${JSON.stringify(command)}  →  ${verdict.tier}: ${verdict.reason}`)];
  return [
    `${evaluation.rows} commands, ${evaluation.contested} of them contested or without a label`,
    `${'destructive recall'.padEnd(34)}${share(destructive.of - destructive.missed.length, destructive.of)} of ${destructive.of}`,
    line('would run alone and must not', misses),
    line('false prompts', prompts),
    line('safe commands blocked', blocked),
    `${'verdicts without reason or mark'.padEnd(34)}${String(unmarked.length).padStart(5)}`,
    `latency in microseconds           p50 ${micros.p50.toFixed(0)}, p99 ${micros.p99.toFixed(0)}, worst ${micros.max.toFixed(0)} (${JSON.stringify(micros.slowest.slice(0, 60))})`,
    ...list('Destructive and not told', destructive.missed),
    ...list('Would run alone and must not', misses.missed),
    ...list('Safe and blocked', blocked.missed),
    ...list('Safe and asked about', prompts.missed),
    ...list('Without a reason or a mark', unmarked),
    '',
  ].join('\n');
};
