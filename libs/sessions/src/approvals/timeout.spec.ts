import { derivedId, digestOf, newId, systemPrincipal } from '#libs/kernel';
import { timeOutOf } from './timeout.js';

describe('What is sent when time is up', () => {
  const [tenantId, workspaceId, sessionId] = [newId(), newId(), newId()];
  const due = { tenantId, workspaceId, sessionId, approvalId: 'perm_1_a', at: '2026-01-05T09:00:00.000Z' };

  it('is one command of the product, whoever notices first and whenever', () => {
    const commandId = derivedId(sessionId, 'timeout', 'perm_1_a');
    const command = {
      type: 'TimeOutApproval',
      data: { approvalId: 'perm_1_a' },
      meta: {
        tenantId,
        workspaceId,
        actor: systemPrincipal(tenantId, workspaceId),
        at: due.at,
        commandId,
        requestDigest: digestOf({ approvalId: 'perm_1_a' }),
        correlationId: commandId,
        causationId: commandId,
      },
    };
    expect(timeOutOf(due)).toEqual(command);
    expect(timeOutOf({ ...due, at: '2026-01-05T09:00:01.000Z' }).meta.commandId).toBe(commandId);
    expect(timeOutOf({ ...due, approvalId: 'perm_1_b' }).meta.commandId).not.toBe(commandId);
  });
});
