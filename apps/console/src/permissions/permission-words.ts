import { type Named, type Permission } from '../api.js';
import { type Outcome } from '../words.js';

/** The rungs by their number. */
export const LADDER = ['read', 'write', 'unknown', 'financial', 'destructive', 'bulk'];

/** Cards have ids without a prefix. */
export const isPermissionId = (id: string): boolean => /^(perm|hook)_/.test(id);

/** The workspace, by name, where a person has several. */
export const placeOf = ({ workspaceId }: Permission, workspaces: Named[]): string | undefined =>
  workspaces.length > 1 ? workspaces.find(({ id }) => id === workspaceId)?.name : undefined;

/** How a request ended, in sentences. Only its owner decides; `here` says whether it was from this page. */
export const endingOf = ({ status, consumed, agent: { name } }: Permission, here: boolean): Outcome => {
  const elsewhere = here ? '' : ' elsewhere';
  switch (status) {
    case 'approved':
      return {
        tone: 'ok',
        title: `You approved this${elsewhere}`,
        detail: consumed ? `The approval is used: ${name} was let through, this once.` : `${name} may now run it once.`,
      };
    case 'rejected':
      return { tone: 'quiet', title: `You rejected this${elsewhere}`, detail: `Nothing was run. ${name} is told so.` };
    case 'expired':
      return {
        tone: 'warn',
        title: 'Time ran out',
        detail: `Nothing was run. ${name} was told that time ran out, not that you said no, and may ask again.`,
      };
    case 'cancelled':
      return { tone: 'quiet', title: `${name} took this back`, detail: 'Nothing was run.' };
    case 'pending':
      return { tone: 'warn', title: 'This is no longer pending', detail: 'How it ended is not known yet.' };
  }
};
