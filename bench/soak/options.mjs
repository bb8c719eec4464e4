import { parseArgs } from 'node:util';

/** What `npm run soak -- …` takes. `rate` is trips a second, undefined for half of the highest. */
export const optionsFrom = (args) => {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: 'half' },
      streams: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
    },
  });
  const number = (name, { above, whole = false }) => {
    const value = Number(values[name]);
    if (!(value > above) || (whole && !Number.isSafeInteger(value)))
      throw new Error(`--${name} is "${values[name]}". Give a ${whole ? 'whole ' : ''}number above ${above}.`);
    return value;
  };
  return {
    minutes: number('minutes', { above: 0 }),
    rate: values.rate === 'half' ? undefined : number('rate', { above: 0 }),
    streams: number('streams', { above: 0, whole: true }),
    seed: number('seed', { above: -1, whole: true }),
  };
};
