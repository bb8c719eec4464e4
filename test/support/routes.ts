import type { Role } from '#libs/kernel';
import type { Cast } from './workbench.js';

/** Ids of one tenant's things, for others to try. */
export type World = Readonly<{
  recordId: string;
  /** Pending. */
  confirmationId: string;
  taskId: string;
  leaseId: string;
  reportDigest: string;
  receiptId: string;
  auditId: string;
  artifact: string;
  /** Ida's, owned by Ian; an approval waits in it. */
  sessionId: string;
  approvalId: string;
  sessionGrantId: string;
  /** Eve's, pending, owned by Mia; and a grant of Mia's. */
  requestId: string;
  grantId: string;
  credentialId: string;
  principalId: string;
  tenantId: string;
  workspaceId: string;
}>;

/**
 * One row a route. `as` may use it, in its own tenant; `path` and `body` name things of `world`. `reach` says what becomes
 * of somebody of another tenant who sends exactly this: `foreign` is 404 and writes nothing, `own` works on what is theirs
 * and shows nothing of the world, `open` is for everybody and tells of nobody.
 */
export type Route = Readonly<{
  route: string;
  as: keyof Cast | 'nobody';
  reach: 'foreign' | 'own' | 'open';
  /** Who may send it at all, in whatever tenant: for anybody else it is 403, whatever it names. */
  may: readonly Role[];
  path?: (world: World) => string;
  body?: (world: World) => unknown;
  /** Bytes instead of JSON. */
  bytes?: (world: World) => string;
}>;

const ALL: readonly Role[] = ['eve', 'approver', 'operator', 'member', 'implementer', 'verifier'];
const PEOPLE: readonly Role[] = ['approver', 'operator', 'member'];
const AGENTS: readonly Role[] = ['eve', 'implementer', 'verifier'];
const EXECUTORS: readonly Role[] = ['implementer', 'verifier'];

const NO_ID = '0123456789012345678901234567890123456789';
const scope = { repository: '/srv/site', baseRevision: NO_ID, paths: ['src'], commands: [], checks: [['npm', 'test']], criteria: [] };
const verdict = (world: World) => ({
  fence: '2',
  reportDigest: world.reportDigest,
  verdict: 'rejected',
  findings: [{ code: 'x', detail: 'x' }],
  evidence: [],
  changedPaths: [],
  tree: NO_ID,
});
const report = () => ({ fence: '1', revision: NO_ID, artifacts: [], changedPaths: [], evidence: [], summary: 'x' });

