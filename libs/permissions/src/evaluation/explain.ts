import { displayCommand } from '../display.js';
import { type Segment, type Verdict } from '../verdict.js';

/** What `classify --jsonl` writes of a verdict: one object a line. */
export const lineOf = (command: string, { tier, ladder, reason, span, effects, grantable }: Verdict, micros: number) => ({
  command,
  tier,
  ladder,
  reason,
  span,
  effects,
  grantable,
  micros,
});

/** A verdict for a person: the command with the offending words marked, then every segment with what was found in it. */
export const explain = (command: string, verdict: Verdict): string => {
  const { tier, ladder, reason, span } = verdict;
  const before = displayCommand(command.slice(0, span.start));
  const marked = displayCommand(command.slice(span.start, span.end));
  const after = displayCommand(command.slice(span.end));
  return [
    `${tier}, ladder ${ladder}: ${reason}`,
    '',
    `  ${before}»${marked}«${after}`.replace(/\n/g, '\n  '),
    '',
    ...verdict.segments.flatMap(segmentLines),
    verdict.refused === true
      ? 'It is refused: no request is made of it.'
      : tier === 'safe'
        ? `It runs without asking anybody.${verdict.contract ? ' Judged under the execution contract for git.' : ''}`
        : verdict.grantable
          ? 'It can be approved for good.'
          : `It can be allowed once only. ${verdict.ungrantable ?? ''}`.trim(),
    '',
  ].join('\n');
};

const segmentLines = ({ prefix, text, tier, effects, findings, ungrantable, constraints }: Segment): string[] => [
  `  ${tier.padEnd(12)} ${displayCommand(text.split('\n')[0]!).slice(0, 100)}`,
  `               effects: ${effects.join(', ')}`,
  ...findings
    .filter(({ effect }) => effect !== 'read' && effect !== 'net.read')
    .map(({ effect, reason }) => `               ${effect}: ${reason}`),
  ...(tier === 'safe' ? [] : [`               grant: ${ungrantable ?? `${prefix.join(' ')} ${JSON.stringify(constraints)}`}`]),
];
