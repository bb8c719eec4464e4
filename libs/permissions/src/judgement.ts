import { covers, grantFor, type GrantTerms } from './grants/grant-terms.js';
import { classifyTool, type ToolContext } from './tools/classify-tool.js';
import { type Verdict } from './verdict.js';

/** A call as the runtime of an agent states it. */
export type StatedCall = Readonly<{
  toolName: string;
  toolInput: Readonly<Record<string, unknown>>;
  cwd?: string;
  shell?: string;
  workspace?: string;
  home?: string;
}>;

/** What the classifier says of calls, under settings that hold for all of them. Pure, as long as `realpath` is. */
export const judgementWith = (settings: Omit<ToolContext, 'cwd' | 'shell' | 'workspace' | 'home' | 'annotations'> = {}) => {
  const judge = ({ toolName, toolInput, cwd, shell, workspace, home }: StatedCall): Verdict =>
    classifyTool(toolName, toolInput, {
      ...settings,
      ...(cwd !== undefined && { cwd }),
      ...(shell !== undefined && { shell }),
      ...(workspace !== undefined && { workspace }),
      ...(home !== undefined && { home }),
    });
  const offer = ({ toolName }: StatedCall, verdict: Verdict): readonly GrantTerms[] => grantFor(toolName, verdict);
  /** Ids of the grants that together cover all of the call that is not safe; undefined where a part is covered by none. */
  const cover = (
    { toolName }: StatedCall,
    verdict: Verdict,
    grants: readonly Readonly<{ id: string; scope: GrantTerms }>[],
  ): readonly string[] | undefined => {
    if (!verdict.grantable || verdict.refused === true) return undefined;
    const ids = new Set<string>();
    for (const segment of verdict.segments.filter(({ tier }) => tier !== 'safe')) {
      const grant = grants.find(({ scope }) => covers(scope, toolName, segment));
      if (!grant) return undefined;
      ids.add(grant.id);
    }
    return ids.size > 0 ? [...ids] : undefined;
  };
  return { judge, offer, cover };
};