export const routes: readonly Route[] = [
  { route: 'POST /api/session', as: 'nobody', reach: 'open', may: ALL, body: () => ({ credential: 'wbk_none' }) },
  { route: 'DELETE /api/session', as: 'nobody', reach: 'open', may: ALL },
  { route: 'GET /api/me', as: 'mia', reach: 'own', may: ALL },
  { route: 'POST /api/delegations', as: 'mia', reach: 'own', may: PEOPLE, body: () => ({}) },

  {
    route: 'POST /api/credentials',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    body: ({ principalId }) => ({ principalId, roles: ['member'] }),
  },
  { route: 'GET /api/credentials', as: 'otto', reach: 'own', may: ['operator'] },
  {
    route: 'DELETE /api/credentials/{id}',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ credentialId }) => `/api/credentials/${credentialId}`,
  },
  { route: 'POST /api/tenants', as: 'ann', reach: 'own', may: ['operator'], body: () => ({ name: 'X', operator: 'Y' }) },
  { route: 'GET /api/tenants', as: 'otto', reach: 'own', may: ['operator'] },
  {
    route: 'DELETE /api/tenants/{id}',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ tenantId }) => `/api/tenants/${tenantId}`,
  },
  { route: 'POST /api/workspaces', as: 'mia', reach: 'own', may: ['operator'], body: () => ({ name: 'X' }) },
  { route: 'GET /api/workspaces', as: 'otto', reach: 'own', may: PEOPLE },
  {
    route: 'DELETE /api/workspaces/{id}',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ workspaceId }) => `/api/workspaces/${workspaceId}`,
  },

  { route: 'GET /api/records', as: 'mia', reach: 'own', may: ALL },
  { route: 'GET /api/records/{id}', as: 'mia', reach: 'foreign', may: ALL, path: ({ recordId }) => `/api/records/${recordId}` },
  {
    route: 'GET /api/records/{id}/history',
    as: 'mia',
    reach: 'foreign',
    may: ALL,
    path: ({ recordId }) => `/api/records/${recordId}/history`,
  },

  {
    route: 'POST /api/proposals',
    as: 'eve',
    reach: 'foreign',
    may: ['eve'],
    body: ({ recordId }) => ({ operation: 'work.dispatch', arguments: { recordId, work: scope }, reason: 'x' }),
  },
  {
    route: 'GET /api/proposals/{id}',
    as: 'mia',
    reach: 'foreign',
    may: ['eve', ...PEOPLE],
    path: ({ confirmationId }) => `/api/proposals/${confirmationId}`,
  },
  {
    route: 'POST /api/proposals/{id}/withdraw',
    as: 'mia',
    reach: 'foreign',
    may: ['eve', ...PEOPLE],
    path: ({ confirmationId }) => `/api/proposals/${confirmationId}/withdraw`,
    body: () => ({}),
  },
  { route: 'GET /api/confirmations', as: 'ann', reach: 'own', may: PEOPLE },
  {
    route: 'GET /api/confirmations/{id}',
    as: 'ann',
    reach: 'foreign',
    may: PEOPLE,
    path: ({ confirmationId }) => `/api/confirmations/${confirmationId}`,
  },
  {
    route: 'POST /api/confirmations/{id}/approve',
    as: 'ann',
    reach: 'foreign',
    may: ['approver'],
    path: ({ confirmationId }) => `/api/confirmations/${confirmationId}/approve`,
    body: () => ({ confirmation_token: 'wbt_x' }),
  },
  {
    route: 'POST /api/confirmations/{id}/decline',
    as: 'ann',
    reach: 'foreign',
    may: ['approver'],
    path: ({ confirmationId }) => `/api/confirmations/${confirmationId}/decline`,
    body: () => ({ reason: 'x' }),
  },
  {
    route: 'POST /api/confirmations/{id}/repropose',
    as: 'ann',
    reach: 'foreign',
    may: PEOPLE,
    path: ({ confirmationId }) => `/api/confirmations/${confirmationId}/repropose`,
    body: () => ({}),
  },

  { route: 'GET /api/queue', as: 'ida', reach: 'own', may: ['operator', ...AGENTS] },
  { route: 'GET /api/tasks', as: 'otto', reach: 'own', may: ALL },
  { route: 'GET /api/tasks/{id}', as: 'otto', reach: 'foreign', may: ALL, path: ({ taskId }) => `/api/tasks/${taskId}` },
  { route: 'GET /api/tasks/{id}/timeline', as: 'otto', reach: 'foreign', may: ALL, path: ({ taskId }) => `/api/tasks/${taskId}/timeline` },
  {
    route: 'POST /api/tasks/{id}/block',
    as: 'ida',
    reach: 'foreign',
    may: ['implementer'],
    path: ({ taskId }) => `/api/tasks/${taskId}/block`,
    body: () => ({ fence: '1', question: 'x' }),
  },
  {
    route: 'POST /api/tasks/{id}/unblock',
    as: 'otto',
    reach: 'foreign',
    may: ['operator', 'implementer'],
    path: ({ taskId }) => `/api/tasks/${taskId}/unblock`,
    body: () => ({ answer: 'x' }),
  },
  {
    route: 'POST /api/tasks/{id}/cancel',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ taskId }) => `/api/tasks/${taskId}/cancel`,
    body: () => ({ reason: 'x' }),
  },
  {
    route: 'POST /api/tasks/{id}/requeue',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ taskId }) => `/api/tasks/${taskId}/requeue`,
    body: () => ({ reason: 'x' }),
  },
  {
    route: 'POST /api/tasks/{id}/ship',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ taskId }) => `/api/tasks/${taskId}/ship`,
    body: () => ({ revision: NO_ID }),
  },

  { route: 'POST /api/leases', as: 'ida', reach: 'foreign', may: ['implementer'], body: ({ taskId }) => ({ taskId }) },
  { route: 'GET /api/leases/{id}', as: 'ida', reach: 'foreign', may: ALL, path: ({ leaseId }) => `/api/leases/${leaseId}` },
  {
    route: 'POST /api/leases/{id}/renew',
    as: 'ida',
    reach: 'foreign',
    may: ['implementer'],
    path: ({ leaseId }) => `/api/leases/${leaseId}/renew`,
    body: () => ({ fence: '1' }),
  },
  {
    route: 'POST /api/leases/{id}/release',
    as: 'ida',
    reach: 'foreign',
    may: ['implementer'],
    path: ({ leaseId }) => `/api/leases/${leaseId}/release`,
    body: () => ({ fence: '1', reason: 'x' }),
  },
  {
    route: 'POST /api/leases/{id}/report',
    as: 'ida',
    reach: 'foreign',
    may: ['implementer'],
    path: ({ leaseId }) => `/api/leases/${leaseId}/report`,
    body: report,
  },
  {
    route: 'POST /api/leases/{id}/revoke',
    as: 'otto',
    reach: 'foreign',
    may: ['operator'],
    path: ({ leaseId }) => `/api/leases/${leaseId}/revoke`,
    body: () => ({ reason: 'x' }),
  },

  { route: 'GET /api/verifications', as: 'vera', reach: 'own', may: ['verifier', 'operator'] },
  {
    route: 'POST /api/verifications/{taskId}/claim',
    as: 'vera',
    reach: 'foreign',
    may: ['verifier'],
    path: ({ taskId }) => `/api/verifications/${taskId}/claim`,
    body: () => ({}),
  },
  {
    route: 'GET /api/verifications/{taskId}/brief',
    as: 'vera',
    reach: 'foreign',
    may: ['verifier', 'operator'],
    path: ({ taskId }) => `/api/verifications/${taskId}/brief`,
  },
  {
    route: 'POST /api/verifications/{taskId}/renew',
    as: 'vera',
    reach: 'foreign',
    may: ['verifier'],
    path: ({ taskId }) => `/api/verifications/${taskId}/renew`,
    body: () => ({ fence: '2' }),
  },
  {
    route: 'POST /api/verifications/{taskId}/release',
    as: 'vera',
    reach: 'foreign',
    may: ['verifier'],
    path: ({ taskId }) => `/api/verifications/${taskId}/release`,
    body: () => ({ fence: '2', reason: 'x' }),
  },
  {
    route: 'POST /api/verifications/{taskId}/verdict',
    as: 'vera',
    reach: 'foreign',
    may: ['verifier'],
    path: ({ taskId }) => `/api/verifications/${taskId}/verdict`,
    body: verdict,
  },

  {
    route: 'PUT /api/artifacts/{sha256}',
    as: 'ida',
    reach: 'own',
    may: EXECUTORS,
    path: ({ artifact }) => `/api/artifacts/${artifact}`,
    bytes: () => 'not those bytes',
  },
  { route: 'GET /api/artifacts/{sha256}', as: 'ida', reach: 'foreign', may: ALL, path: ({ artifact }) => `/api/artifacts/${artifact}` },

  { route: 'POST /api/agent/sessions', as: 'ida', reach: 'own', may: ALL, body: () => ({ title: 'X' }) },
  { route: 'GET /api/agent/sessions', as: 'ian', reach: 'own', may: ALL },
  {
    route: 'GET /api/agent/sessions/{id}',
    as: 'ian',
    reach: 'foreign',
    may: ALL,
    path: ({ sessionId }) => `/api/agent/sessions/${sessionId}`,
  },
  {
    route: 'POST /api/agent/sessions/{id}/approvals',
    as: 'ida',
    reach: 'foreign',
    may: AGENTS,
    path: ({ sessionId }) => `/api/agent/sessions/${sessionId}/approvals`,
    body: () => ({ tool: 'bash', reason: 'x', toolInput: { command: 'npm test' } }),
  },
  {
    route: 'POST /api/agent/sessions/{id}/approvals/resolve',
    as: 'ian',
    reach: 'foreign',
    may: PEOPLE,
    path: ({ sessionId }) => `/api/agent/sessions/${sessionId}/approvals/resolve`,
    body: () => ({ allow: true }),
  },
  {
    route: 'GET /api/agent/sessions/{id}/approvals/{approvalId}/preview',
    as: 'ian',
    reach: 'foreign',
    may: PEOPLE,
    path: ({ sessionId, approvalId }) => `/api/agent/sessions/${sessionId}/approvals/${approvalId}/preview`,
  },
  {
    route: 'POST /api/agent/sessions/{id}/approvals/{approvalId}/resolve',
    as: 'ian',
    reach: 'foreign',
    may: PEOPLE,
    path: ({ sessionId, approvalId }) => `/api/agent/sessions/${sessionId}/approvals/${approvalId}/resolve`,
    body: () => ({ allow: true, modifiedInput: { command: 'ls' } }),
  },
  {
    route: 'POST /api/agent/sessions/{id}/cancel',
    as: 'ian',
    reach: 'foreign',
    may: ALL,
    path: ({ sessionId }) => `/api/agent/sessions/${sessionId}/cancel`,
    body: () => ({ reason: 'x' }),
  },
  {
    route: 'GET /api/agent/sessions/{id}/grants',
    as: 'ian',
    reach: 'foreign',
    may: ALL,
    path: ({ sessionId }) => `/api/agent/sessions/${sessionId}/grants`,
  },
  {
    route: 'DELETE /api/agent/sessions/{id}/grants/{grantId}',
    as: 'ian',
    reach: 'foreign',
    may: PEOPLE,
    path: ({ sessionId, sessionGrantId }) => `/api/agent/sessions/${sessionId}/grants/${sessionGrantId}`,
  },

  {
    route: 'POST /api/hooks/classify',
    as: 'eve',
    reach: 'foreign',
    may: AGENTS,
    body: ({ requestId }) => ({ toolName: 'bash', toolInput: { command: 'node x.js' }, agentId: 'a', requestId }),
  },
  { route: 'GET /api/permissions', as: 'mia', reach: 'own', may: PEOPLE },
  {
    route: 'POST /api/permissions',
    as: 'mia',
    reach: 'foreign',
    may: PEOPLE,
    body: ({ requestId }) => ({ requestId, decision: 'approve' }),
  },
  { route: 'GET /api/permissions/{id}', as: 'mia', reach: 'foreign', may: ALL, path: ({ requestId }) => `/api/permissions/${requestId}` },
  {
    route: 'DELETE /api/permissions/{id}',
    as: 'eve',
    reach: 'foreign',
    may: AGENTS,
    path: ({ requestId }) => `/api/permissions/${requestId}`,
  },
  { route: 'GET /api/permissions/enablements', as: 'mia', reach: 'own', may: PEOPLE },
  {
    route: 'PUT /api/permissions/enablements/{effect}',
    as: 'mia',
    reach: 'own',
    may: PEOPLE,
    path: () => '/api/permissions/enablements/destroy.fs',
    body: () => ({}),
  },
  {
    route: 'DELETE /api/permissions/enablements/{effect}',
    as: 'mia',
    reach: 'own',
    may: PEOPLE,
    path: () => '/api/permissions/enablements/destroy.fs',
  },
  { route: 'GET /api/grants', as: 'mia', reach: 'own', may: PEOPLE },
  { route: 'GET /api/grants/{id}', as: 'mia', reach: 'foreign', may: PEOPLE, path: ({ grantId }) => `/api/grants/${grantId}` },
  { route: 'DELETE /api/grants/{id}', as: 'mia', reach: 'foreign', may: PEOPLE, path: ({ grantId }) => `/api/grants/${grantId}` },
  { route: 'POST /api/grants/preview', as: 'mia', reach: 'foreign', may: PEOPLE, body: ({ requestId }) => ({ requestId }) },
  { route: 'POST /api/ws-tickets', as: 'mia', reach: 'own', may: PEOPLE },
  { route: 'GET /api/policy', as: 'otto', reach: 'open', may: ['operator'] },
  { route: 'GET /api/risk-ladder', as: 'otto', reach: 'open', may: ['operator'] },

  { route: 'GET /api/receipts', as: 'otto', reach: 'own', may: PEOPLE },
  { route: 'GET /api/receipts/key', as: 'mia', reach: 'open', may: PEOPLE },
  { route: 'GET /api/receipts/{id}', as: 'otto', reach: 'foreign', may: PEOPLE, path: ({ receiptId }) => `/api/receipts/${receiptId}` },
  { route: 'GET /api/audit/{auditId}', as: 'otto', reach: 'foreign', may: ['operator'], path: ({ auditId }) => `/api/audit/${auditId}` },
];
