// What every bench shares: rounds that take turns, the median and spread of what they measured, and how a figure stands beside its bar.

/** The middle of some numbers; of an even count, the mean of the two in the middle. */
export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** The value below which this share (0 to 1) of some numbers lies, by the nearest rank. */
export const quantile = (values, share) => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
};

/** What many rounds gave, in three numbers. */
export const spread = (values) => ({ median: median(values), min: Math.min(...values), max: Math.max(...values) });

/** A figure that has to be this high, or higher: `atLeast(0.7)` or, where equal is not enough, `above(1)`. */
export const atLeast = (least) => ({ text: `≥ ${least}`, isHitBy: (figure) => figure >= least });
export const above = (least) => ({ text: `> ${least}`, isHitBy: (figure) => figure > least });
export const atMost = (most, unit = '') => ({ text: `≤ ${most}${unit}`, isHitBy: (figure) => figure <= most });
export const below = (most, unit = '') => ({ text: `< ${most}${unit}`, isHitBy: (figure) => figure < most });

/**
 * Lets contestants (a measuring function by name, each giving a number) take turns, so that whatever else the machine does meanwhile
 * meets all of them; every second round goes in the other direction. Answers the numbers of each, by name.
 */
export const compete = async (contestants, rounds, say = () => undefined) => {
  const values = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const turns = Object.entries(contestants);
    for (const [name, measure] of round % 2 ? turns.reverse() : turns) {
      const value = await measure();
      values[name].push(value);
      say(`round ${round + 1}: ${name} ${show(value)}`);
    }
  }
  return values;
};

/**
 * A row of the results. The figure is the median of the rounds' own ratios, each of two measurements that were taken right after one
 * another; a ratio of the two medians would mix quiet rounds of the one with busy rounds of the other.
 */
export const ratioRow = ({ what, unit, values, ours, against, bar }) => {
  const ratios = values[ours].map((value, round) => value / values[against][round]);
  return row({ what, against, unit, values, figures: ratios, bar });
};

/** A row whose figure is measured itself and no ratio. */
export const figureRow = ({ what, unit, values, of, bar }) =>
  row({ what, against: 'itself', unit, values, figures: values[of], figureUnit: unit, bar });

/** A row with nothing to hit: it explains others. */
export const noteRow = ({ what, unit, values }) => ({ what, unit, measured: measured(values) });

const row = ({ what, against, unit, values, figures, figureUnit, bar }) => {
  const figure = spread(figures);
  return {
    what,
    against,
    bar: bar.text,
    figure,
    ...(figureUnit && { figureUnit }),
    hit: bar.isHitBy(figure.median),
    unit,
    measured: measured(values),
  };
};
const measured = (values) => Object.fromEntries(Object.entries(values).map(([name, each]) => [name, spread(each)]));

/** The table of `RESULTS.md` for the rows of one area. */
export const table = (rows) => {
  const lines = rows.map(({ what, against = '', bar = '', figure, figureUnit = '', hit, unit, measured: all }) => [
    what,
    against,
    bar,
    figure ? `**${show(figure.median)}**${figureUnit && ` ${figureUnit}`} (${show(figure.min)}..${show(figure.max)})` : '',
    hit === undefined ? '' : hit ? 'hit' : 'MISS',
    Object.entries(all)
      .map(([name, each]) => `${name} ${show(each.median)} (${show(each.min)}..${show(each.max)})`)
      .join('; ') + ` ${unit}`,
  ]);
  return markdown([['what', 'against', 'bar', 'figure (min..max)', '', 'measured: median (min..max)'], ...lines]);
};

/** As prettier would align it, so that the generated file passes the format check. */
const markdown = ([head, ...body]) => {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...body].map((cells) => widthOf(cells[column]))));
  const line = (cells) => `| ${cells.map((cell, column) => cell + ' '.repeat(widths[column] - widthOf(cell))).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
};
const widthOf = (text) => [...text].length;

/** Three digits that count, and no exponent. */
export const show = (value) => {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return digits === 0 ? Math.round(value).toLocaleString('en-US') : value.toFixed(Math.min(digits, 6));
};
