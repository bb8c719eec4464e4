import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../evaluation/evaluate.js';

/** The corpora that belong to this library: `npm run eval:shell` prints how the classifier does on them. */
export const CORPORA = ['adversarial', 'seed_examples'] as const;

export const corpus = (name: (typeof CORPORA)[number]): readonly Row[] =>
  readFileSync(join(__dirname, '../../corpus', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

export const corpusCommands = (): readonly string[] => CORPORA.flatMap((name) => corpus(name).map(({ command }) => command));
