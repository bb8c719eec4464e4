import { digestOf } from '#libs/kernel';
import type { GrantScope } from '../standing-grants/grant.js';
import { inputOf, type AskedPermission, type Judged } from './permission.js';

/**
 * SHA-256 of all that a person is shown of a request and decides on: the whole call and where it runs, how it is judged and why, and
 * what may be remembered of it. A decision that names it is about that, and nothing that came later.
 */
export const presentedDigest = (permission: AskedPermission): string => {
  const { requestId, owner, agent, call, judged, expiresAt, amended } = permission;
  const { agentId, toolName, sessionId, cwd, shell, workspace, home } = call;
  const { tier, ladder, reason, span, effects, segments, ungrantable, files = [] } = judged;
  return digestOf({
    schema: 1,
    requestId,
    owner,
    agent,
    agentId,
    toolName,
    toolInput: inputOf(permission),
    askedInput: amended ? call.toolInput : null,
    where: { sessionId: sessionId ?? null, cwd: cwd ?? null, shell: shell ?? null, workspace: workspace ?? null, home: home ?? null },
    judged: { tier, ladder, reason, span, effects, segments, ungrantable: ungrantable ?? null, files },
    offered: offered(judged),
    expiresAt,
  });
};

/** What a standing approval of this may cover: never anything that is not grantable or not dangerous. */
export const offered = ({ grantable, tier, proposedGrants }: Judged): readonly GrantScope[] =>
  grantable && tier === 'dangerous' ? proposedGrants : [];
