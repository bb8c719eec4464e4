/**
 * Every shape and route of the HTTP API that the console uses, and nothing else: when the server changes, this file changes.
 * Times are RFC 3339 UTC; positions, revisions and fences are decimal strings.
 */
import { call, type Answer } from './request.js';

export type Named = { id: string; name: string };
export type Me = Named & { kind: 'human' | 'agent' | 'service'; roles: string[]; tenant: Named; workspaces: Named[] };

export type CardStatus =
  'pending' | 'approved' | 'declined' | 'expired' | 'invalidated' | 'withdrawn' | 'superseded' | 'committed' | 'failed';
export type CardAction = 'approve' | 'decline' | 'repropose' | 'withdraw';
export type RecordRef = { kind: string; id: string; title: string; revision: string };
/** One material field, as JSON that the record holds: null or absent means that it has no value. `record` where there are several. */
export type Change = { record?: string; field: string; label: string; before?: unknown; after?: unknown };
/** What queued work may touch and must show: shown whole, because approving it fixes it. Checks and commands may be argv lists. */
export type WorkScope = {
  queue?: string;
  repository: string;
  baseRevision: string;
  paths: string[];
  commands: (string | string[])[];
  checks: (string | string[])[];
  criteria: string[];
  scopeDigest?: string;
};
/** Nobody is named where time decided. */
export type Decision = { by?: Named; at: string; outcome: string; reason?: string };

/** A proposal as the person who decides it sees it. `actions` are those the server offers to this viewer now. */
export type Card = {
  confirmationId: string;
  status: CardStatus;
  operation: { name: string; summary: string; riskClass: string; reversible: boolean; queuesWork: boolean };
  arguments?: Record<string, unknown>;
  /** The main one of `targets`, which are the records that the operation changes. */
  target: RecordRef | null;
  targets: RecordRef[];
  /** Records that it names without changing them; they too may not move before it is decided. */
  references: RecordRef[];
  changes: Change[];
  reason: string;
  agent: Named;
  requester: Named;
  tenant: Named;
  workspace: Named;
  risk: { class: string; level: number; why: string };
  mode: 'supervised' | 'four_eyes';
  warnings: string[];
  conflict: { stale: boolean; detail?: string; moved: { id: string; title: string; shownRevision: string; presentRevision: string }[] };
  outcomes: { approve: string; decline: string };
  work?: WorkScope;
  actionDigest: string;
  presentedDigest: string;
  idempotency?: { commandId: string };
  submittedAt: string;
  approvalExpiresAt: string;
  decision?: Decision;
  /** `applied`: what had been changed when it failed, usually nothing. */
  failure?: { code: string; detail: string; applied?: readonly unknown[] };
  supersedes?: string;
  supersededBy?: string;
  auditId: string;
  actions: CardAction[];
};
/** The token comes only with a pending card, to someone who may decide it: single-use, and good for five minutes. */
export type CardReading = { card: Card; confirmation_token?: string };

export type TaskStatus =
  'queued' | 'leased' | 'blocked' | 'reported' | 'verifying' | 'verified' | 'unverifiable' | 'exhausted' | 'cancelled' | 'shipped';
export type Task = {
  taskId: string;
  title: string;
  queue: string;
  status: TaskStatus;
  holder?: Named;
  leaseExpiresAt?: string;
  fence: string;
  /** Leases that expired since it was queued; the third exhausts it. */
  attempts: number;
  queuedAt: string;
  updatedAt: string;
  blockedQuestion?: string;
  receiptId?: string;
  lastVerdict?: 'verified' | 'rejected' | 'unverifiable';
  auditId: string;
  proposalId: string;
};

