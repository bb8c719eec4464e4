import { type ClassifyContext } from '../context.js';
import { CWD, DESCRIPTOR, HOME, isKnown } from '../shell/text.js';

/**
 * Where a path leads: below the workspace, above it (how far up is not known), below some home directory, from the root of the file
 * system, or anywhere. `parts` hold no `.` and no `..`.
 */
export type Place = Readonly<{ root: 'workspace' | 'above' | 'home' | 'fs' | 'anywhere'; parts: readonly string[] }>;

export const ANYWHERE: Place = { root: 'anywhere', parts: [] };
export const WORKSPACE: Place = { root: 'workspace', parts: [] };

/** Resolves `.`, `..`, doubled slashes, homes and the usual other names of the same directories; not links, which only the disk knows. */
export const placeOf = (path: string, cwd: Place, context: ClassifyContext): Place => {
  if (path.startsWith(DESCRIPTOR)) return { root: 'fs', parts: ['dev', 'fd', '63'] };
  if (!isKnown(path)) return ANYWHERE;
  if (path.startsWith(HOME)) return descend({ root: 'home', parts: [] }, path.slice(1), context);
  if (path.startsWith(CWD)) return descend(cwd, path.slice(1), context);
  if (path.startsWith('/')) return descend({ root: 'fs', parts: [] }, path, context);
  return descend(cwd, path, context);
};

export const startOf = (context: ClassifyContext): Place => (context.cwd ? placeOf(context.cwd, WORKSPACE, context) : WORKSPACE);

const descend = (from: Place, path: string, context: ClassifyContext): Place => {
  let place = from;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    place = part === '..' ? parentOf(place, context) : { root: place.root, parts: [...place.parts, part] };
  }
  return place.root === 'fs' ? known(place.parts, context) : place;
};

const parentOf = ({ root, parts }: Place, context: ClassifyContext): Place => {
  if (root === 'anywhere') return ANYWHERE;
  if (parts.length > 0) return { root, parts: parts.slice(0, -1) };
  const absolute = root === 'workspace' ? (context.workspace ?? context.cwd) : root === 'home' ? (context.home ?? '/home/user') : undefined;
  if (absolute) return { root: 'fs', parts: split(absolute).slice(0, -1) };
  return root === 'workspace' ? { root: 'above', parts: [] } : { root, parts: [] };
};

/** Absolute paths by the names that rules use: the workspace, a home, and one spelling where a system has several. */
const known = (parts: readonly string[], context: ClassifyContext): Place => {
  if (parts[0] === 'private' && ['etc', 'tmp', 'var'].includes(parts[1] ?? '')) return known(parts.slice(1), context);
  if (parts[0] === 'proc' && parts[2] === 'root') return known(parts.slice(3), context);
  if (parts[0] === 'proc' && parts[2] === 'cwd') return { root: 'anywhere', parts: parts.slice(3) };
  const workspace = context.workspace ?? context.cwd;
  for (const [root, at] of [
    ['workspace', workspace],
    ['home', context.home],
  ] as const) {
    const own = at === undefined ? [] : split(at);
    if (own.length > 0 && own.every((part, i) => parts[i] === part)) return { root, parts: parts.slice(own.length) };
  }
  if ((parts[0] === 'home' || parts[0] === 'Users') && parts.length > 1) return { root: 'home', parts: parts.slice(2) };
  if (parts[0] === 'root') return { root: 'home', parts: parts.slice(1) };
  return { root: 'fs', parts };
};

const split = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** As a person would write it; a grant's path constraints are kept in this form. */
export const pathOf = ({ root, parts }: Place): string => {
  const below = parts.join('/');
  switch (root) {
    case 'workspace':
      return below === '' ? '.' : below;
    case 'above':
      return `../${below}`;
    case 'home':
      return below === '' ? '~' : `~/${below}`;
    case 'fs':
      return `/${below}`;
    case 'anywhere':
      return '…';
  }
};

/** The absolute path, where the context says enough to know it. */
export const absoluteOf = ({ root, parts }: Place, context: ClassifyContext): string | undefined => {
  const base = root === 'workspace' ? (context.workspace ?? context.cwd) : root === 'home' ? context.home : root === 'fs' ? '/' : undefined;
  return base === undefined ? undefined : `/${[...split(base), ...parts].join('/')}`;
};

/** The place itself, and where its links lead if the context can tell. */
export const placesOf = (place: Place, context: ClassifyContext): readonly Place[] => {
  const absolute = context.realpath && absoluteOf(place, context);
  const real = absolute === undefined ? undefined : context.realpath?.(absolute);
  return real === undefined || real === absolute ? [place] : [place, placeOf(real, WORKSPACE, context)];
};

/** Names compare without case, and without the trailing dots and spaces that some file systems drop. */
export const nameOf = (part: string): string => part.toLowerCase().replace(/[. ]+$/, '') || part;

export const isWithin = (path: string, root: string): boolean =>
  !path.includes('…') &&
  (path === root || path.startsWith(root === '/' ? '/' : `${root}/`) || (root === '.' && !/^(\.\.|~|\/)/.test(path)));
