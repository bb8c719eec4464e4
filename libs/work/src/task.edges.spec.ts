import { AT, fold, given, principal } from '#libs/kernel/testing';
import { holderOf, presentHolder } from './leases/holder.js';
import { beyondStatement, MAX_STATEMENT_BYTES } from './reports/statement-size.js';
import { differences } from './reports/changed-paths.js';
import { taskDecider } from './task.decider.js';
import type { TaskEvent } from './task-events.js';
import { taskStatuses } from './task.js';
import {
  ada,
  at,
  atom,
  bo,
  claim,
  expire,
  LEASE_MS,
  leased,
  OUTPUT,
  playOn,
  queued,
  report,
  reported,
  reportDigest,
  stateOf,
  system,
  take,
  verdict,
  verifierAgent,
  work,
} from './testing/tasks.js';
import { checkIndex, missingEvidence } from './verifications/evidence.js';
import { notIndependent } from './verifications/independence.js';
import { tieOf } from './verifications/verification.js';

// Where a rule of tasks begins and ends, one by one.

describe('A task', () => {
  it('is in one of these states', () =>
    expect(taskStatuses).toEqual([
      'queued',
      'leased',
      'blocked',
      'reported',
      'verifying',
      'verified',
      'unverifiable',
      'exhausted',
      'cancelled',
      'shipped',
    ]));

  it.each([
    'LeaseRenewed',
    'LeaseReleased',
    'LeaseRevoked',
    'TaskBlocked',
    'TaskUnblocked',
    'WorkVerified',
    'WorkUnverifiable',
    'ReceiptIssued',
  ])('that nobody holds stays as it is whatever %s says', (type) => {
    const stray = { type, data: { fence: '1', expiresAt: AT, by: {}, question: 'x', receiptId: 'x' } } as unknown as TaskEvent;
    expect(fold(taskDecider, [...queued, stray])).toEqual(fold(taskDecider, queued));
  });

  it('is exhausted with the third lease that runs out, which is on record with when and how often', () => {
    const ran = (history: readonly TaskEvent[], who: typeof ada, fence: string, ms: number) =>
      playOn(history, claim(who, {}, { at: at(ms) }), expire(system, { fence }, { at: at(ms + LEASE_MS) }));
    const last = ran(ran(ran(queued, ada, '1', 0), bo, '2', LEASE_MS), ada, '3', 2 * LEASE_MS);
    expect(last.slice(-2)).toMatchObject([
      { type: 'LeaseExpired', data: { fence: '3', expiries: 3 } },
      { type: 'TaskExhausted', data: { expiries: 3, at: at(3 * LEASE_MS) } },
    ]);
  });

  it('tells who comes back with a lost lease how it ended', () => {
    const over = playOn(leased, expire(system, { fence: '1' }, { at: at(LEASE_MS) }));
    const { refusal } = given(taskDecider, ...over).when(report(ada, { fence: '1' })).decision;
    expect(refusal?.detail).toMatch(/^The lease under fence 1 ended \(expired\)\./);
  });
});

describe('A holder', () => {
  const talking = { ...ada, lineage: { accountableHuman: 'human-of-ada', sessions: [], conversationId: 'talk' } };

  it('is of each conversation once, by its credential or by what it says', () => {
    expect(holderOf(talking, { conversationId: 'talk' }).conversations).toEqual(['talk']);
    expect(holderOf(talking, { conversationId: 'other' }).conversations).toEqual(['talk', 'other']);
  });

  it('has the lineage that is known now, and what it said when it claimed', () => {
    const claimed = holderOf(ada, { conversationId: 'other', model: 'm' });
    expect(presentHolder(talking, claimed)).toMatchObject({ conversations: ['other', 'talk'], model: 'm' });
    expect(presentHolder(talking, holderOf(talking)).conversations).toEqual(['talk']);
  });
});

describe('A report', () => {
  it('names the first artifact that is nowhere', () => {
    const nowhere = { mediaType: 'text/plain', size: 1, sha256: 'a' };
    const { refusal } = given(taskDecider, ...leased).when(report(ada, { fence: '1', artifacts: [nowhere, nowhere] })).decision;
    expect(refusal?.errors).toMatchObject([{ pointer: '/artifacts/0' }]);
  });

  it('that claims what git does not show is told so in order', () => {
    const claimed = ['z', 'a', 'm'].map((path) => ({ path, change: 'added' as const }));
    expect(differences(claimed, [])).toEqual({ hidden: [], claimed: ['added a', 'added m', 'added z'] });
  });

  it('may be as large as a receipt can hold, and not a byte larger', () => {
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(beyondStatement('report', sized(MAX_STATEMENT_BYTES))).toBeUndefined();
    expect(beyondStatement('verdict', sized(MAX_STATEMENT_BYTES + 1))?.refusal).toMatchObject({ code: 'verdict/too-large' });
  });
});

describe('Evidence', () => {
  it('is for a check by its number of up to four digits, or by all of its words', () => {
    expect(['0', '0001', 'npm test', 'npm run lint'].map((label) => checkIndex(label, work))).toEqual([0, 1, 0, 1]);
    expect(['00000', '1x', 'x1', '', 'npm'].map((label) => checkIndex(label, work))).toEqual(Array(5).fill(undefined));
  });

  it('is needed where no check is, and what comes nearest is told', () => {
    const free = { ...work, checks: [] };
    const proof = { ...atom('any'), provenance: 'human' as const };
    expect(missingEvidence(free, [proof], [OUTPUT])).toEqual([]);
    expect(missingEvidence(free, [], [OUTPUT])).toEqual([{ check: 'any', why: 'missing' }]);
    expect(missingEvidence(free, [{ ...proof, exitCode: 1 }], [OUTPUT])).toEqual([{ check: 'any', why: 'exit_code' }]);
  });
});

describe('Independence', () => {
  const { report: handedIn } = stateOf(reported) as Extract<ReturnType<typeof stateOf>, { status: 'reported' }>;

  it.each(['toString', 'constructor', '__proto__'])('of a verifier called %s is that of any other', (id) =>
    expect(tieOf(holderOf(principal(id)), stateOf(reported), handedIn, AT)).toBeUndefined(),
  );

  it.each([
    ['principal', 'identity'],
    ['credential', 'credential'],
    ['accountable_human', 'accountable human'],
    ['session', 'session'],
    ['conversation', 'conversation'],
  ] as const)('that is missing by %s says so', (relation, words) =>
    expect(notIndependent({ relation, proof: { eventId: 'e', type: 'LeaseGranted' } }).detail).toContain(`the ${words} of`),
  );

  it('that turns out to be missing with the verdict ends the verification, by the product', () => {
    const vi = verifierAgent('vi');
    const held = playOn(reported, take(vi, {}));
    const kin = { ...vi, accountableHuman: ada.accountableHuman, lineage: ada.lineage };
    const { events, refusal } = given(taskDecider, ...held).when(verdict(kin, { fence: '2', reportDigest })).decision;
    expect(refusal).toMatchObject({ code: 'verification/not-independent' });
    expect(events[1]).toEqual({
      type: 'LeaseRevoked',
      data: {
        leaseId: 'test.2',
        fence: '2',
        at: AT,
        kind: 'verification',
        by: '00000000-0000-7000-8000-000000000000',
        reason: 'not independent',
      },
    });
  });
});