export type ReceiptLine = { receiptId: string; taskId: string; auditId: string; title: string; revision: string; shippedAt: string };
export type Holder = { principalId: string; name: string; kind: string; model?: string };
export type Evidence = { check: string; status: string; testsRun?: number; provenance: string };
/** What the signed statement says of each step, in the order in which they happened. */
export type Chain = {
  proposal: {
    proposalId: string;
    operation: string;
    actionDigest: string;
    presentedDigest: string;
    requester: Named;
    agent: Named;
    submittedAt: string;
  };
  decision: { by: Named; at: string; presentedDigest: string };
  mutation: { at: string; actionDigest: string };
  work: { at: string; queue: string; title: string };
  lease: { at: string; fence: string; holder: Holder; scopeDigest: string };
  report: {
    at: string;
    by: Holder;
    reportDigest: string;
    content: { revision: string; artifacts: { path?: string; uri?: string; sha256: string; size: number }[]; summary: string };
  };
  verdict: { at: string; verdict: string; fence: string; by: Holder; reportDigest: string; evidence: Evidence[] };
  shipped: { at: string; by: string; revision: string; tree: string; url?: string };
};
export type Statement = {
  _type: string;
  subject: { name: string; digest: Record<string, string> }[];
  predicateType: string;
  predicate: {
    auditId: string;
    tenant: Named;
    workspace: Named;
    taskId: string;
    scopeDigest: string;
    chain: Chain;
    doesNotProve: string[];
  };
};
export type Envelope = { payloadType: string; payload: string; signatures: { keyid?: string; sig: string }[] };
export type Receipt = { receiptId: string; statement: Statement; envelope: Envelope };

/** UTF-16 offsets, `[start, end)`. */
export type Span = { start: number; end: number };
export type PermissionAction = 'approve' | 'reject' | 'approve_always';
export type PermissionStatus = 'pending' | 'approved' | 'rejected' | 'expired' | 'cancelled';
/** What a standing approval covers. Constraints are lists by what they hold a call to: hosts, methods, images, paths, exact words. */
export type GrantScope = { tool: string; prefix: string[]; tier: string; effects: string[]; constraints: Record<string, string[]> };
export type Segment = { text: string; tier: string; ladder: number; effects: string[]; reason: string; ungrantable?: string };
/**
 * A tool call that waits for its owner. Unlike elsewhere, times are in milliseconds. `toolInput` is what would run, `command` the
 * one text of it that `span` points into, `originalInput` what was asked where its owner wrote another.
 */
export type Permission = {
  id: string;
  agentId: string;
  agent: Named;
  workspaceId: string;
  toolName: string;
  toolInput: Record<string, unknown>;
  originalInput?: Record<string, unknown>;
  command: string;
  span: Span;
  tier: string;
  ladder: number;
  reason: string;
  effects: string[];
  segments: Segment[];
  /** Why it can be allowed once only. */
  ungrantable?: string;
  policies: string[];
  sessionId?: string;
  cwd?: string;
  timestamp: number;
  expiresAt: number;
  status: PermissionStatus;
  /** The approved call was let through. */
  consumed?: boolean;
  feedback?: string;
  /** Those that the server offers now. */
  actions: PermissionAction[];
  /** Of all that is shown; a decision is on that and on nothing that comes later. */
  presentedDigest: string;
};
/** `modifiedInput`: a command, or for other tools the whole input, a JSON object as text. */
export type PermissionDecision = { decision: PermissionAction; presentedDigest: string; feedback?: string; modifiedInput?: string };
/** `success` is false where the modified input is judged worse, and its owner is asked again. */
export type Decided = { success: boolean; tier: string; reason: string; remembered: boolean };
/** What `approve_always` would cover, held against this agent's calls of so many `days`. */
export type GrantPreview = {
  grantable: boolean;
  ungrantable?: string;
  scopes: GrantScope[];
  days: number;
  calls: number;
  covered: number;
  denied: number;
  coveredCalls: Permission[];
  deniedCalls: Permission[];
};
export type Grant = GrantScope & {
  id: string;
  status: 'active' | 'revoked' | 'expired';
  agent: { principalId: string; agentId: string; sessionId?: string };
  from: string;
  createdAt: string;
  expiresAt: string;
  uses: number;
  maxUses: number;
  lastUsedAt: string | null;
  endedAt: string | null;
};
/** An effect that cannot be undone: blocked, or asked for each time while it is enabled. */
export type Enablement = { effect: string; enabled: boolean; expiresAt: string | null };

export type Page<T> = { items: T[]; next: string | null };
/** Pending cards, and tasks that are neither shipped nor cancelled. */
/** `next` are the cursors of the lists, where there is more than the snapshot holds. */
export type Snapshot = { confirmations: Card[]; tasks: Task[]; next?: More };
export type More = { confirmations: string | null; tasks: string | null };
/** Events of the live feed, by their SSE name. A card in it does not say whether its records have moved; a record says it of them. */
export type FeedEvent =
  | { type: 'snapshot' | 'resync_required'; data: Snapshot }
  | { type: 'card' | 'card_closed'; data: { card: Card } }
  | { type: 'record'; data: { recordId: string; revision: string } }
  | { type: 'permission' | 'permission_closed'; data: { permission: Permission } }
  | { type: 'grant'; data: { grantId: string } }
  | { type: 'task'; data: { task: Task } }
  | { type: 'receipt'; data: { receiptId: string; title: string } };

