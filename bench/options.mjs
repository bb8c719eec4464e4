import { parseArgs } from 'node:util';

/** In the order in which they run. */
export const AREAS = ['append', 'read', 'rebuild', 'claim', 'latency', 'size', 'classify', 'policy', 'push'];

/** What `npm run bench -- …` takes. */
export const optionsFrom = (args) => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: AREAS.join(',') },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      tasks: { type: 'string' },
    },
  });
  const areas = values.only.split(',');
  const unknown = areas.find((area) => !AREAS.includes(area));
  if (unknown !== undefined) throw new Error(`There is no bench "${unknown}". Write --only ${AREAS.join(',')}.`);
  return {
    areas,
    quick: values.quick,
    rounds: wholeNumber('rounds', values.rounds) ?? (values.quick ? 1 : 5),
    tasks: wholeNumber('tasks', values.tasks),
  };
};

const wholeNumber = (name, text) => {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} is "${text}". Give a whole number from 1 on.`);
  return Number(text);
};
