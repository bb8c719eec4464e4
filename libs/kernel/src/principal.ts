/** Roles of one side only may share a credential: see `sideOf` in identity. */
export type Role = 'eve' | 'approver' | 'operator' | 'member' | 'implementer' | 'verifier';

/**
 * What independence is judged by. `accountableHuman` is named when an agent's credential is issued; `sessions` is the
 * ancestry that the server set, own session last; `conversationId` is declared by a client and can only add conflicts.
 */
export type Lineage = Readonly<{ accountableHuman: string; sessions: readonly string[]; conversationId?: string }>;

/** An authenticated actor. A human is accountable for itself. */
export type Principal = Readonly<{
  id: string;
  kind: 'human' | 'agent' | 'service';
  name: string;
  tenantId: string;
  workspaceIds: readonly string[];
  roles: readonly Role[];
  credentialId: string;
  accountableHuman: string;
  /** Names of queues it may lease from, and `verification-worker` for the product's own verifier. */
  capabilities: readonly string[];
  lineage: Lineage;
}>;

/** The product itself, as the author of what no person or agent decides: expiries, commits, receipts. */
export const SYSTEM_ID = '00000000-0000-7000-8000-000000000000';
export const systemPrincipal = (tenantId: string, workspaceId: string): Principal => ({
  id: SYSTEM_ID,
  kind: 'service',
  name: 'workbench',
  tenantId,
  workspaceIds: [workspaceId],
  roles: [],
  credentialId: SYSTEM_ID,
  accountableHuman: SYSTEM_ID,
  capabilities: [],
  lineage: { accountableHuman: SYSTEM_ID, sessions: [] },
});
