import { classifyShell } from '../shell/classify-shell.js';
import { CORPORA, corpus, corpusCommands } from '../testing/corpora.js';
import type { Verdict } from '../verdict.js';
import { evaluate, type Missed } from './evaluate.js';

const told = (missed: readonly Missed[]): string[] =>
  missed.map(({ command, verdict }) => `${command} is ${verdict.tier}: ${verdict.reason}`);
const evaluated = (name: (typeof CORPORA)[number]) => evaluate(corpus(name), (command) => ({ verdict: classifyShell(command), micros: 0 }));

describe.each(CORPORA)('On the corpus %s the classifier', (name) => {
  const { destructive, misses, prompts, blocked, unmarked } = evaluated(name);

  it('tells every command that destroys', () => expect(told(destructive.missed)).toEqual([]));
  it('lets nothing run alone that must not', () => expect(told(misses.missed)).toEqual([]));
  it('asks about no command that needs nobody', () => expect(told(prompts.missed)).toEqual([]));
  it('blocks no safe command', () => expect(told(blocked.missed)).toEqual([]));
  it('gives every verdict a reason, and a place in the command', () => expect(told(unmarked)).toEqual([]));
});

describe('The place that a verdict marks', () => {
  const asked = corpusCommands()
    .map((command) => ({ command, verdict: classifyShell(command) }))
    .filter(({ verdict }) => verdict.tier !== 'safe');
  const without = ({ command, verdict: { span } }: { command: string; verdict: Verdict }): Verdict =>
    classifyShell(`${command.slice(0, span.start)}true${command.slice(span.end)}`);

  it('holds what the verdict is for: with something harmless in its place, that reason is gone', () => {
    const kept = asked.filter((one) => {
      const { reason, tier } = without(one);
      return reason === one.verdict.reason && tier === one.verdict.tier;
    });
    expect(kept.map(({ command }) => command)).toEqual([]);
  });

  it('is no more than the line that is to blame, and no segment leaves the command', () => {
    for (const { command, verdict } of asked)
      for (const { span, reasonSpan, findings } of verdict.segments)
        for (const { start, end } of [span, reasonSpan, ...findings.map((finding) => finding.span)]) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(command.length);
        }
  });
});
