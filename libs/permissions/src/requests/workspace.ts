import type { ToolCall } from './call.js';

/** Stands for a workspace that nothing lies in: every path is then judged where it is. */
const NOWHERE = '/nonexistent/workspace';

const SYSTEM =
  /^\/(private\/)?(bin|boot|dev|etc|lib\w*|proc|run|sbin|snap|sys|usr|Applications|Library|System|Volumes)(\/|$)|^\/(private\/)?var(?!\/(www|folders|tmp|lib\/jenkins)\/)(\/|$)/i;
/** The root, what holds homes, and homes themselves. */
const TOO_WIDE = /^\/(home|Users|root|opt|srv|mnt|media)?$|^\/(home|Users)\/[^/]+$|^\/tmp$/i;

/**
 * The workspace that a call may be judged by. A runtime says where it is; that it stands in `/etc` or in a home makes neither
 * of them a workspace in which writing needs nobody. Undefined where nothing was said.
 */
export const workspaceOf = ({ workspace, cwd, home }: Pick<ToolCall, 'workspace' | 'cwd' | 'home'>): string | undefined => {
  const stated = workspace ?? cwd;
  if (stated === undefined) return undefined;
  const path = normalised(stated);
  const isOne =
    path !== undefined && !SYSTEM.test(path) && !TOO_WIDE.test(path) && !(home !== undefined && holds(path, normalised(home) ?? '/'));
  return isOne ? path : NOWHERE;
};

/** Without `.`, doubled and final slashes; undefined for what is not absolute or climbs. */
const normalised = (path: string): string | undefined => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return path.startsWith('/') && !parts.includes('..') ? `/${parts.join('/')}` : undefined;
};

const holds = (path: string, inner: string): boolean => inner === path || inner.startsWith(`${path}/`);
