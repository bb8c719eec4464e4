import type { CommandMeta } from '#libs/kernel';
import type { Workspace } from './workspace.js';

/**
 * The same command, sent in the workspace `workspaceId`, by an operator who reaches beside the workspaces of its credential those
 * that it opened itself: a credential for a new workspace can only be issued by somebody who has none there yet.
 */
export const within = (meta: CommandMeta, workspaceId: string, workspaces: ReadonlyMap<string, Workspace>): CommandMeta => {
  const own = [...workspaces].filter(
    ([, workspace]) => workspace.status !== 'none' && workspace.tenantId === meta.tenantId && workspace.createdBy === meta.actor.id,
  );
  const workspaceIds = [...new Set([...meta.actor.workspaceIds, ...own.map(([id]) => id)])];
  return { ...meta, workspaceId, actor: { ...meta.actor, workspaceIds } };
};