export const FEED = '/api/events/stream';

const at = (strings: TemplateStringsArray, ...ids: string[]): string =>
  strings.reduce((path, part, i) => path + encodeURIComponent(ids[i - 1] ?? '') + part);

export const signIn = (credential: string): Promise<Answer<Me>> => call('POST', '/api/session', { body: { credential } });
export const signOut = (): Promise<Answer<unknown>> => call('DELETE', '/api/session');
export const readMe = (): Promise<Answer<Me>> => call('GET', '/api/me');

export const readCard = (id: string): Promise<Answer<CardReading>> => call('GET', at`/api/confirmations/${id}`);
export const listCards = (cursor: string): Promise<Answer<{ items: Card[]; next: string | null }>> =>
  call('GET', at`/api/confirmations?status=pending&limit=200&cursor=${cursor}`);
export const listTasks = (cursor: string): Promise<Answer<{ items: Task[]; next: string | null }>> =>
  call('GET', at`/api/tasks?limit=200&cursor=${cursor}`);
/** `key` makes a retry of the same press a repeat and not a second decision. */
export const approve = (id: string, token: string, key: string): Promise<Answer<unknown>> =>
  call('POST', at`/api/confirmations/${id}/approve`, { body: { confirmation_token: token }, key });
export const decline = (id: string, reason: string, key: string): Promise<Answer<unknown>> =>
  call('POST', at`/api/confirmations/${id}/decline`, { body: { reason }, key });
export const withdraw = (id: string, key: string): Promise<Answer<unknown>> =>
  call('POST', at`/api/proposals/${id}/withdraw`, { body: {}, key });
/** Answers with the new proposal, on the target's present revision. */
export const repropose = (id: string, key: string): Promise<Answer<{ confirmationId: string }>> =>
  call('POST', at`/api/confirmations/${id}/repropose`, { body: {}, key });

/** Pending ones, oldest first; a decided one is known by its id. */
export const listPermissions = (): Promise<Answer<{ pending: Permission[] }>> => call('GET', '/api/permissions');
export const readPermission = (id: string): Promise<Answer<Permission>> => call('GET', at`/api/permissions/${id}`);
export const decidePermission = (requestId: string, decision: PermissionDecision, key: string): Promise<Answer<Decided>> =>
  call('POST', '/api/permissions', { body: { requestId, ...decision }, key });
export const previewGrant = (requestId: string): Promise<Answer<GrantPreview>> =>
  call('POST', '/api/grants/preview', { body: { requestId } });
export const listGrants = (cursor: string | null): Promise<Answer<Page<Grant>>> =>
  call('GET', cursor ? at`/api/grants?limit=100&cursor=${cursor}` : '/api/grants?limit=100');
export const revokeGrant = (id: string): Promise<Answer<unknown>> => call('DELETE', at`/api/grants/${id}`);
export const listEnablements = (workspace: string): Promise<Answer<{ enablements: Enablement[] }>> =>
  call('GET', '/api/permissions/enablements', { workspace });
export const enable = (workspace: string, effect: string, expiresInSeconds: number): Promise<Answer<unknown>> =>
  call('PUT', at`/api/permissions/enablements/${effect}`, { body: { expiresInSeconds }, workspace });
export const disable = (workspace: string, effect: string): Promise<Answer<unknown>> =>
  call('DELETE', at`/api/permissions/enablements/${effect}`, { workspace });

export const listReceipts = (cursor: string | null): Promise<Answer<Page<ReceiptLine>>> =>
  call('GET', cursor ? at`/api/receipts?limit=100&cursor=${cursor}` : '/api/receipts?limit=100');
export const readReceipt = (id: string): Promise<Answer<Receipt>> => call('GET', at`/api/receipts/${id}`);
/** The exact signed bytes, as `verify-receipt` takes them. */
export const readEnvelope = (id: string): Promise<Answer<string>> =>
  call('GET', at`/api/receipts/${id}`, { accept: 'application/vnd.dsse+json', verbatim: true });
