import { type Span } from '../verdict.js';

/** Text that was written somewhere in the command, maybe in pieces; `runs` say where each piece stands. */
export type Text = Readonly<{ value: string; runs: readonly Run[] }>;
/** From `at` in the value on, the characters stand at `from` to `to` of the command; one by one where the lengths agree. */
export type Run = Readonly<{ at: number; from: number; to: number }>;

/** Some text of which only bash will know the value. NUL is free for this: a command that holds one is refused. */
export const UNKNOWN = '\u0000';
/** A home directory, the working directory, a number, the path of an open descriptor: unknown too, but never an option. */
export const HOME = '\u0001';
export const CWD = '\u0002';
export const NUMBER = '\u0003';
export const DESCRIPTOR = '\u0004';

export const isKnown = (value: string): boolean => !value.includes(UNKNOWN);

/** For people: what cannot be known, by name. */
export const shown = (value: string): string =>
  // eslint-disable-next-line no-control-regex
  value.replace(/[\u0000-\u0004]/g, (mark) => (mark === HOME ? '~' : mark === CWD ? '$PWD' : mark === DESCRIPTOR ? '<(…)' : '…'));

export const textAt = (value: string, span: Span): Text => ({ value, runs: [{ at: 0, from: span.start, to: span.end }] });

/** Where the characters `[start, end)` of a text stand in the command. */
export const originOf = ({ value, runs }: Text, start: number, end: number): Span => {
  if (runs.length === 0) return { start: 0, end: 0 };
  const place = (index: number, last: boolean): number => {
    let at = 0;
    for (let end = runs.length; end - at > 1;) {
      const middle = (at + end) >> 1;
      if (runs[middle]!.at <= index) at = middle;
      else end = middle;
    }
    const run = runs[at]!;
    const length = (runs[at + 1]?.at ?? value.length) - run.at;
    if (length === run.to - run.from) return run.from + (index - run.at) + (last ? 1 : 0);
    return last ? run.to : run.from;
  };
  const from = place(start, false);
  return { start: from, end: Math.max(from, end > start ? place(end - 1, true) : from) };
};

export const spanOf = (text: Text): Span => originOf(text, 0, text.value.length);

export const slice = (text: Text, start: number, end = text.value.length): Text => {
  const runs: Run[] = [];
  for (let i = 0; i < text.runs.length; i++) {
    const run = text.runs[i]!;
    const until = text.runs[i + 1]?.at ?? text.value.length;
    if (until <= start || run.at >= end) continue;
    const verbatim = until - run.at === run.to - run.from;
    const skipped = Math.max(0, start - run.at);
    const cut = Math.max(0, until - end);
    runs.push({
      at: Math.max(0, run.at - start),
      from: verbatim ? run.from + skipped : run.from,
      to: verbatim ? run.to - cut : run.to,
    });
  }
  if (runs.length === 0) runs.push({ at: 0, from: originOf(text, start, start).start, to: originOf(text, start, start).start });
  return { value: text.value.slice(start, end), runs };
};

export const concat = (texts: readonly Text[]): Text => {
  let value = '';
  const runs: Run[] = [];
  for (const text of texts) {
    for (const run of text.runs) runs.push({ ...run, at: run.at + value.length });
    value += text.value;
  }
  return { value, runs };
};

export const covering = (...spans: readonly Span[]): Span => ({
  start: Math.min(...spans.map(({ start }) => start)),
  end: Math.max(...spans.map(({ end }) => end)),
});

/** A script and where it is written: the command itself, or text inside it that a shell will run. */
export type Source = Readonly<{ text: string; origin: (start: number, end: number) => Span }>;

export const sourceOf = (text: Text): Source => ({ text: text.value, origin: (start, end) => originOf(text, start, end) });
