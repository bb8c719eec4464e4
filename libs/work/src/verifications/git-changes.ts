import { posix } from 'node:path';
import { git, type GitPlace } from '../git/git.js';
import type { ChangedPath, Finding } from '../task-events.js';

/** What lies between two commits, with what no report may contain: submodules, links out of the repository, names that aren't text. */
export type Changes = Readonly<{ changedPaths: readonly ChangedPath[]; findings: readonly Finding[] }>;

export const changesBetween = async (place: GitPlace, base: string, revision: string): Promise<Changes> => {
  const raw = await git(
    place,
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-abbrev',
    '--find-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=none',
    base,
    revision,
  );
  const entries = entriesOf(raw);
  return {
    changedPaths: entries.flatMap(changesOf),
    findings: (await Promise.all(entries.map((entry) => findingsOf(place, entry)))).flat(),
  };
};

type Entry = Readonly<{
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
  status: string;
  path: string;
  from?: string;
  isText: boolean;
}>;

const SYMLINK = '120000';
const SUBMODULE = '160000';

/** `:oldmode newmode oldid newid status NUL path NUL`, and one path more for a rename: old, then new. */
const entriesOf = (raw: Buffer): Entry[] => {
  const parts: Buffer[] = [];
  for (let from = 0, to = raw.indexOf(0); to >= 0; from = to + 1, to = raw.indexOf(0, from)) parts.push(raw.subarray(from, to));
  const entries: Entry[] = [];
  for (let index = 0; index < parts.length;) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = parts[index++]!.toString('latin1').slice(1).split(' ');
    const first = nameOf(parts[index++]);
    const second = status.startsWith('R') || status.startsWith('C') ? nameOf(parts[index++]) : undefined;
    const path = second ?? first;
    entries.push({
      oldMode,
      newMode,
      oldId,
      newId,
      status: status.charAt(0),
      path: path.text,
      ...(second && { from: first.text }),
      isText: path.isText && first.isText,
    });
  }
  return entries;
};

const nameOf = (bytes: Buffer = Buffer.alloc(0)): Readonly<{ text: string; isText: boolean }> => {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { text, isText: true } : { text: `\\x${bytes.toString('hex')}`, isText: false };
};

/** A file whose content and mode both changed is named twice: a report that tells one and hides the other differs. */
const changesOf = ({ status, path, from, oldMode, newMode, oldId, newId }: Entry): ChangedPath[] => {
  switch (status) {
    case 'A':
    case 'C':
      return [{ path, change: 'added' }];
    case 'D':
      return [{ path, change: 'deleted' }];
    case 'R':
      return [{ path, change: 'renamed', ...(from !== undefined && { from }) }, ...modeOf(path, oldMode, newMode)];
    default:
      return [...(oldId === newId ? [] : [{ path, change: 'modified' as const }]), ...modeOf(path, oldMode, newMode)];
  }
};

const modeOf = (path: string, before: string, after: string): ChangedPath[] => (before === after ? [] : [{ path, change: 'mode' }]);

const findingsOf = async (place: GitPlace, { path, oldMode, newMode, newId, isText }: Entry): Promise<Finding[]> => {
  const findings: Finding[] = [];
  if (!isText) findings.push({ code: 'paths/not-text', detail: 'This name is not valid UTF-8, so no report can state it.', path });
  if (oldMode === SUBMODULE || newMode === SUBMODULE)
    findings.push({
      code: 'paths/submodule',
      detail: 'A submodule was added, moved or removed; what it brings in cannot be seen here.',
      path,
    });
  if (newMode === SYMLINK) {
    const target = (await git(place, 'cat-file', 'blob', newId)).toString('utf8');
    if (leavesRepository(path, target))
      findings.push({ code: 'paths/symlink', detail: `This link leads out of the repository, to ${target}.`, path });
  }
  return findings;
};

const leavesRepository = (path: string, target: string): boolean => {
  if (posix.isAbsolute(target) || target.includes('\\')) return true;
  const parts = posix.normalize(posix.join(posix.dirname(path), target)).split('/');
  return parts[0] === '..' || parts.some((part) => part.toLowerCase() === '.git');
};
