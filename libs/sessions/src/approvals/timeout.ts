import { derivedId, digestOf, systemPrincipal } from '#libs/kernel';
import type { TimeOutApproval } from './resolve.js';

type Due = Readonly<{ tenantId: string; workspaceId: string; sessionId: string; approvalId: string; at: string }>;

/** The same command whoever notices first: the deadline of the server, or the runner that waits. */
export const timeOutOf = ({ tenantId, workspaceId, sessionId, approvalId, at }: Due): TimeOutApproval => {
  const commandId = derivedId(sessionId, 'timeout', approvalId);
  return {
    type: 'TimeOutApproval',
    data: { approvalId },
    meta: {
      tenantId,
      workspaceId,
      actor: systemPrincipal(tenantId, workspaceId),
      at,
      commandId,
      requestDigest: digestOf({ approvalId }),
      correlationId: commandId,
      causationId: commandId,
    },
  };
};
