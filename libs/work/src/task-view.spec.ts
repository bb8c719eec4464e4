import { recorded } from '#libs/kernel/testing';
import type { TaskEvent } from './task-events.js';
import { evolveView, lineOf, type TaskView } from './task-view.js';
import {
  ada,
  at,
  block,
  claim,
  expire,
  LEASE_MS,
  leased,
  olga,
  playOn,
  queued,
  receipt,
  rejected,
  report,
  reportDigest,
  shipped,
  system,
  take,
  unblock,
  verified,
  verifying,
  worker,
} from './testing/tasks.js';

const view = (events: readonly TaskEvent[]): TaskView =>
  events.reduce<TaskView | undefined>(
    (known, event, index) => evolveView(known, recorded(event, { stream: 'task-test', revision: BigInt(index) })),
    undefined,
  )!;

describe('A task as it is shown', () => {
  it('says who holds it, for what, and until when', () =>
    expect(view(leased)).toMatchObject({
      status: 'leased',
      holder: { id: 'ada', name: 'ada' },
      leaseId: 'test.1',
      leaseKind: 'implementation',
      leaseExpiresAt: at(LEASE_MS),
      restsAs: 'queued',
    }));
  it('names the verifier that has it', () =>
    expect(view(verifying)).toMatchObject({ status: 'verifying', holder: { id: 'vera' }, restsAs: 'reported' }));

  // C08
  it('is queued, without a holder or a lease, after its lease expired', () => {
    const after = view(playOn(leased, expire(system, { fence: '1' }, { at: at(LEASE_MS) })));
    expect(after).toMatchObject({ status: 'queued', attempts: 1, fence: '1', updatedAt: at(LEASE_MS) });
    for (const gone of ['holder', 'leaseId', 'leaseKind', 'leaseExpiresAt', 'restsAs']) expect(after).not.toHaveProperty(gone);
  });
  it('shows the open question, and then the answer', () => {
    const blocked = playOn(leased, block(ada, { fence: '1' }));
    expect(view(blocked)).toMatchObject({ status: 'blocked', blockedQuestion: 'Which greeting?' });
    const after = view(playOn(blocked, unblock(olga, {})));
    expect(after).toMatchObject({ status: 'leased', answers: [{ question: 'Which greeting?', answer: 'Hello', by: 'olga' }] });
    expect(after).not.toHaveProperty('blockedQuestion');
  });
  it('keeps findings for whoever takes up rejected work', () =>
    expect(view(rejected)).toMatchObject({ status: 'queued', verdict: { verdict: 'rejected', findings: [{ code: 'greeting' }] } }));
  // C09
  it('marks the verdict on an older report as stale, until there is a new one', () => {
    const amended = playOn(verified, claim(ada, {}), report(ada, { fence: '3' }));
    expect(view(amended)).toMatchObject({ status: 'reported', report: { fence: '3' }, verdict: { reportDigest, stale: true } });
    expect(view(playOn(amended, take(worker, {}))).verdict).toHaveProperty('stale', true);
  });
  it('ends with shipment and receipt', () =>
    expect(view(playOn(shipped, receipt(system, {})))).toMatchObject({
      status: 'shipped',
      shipment: { revision: 'c'.repeat(40), by: 'olga' },
      receiptId: 'receipt',
    }));
  it('is one line in a list, without brief, scope and report', () => {
    const line = lineOf(view(verified));
    expect(line).toMatchObject({ taskId: 'test', status: 'verified', auditId: 'audit-test', requester: 'mia' });
    for (const heavy of ['brief', 'work', 'report', 'verdict']) expect(line).not.toHaveProperty(heavy);
  });
  it('tells in that line a rejected task, which is queued again, from one that was never judged', () => {
    expect(lineOf(view(rejected))).toMatchObject({ status: 'queued', lastVerdict: 'rejected' });
    expect(lineOf(view(queued))).not.toHaveProperty('lastVerdict');
  });
  it('is not there before it was queued', () =>
    expect(evolveView(undefined, recorded(leased[1]!, { stream: 'task-test' }))).toBeUndefined());
  it('starts with no fence, no attempt and no answer', () => expect(view(queued)).toMatchObject({ fence: '0', attempts: 0, answers: [] }));
});
