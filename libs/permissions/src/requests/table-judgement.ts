import { covers, grantFor, matches } from '../grants/grant-terms.js';
import type { PermissionOptions } from '../permission-settings.js';
import { classifyTool } from '../tools/classify-tool.js';
import type { CallJudgement } from './call-judgement.js';
import { workspaceOf } from './workspace.js';

type Strictness = Pick<PermissionOptions, 'secretReads' | 'strictGit' | 'trustedServers'>;

/** The product's own: the tables of programs and tools. */
export const tableJudgement = ({ secretReads, strictGit, trustedServers }: Strictness): CallJudgement => ({
  judge: (call) => {
    const { toolName, toolInput, shell, home, annotations } = call;
    const workspace = workspaceOf(call);
    // A call starts in its workspace, also in one that is not believed to be one.
    const cwd = call.cwd ?? call.workspace;
    return classifyTool(toolName, toolInput, {
      secretReads,
      strictGit,
      trustedServers,
      ...(cwd !== undefined && { cwd }),
      ...(shell !== undefined && { shell }),
      ...(workspace !== undefined && { workspace }),
      ...(home !== undefined && { home }),
      ...(annotations && { annotations }),
    });
  },
  offer: ({ toolName }, verdict) => grantFor(toolName, verdict),
  cover: ({ toolName: tool }, verdict, grants) => {
    const scopes = grants.map(({ scope }) => scope);
    if (!matches(scopes, { tool, verdict })) return undefined;
    const asked = verdict.segments.filter(({ tier }) => tier !== 'safe');
    return [...new Set(asked.map((segment) => grants.find(({ scope }) => covers(scope, tool, segment))!.id))];
  },
});
