import { isAbsolute, resolve } from 'node:path';
import type { Verdict } from '../verdict.js';
import { shownCommand, type ToolCall } from './call.js';

/** Words of a command that may name the code that it runs, with where each would lie; undefined where that cannot be told. */
export type NamedFile = Readonly<{ word: string; at: string | undefined }>;

/**
 * Files whose content decides what a call does: those that stand where the table says that code is run, else any that the command or
 * the text beside it names, since code may come from there. Undefined where the call runs no code of its own.
 */
export const namedFiles = (call: ToolCall, { segments }: Verdict): readonly NamedFile[] | undefined => {
  const command = shownCommand(call);
  const runs = segments.flatMap((segment) =>
    segment.findings.filter(({ effect }) => effect.startsWith('exec.')).map((finding) => ({ segment, finding })),
  );
  if (runs.length === 0) return undefined;
  const moves = segments.some(({ prefix: [program = ''] }) => MOVES.has(program));
  const words = runs.flatMap(({ segment, finding: { effect, span } }) => {
    if (effect === 'exec.inline') return wordsOf(command);
    const [program = '', ...named] = wordsOf(command.slice(span.start, span.end));
    // `./run.sh` is both the program and the file; `go run` is a subcommand, and the file comes after it.
    const own = program.includes('/') ? [program] : [];
    return named.some((word) => /[./]/.test(word)) ? [...own, ...named] : [...own, ...wordsOf(segment.text)];
  });
  return [...new Set(words.flatMap(namesIn))].map((word) => ({ word, at: placeOf(word, call, moves) }));
};

const MOVES = new Set(['cd', 'pushd', 'popd', 'chroot']);

const placeOf = (word: string, { cwd, workspace, home }: ToolCall, moves: boolean): string | undefined => {
  if (word.startsWith('~/')) return home === undefined ? undefined : resolve(home, word.slice(2));
  if (isAbsolute(word)) return resolve(word);
  const start = cwd ?? workspace;
  return start === undefined || !isAbsolute(start) || moves ? undefined : resolve(start, word);
};

/** `--require=./hook.js` names a file as well; an option alone does not. */
const namesIn = (word: string): string[] => {
  const [, value] = /^[\w-]+=(.+)$/s.exec(word) ?? [];
  return value !== undefined ? [value] : word.startsWith('-') || word === '' ? [] : [word];
};

/** Words as a shell would split them, without what it would put in place of variables: such a word names no file here. */
const wordsOf = (text: string): string[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\\.|[^\s"'\\|&;<>()`])+/gs) ?? []).map((word) =>
    word.replace(/"((?:[^"\\]|\\.)*)"?|'([^']*)'?|\\(.)/gs, (_, double?: string, single?: string, escaped?: string) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? escaped ?? ''),
    ),
  );
