import { count, digits, gitObject, list, name, object, oneOf, optional, sha256Hex, text, time, type Read } from './shape.js';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'https://workbench.dev/receipt/v1';

const party = object({ id: name, name: text });

/** Where a step is on record, and who wrote it there. `contentHash` is that of the stored event, meta included. */
const fact = object({
  eventId: name,
  type: name,
  stream: name,
  revision: digits,
  contentHash: sha256Hex,
  author: object({ id: name, kind: oneOf('human', 'agent', 'service') }),
  credentialId: name,
  onBehalfOf: optional(name),
});
export type Fact = Read<typeof fact>;

const holder = object({
  principalId: name,
  credentialId: name,
  kind: oneOf('human', 'agent', 'service'),
  name: text,
  accountableHuman: text,
  sessions: list(text),
  conversations: list(text),
  model: optional(text),
});
export type ReceiptHolder = Read<typeof holder>;

const artifact = object({
  path: optional(text),
  uri: optional(text),
  mediaType: text,
  size: count,
  sha256: sha256Hex,
  commit: optional(gitObject),
});
export type ReceiptArtifact = Read<typeof artifact>;

const changedPath = object({ path: text, change: oneOf('added', 'modified', 'deleted', 'renamed', 'mode'), from: optional(text) });

const evidence = object({
  check: text,
  status: oneOf('passed', 'failed', 'skipped'),
  exitCode: count,
  outputSha256: sha256Hex,
  durationMs: count,
  testsRun: optional(count),
  provenance: oneOf('self_reported', 'server_rerun', 'third_party_ci', 'human'),
});
export type ReceiptEvidence = Read<typeof evidence>;

const scope = object({
  repository: text,
  baseRevision: gitObject,
  paths: list(text),
  commands: list(text),
  checks: list(list(text)),
  criteria: list(text),
});

/** One step a key, each with the event that it stands on, in the order in which they happened. */
const chain = object({
  proposal: object({
    fact,
    proposalId: name,
    operation: name,
    actionDigest: sha256Hex,
    presentedDigest: sha256Hex,
    mode: oneOf('supervised', 'four_eyes'),
    requester: party,
    agent: party,
    submittedAt: time,
  }),
  decision: object({ fact, by: party, at: time, actionDigest: sha256Hex, presentedDigest: sha256Hex, tokenNonce: name }),
  mutation: object({
    fact,
    at: time,
    actionDigest: sha256Hex,
    presentedDigest: sha256Hex,
    decidedBy: party,
    receipts: list(object({ stream: name, revision: digits, position: digits })),
  }),
  work: object({ fact, at: time, proposalId: name, queue: name, title: text, scope, actionDigest: sha256Hex, presentedDigest: sha256Hex }),
  lease: object({ fact, at: time, leaseId: name, fence: digits, holder, scopeDigest: sha256Hex }),
  report: object({
    fact,
    at: time,
    by: holder,
    /** What `reportDigest` is the digest of. */
    content: object({
      taskId: name,
      fence: digits,
      scopeDigest: sha256Hex,
      revision: gitObject,
      artifacts: list(artifact),
      changedPaths: list(changedPath),
      evidence: list(evidence),
      summary: text,
    }),
    reportDigest: sha256Hex,
  }),
  verification: object({ fact, at: time, leaseId: name, fence: digits, holder, scopeDigest: sha256Hex, reportDigest: sha256Hex }),
  verdict: object({
    fact,
    at: time,
    verdict: oneOf('verified'),
    fence: digits,
    by: holder,
    scopeDigest: sha256Hex,
    reportDigest: sha256Hex,
    tree: gitObject,
    changedPaths: list(changedPath),
    evidence: list(evidence),
    findings: list(object({ code: text, detail: text, path: optional(text) })),
  }),
  shipped: object({
    fact,
    at: time,
    by: name,
    revision: gitObject,
    tree: gitObject,
    scopeDigest: sha256Hex,
    reportDigest: sha256Hex,
    url: optional(text),
  }),
});
export type Chain = Read<typeof chain>;

/**
 * An in-toto Statement v1. Subjects: the shipped commit first, then every artifact of the report in its order. Times are RFC
 * 3339 UTC, fences and revisions decimal strings, digests lower-case hex.
 */
export const readStatement = object({
  _type: oneOf(STATEMENT_TYPE),
  predicateType: oneOf(PREDICATE_TYPE),
  subject: list(object({ name, digest: object({ gitCommit: optional(gitObject), sha256: optional(sha256Hex) }) })),
  predicate: object({
    receiptId: name,
    auditId: name,
    tenant: party,
    workspace: party,
    taskId: name,
    scopeDigest: sha256Hex,
    chain,
    doesNotProve: list(name),
  }),
});
export type Statement = Read<typeof readStatement>;
