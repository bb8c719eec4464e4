import { median, show } from '../harness.mjs';

/** Shorter than this, caches that fill look like a leak. */
export const LEAST_MINUTES = 10;
const MOST_MEMORY = 1.1;
const MOST_LATENCY = 1.5;

const least = (values) => Math.min(...values);
/** `judge`: how much of the first third the last may be. */
const LINES = [
  { what: 'server, resident, least', key: 'rss', unit: 'MB', of: least, judge: MOST_MEMORY },
  { what: 'server, heap, least', key: 'heap', unit: 'MB', of: least, judge: MOST_MEMORY },
  { what: 'PostgreSQL, without shared pages', key: 'postgres', unit: 'MB' },
  { what: 'connections to PostgreSQL', key: 'connections', unit: '' },
  ...['command', 'read'].flatMap((kind) =>
    ['p50', 'p95', 'p99'].map((at) => ({
      what: `${kind}s, ${at}`,
      key: `${kind}.${at}`,
      unit: 'ms',
      ...(at !== 'p99' && { judge: MOST_LATENCY }),
    })),
  ),
  { what: 'event loop late, p99', key: 'late', unit: 'ms' },
  { what: 'read models behind', key: 'lagSeconds', unit: 's' },
  { what: 'trips', key: 'tripsPerSecond', unit: '/s' },
  { what: 'requests', key: 'requestsPerSecond', unit: '/s' },
];

/** What the first third of the samples and the last have in common; each a line with both figures, their ratio, and the growth a minute. */
export const compare = (samples) => {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const minutes = (middleOf(last) - middleOf(first)) / 60 || Number.NaN;
  return LINES.map(({ what, key, unit, of = median, judge }) => {
    const [before, after] = [first, last].map((part) => of(part.map((sample) => sample[key])));
    const ratio = before === 0 ? Number.NaN : after / before;
    const growthPerMinute = (after - before) / minutes;
    return { what, unit, before, after, ratio, growthPerMinute, ...(judge && { most: judge, holds: !(ratio > judge) }) };
  });
};
const middleOf = (part) => (part[0].at + part.at(-1).at) / 2;

/** One sentence: whether memory and latency stayed. */
export const verdictOf = ({ minutes, lines, refused, failed, ended }) => {
  const grown = lines.filter(({ holds }) => holds === false).map(({ what, ratio }) => `${what} × ${show(ratio)}`);
  const faults = [
    ...(grown.length ? [`grew: ${grown.join('; ')}`] : []),
    ...(refused ? [`${refused} answers 429 or 503`] : []),
    ...(failed ? [`${failed} trips failed`] : []),
    ...(ended ? [`${ended} streams ended by the server`] : []),
  ];
  if (minutes < LEAST_MINUTES)
    return `Not judged: caches still fill in ${show(minutes)} min. Give it ${LEAST_MINUTES}.${faults.length ? ` Seen: ${faults.join(', ')}.` : ''}`;
  return faults.length ? `Not steady: ${faults.join(', ')}.` : 'Steady.';
};

/** The page of what one run saw. */
export const pageOf = (run) => `# What \`npm run soak\` saw

Generated, ${run.at}, ${run.machine}. What a trip is, and how this is measured, stands in \`soak.mjs\`.

**${run.verdict}**

- ${run.trips.toLocaleString('en-US')} trips in ${show(run.minutes)} min at ${show(run.rate)} a second, ${run.highest ? `half of the highest (${show(run.highest)})` : 'as was asked'}; ${run.failed} failed, ${run.refused} answers 429 or 503. Seed ${run.seed}.
- ${show(run.diskPerTrip)} KB of disk a trip, without what is written ahead.
- ${run.streams.count} streams heard ${run.streams.least} to ${run.streams.most} events each since they were opened, before the highest rate was sought; the server ended ${run.streams.ended}. Opening them took ${show(run.streams.rssEach)} KB of resident memory each, ${show(run.streams.heapEach)} KB of heap.
- One card reached the first of ${run.push.reached} streams ${show(run.push.first)} ms after its proposal was sent, half of them after ${show(run.push.median)} ms, the last after ${show(run.push.last)} ms.

| what | first third | last third | last ÷ first | growth a minute | bar |
|---|---|---|---|---|---|
${run.lines.map(rowOf).join('\n')}
`;

const rowOf = ({ what, unit, before, after, ratio, growthPerMinute, most, holds }) =>
  `| ${what} | ${show(before)} ${unit} | ${show(after)} ${unit} | ${cell(ratio)} | ${cell(growthPerMinute)} ${unit} | ${most ? `≤ ${most} ${holds ? 'hit' : 'MISS'}` : ''} |`;
const cell = (value) => (Number.isNaN(value) ? '' : value < 0 ? `-${show(-value)}` : show(value));
