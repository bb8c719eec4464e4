import { derivedId, idOf, SYSTEM_ID, type Recorded } from '#libs/kernel';
import { ann, forged, ida, product, PROPOSAL_ID, shippedTask, vera } from '../../../libs/audit/src/testing/shipped-task.js';
import { checkLog } from './check-log.js';
import { emptyJournal, type Acknowledged } from './journal.js';

type Log = readonly Recorded[];

/** As a store would give it: places in order, ids that follow from commands. A cause is kept, else it is the event before or the command itself. */
const placed = (events: Log): Recorded[] => {
  const revisions = new Map<string, bigint>();
  return events.map((event, index) => {
    const revision = (revisions.get(event.stream) ?? -1n) + 1n;
    revisions.set(event.stream, revision);
    return { ...event, revision, position: String(index + 1) };
  });
};
/** The change's receipt, naming where its effect stands. */
const linked = (events: Log): Recorded[] => {
  const { stream, revision, position } = find(events, 'RecordChanged');
  const receipts = [{ stream, revision: revision.toString(), position }];
  return forged(events, 'MutationCommitted', ({ data }) => ({ data: { ...(data as object), receipts } }));
};
const caused = (events: Log): Recorded[] => {
  const own = events.map((event) => ({ ...event, id: derivedId(event.meta.commandId, '0') }));
  return own.map((event, index) => {
    const answers = event.meta.actor.id === SYSTEM_ID && event.type !== 'CredentialIssued';
    return { ...event, meta: { ...event.meta, causationId: answers ? (own[index - 1]?.id ?? '') : event.meta.commandId } };
  });
};
/** An event of a command of its own, written after `before`. */
const like = (before: Recorded, over: Partial<Recorded>, by?: typeof ida): Recorded => {
  const commandId = derivedId('made', over.type ?? before.type, over.stream ?? before.stream, JSON.stringify(over.data ?? ''));
  const author = by && { actor: { id: by.id, kind: by.kind }, credentialId: by.credentialId };
  return { ...before, ...over, meta: { ...before.meta, ...author, commandId } };
};
const find = (log: Log, type: string): Recorded => log.find((event) => event.type === type)!;
const after = (log: Log, type: string, ...more: Recorded[]): Recorded[] =>
  log.flatMap((event) => (event.type === type ? [event, ...more] : [event]));
const rules = (log: Log, options?: Parameters<typeof checkLog>[1]) => [...new Set(checkLog(log, options).map(({ rule }) => rule))].sort();

describe('The checker of a log', () => {
  let log: Recorded[];
  beforeAll(async () => {
    const { events } = await shippedTask();
    const record = like(
      find(events, 'MutationCommitted'),
      { type: 'RecordChanged', stream: 'record-1', data: { proposalId: PROPOSAL_ID } },
      product,
    );
    const receipt = like(find(events, 'WorkShipped'), { type: 'ReceiptIssued', data: { receiptId: 'r' } }, product);
    log = linked(placed(caused(after(after(events, 'ConfirmationApproved', record), 'WorkShipped', receipt))));
  });
  const without = (type: string) => log.filter((event) => event.type !== type);
  const changed = (type: string, data: object) => forged(log, type, (event) => ({ data: { ...(event.data as object), ...data } }));
  /** The log with one more event after that of this type, caused by it. */
  const grown = (type: string, ...more: Recorded[]) =>
    linked(placed(after(log, type, ...more.map((one) => caused([find(log, type), one])[1]!))));

  it('finds nothing in a round trip as it should be', () => expect(checkLog(log, { atRest: true })).toEqual([]));

  it('finds a hole in a stream, a double, and places that go back', () => {
    expect(rules(without('LeaseGranted'))).toContain('gapless');
    expect(rules([...log, log.at(-1)!])).toContain('gapless');
    expect(rules(log.map((event, index) => (index === 3 ? { ...event, position: '1' } : event)))).toContain('gapless');
  });

  it('finds an event of the product that answers nothing', () => {
    const broken = (causationId: string) => forged(log, 'TaskQueued', ({ meta }) => ({ meta: { ...meta, causationId } }));
    expect(rules(broken(derivedId('nowhere')))).toEqual(['cause']);
    expect(rules(broken(find(log, 'TaskQueued').meta.commandId))).toEqual(['cause']);
    expect(rules(broken(find(log, 'WorkShipped').id))).toEqual(['cause']);
  });
  it('finds an event that no client asked for', () => {
    const asked = new Map(log.map(({ meta: { commandId } }) => [commandId, { commandId, what: 'any' }]));
    expect(rules(log, { journal: { ...emptyJournal, asked } })).toEqual([]);
    asked.delete(find(log, 'WorkReported').meta.commandId);
    expect(rules(log, { journal: { ...emptyJournal, asked } })).toEqual(['cause']);
  });
  it('finds a command that wrote twice, or under ids of another', () => {
    const { commandId } = find(log, 'LeaseGranted').meta;
    expect(rules(forged(log, 'WorkReported', ({ meta }) => ({ meta: { ...meta, commandId, causationId: commandId } })))).toEqual(['cause']);
    expect(rules(forged(log, 'WorkReported', () => ({ id: derivedId('another') })))).toContain('cause');
  });

  it('finds a second holder', () => {
    const second = like(find(log, 'LeaseGranted'), { data: { ...(find(log, 'LeaseGranted').data as object), fence: '2' } });
    expect(rules(grown('LeaseGranted', second))).toContain('one-holder');
  });
  it('finds a fence that does not rise', () => expect(rules(changed('VerificationGranted', { fence: '1' }))).toContain('one-holder'));
  it('finds a lease that ended before its time', () => {
    const data = { fence: '1', at: '2026-01-05T09:00:00.000Z', expiresAt: '2026-01-05T10:00:00.000Z', expiries: 1 };
    const expired = like(find(log, 'LeaseGranted'), { type: 'LeaseExpired', data }, product);
    expect(rules(grown('LeaseGranted', expired))).toEqual(['one-holder', 'stale-fence']);
  });
  it.each([
    ['report', 'WorkReported', '7'],
    ['verdict', 'WorkVerified', '1'],
  ])('finds a %s under a fence that is not live', (_, type, fence) => expect(rules(changed(type, { fence }))).toContain('stale-fence'));
  it('finds a report that was made under an older fence and stored under the live one', () => {
    const two = { fence: '2', leaseId: 'x.2' };
    const released = like(find(log, 'LeaseGranted'), { type: 'LeaseReleased', data: { fence: '1', kind: 'implementation' } });
    const again = like(find(log, 'LeaseGranted'), { data: { ...(find(log, 'LeaseGranted').data as object), ...two } });
    const stale = forged(grown('LeaseGranted', released, again), 'WorkReported', ({ data }) => ({ data: { ...(data as object), ...two } }));
    expect(checkLog(stale)).toContainEqual(
      expect.objectContaining({ rule: 'stale-fence', detail: 'Its digest is of a report under another fence or scope.' }),
    );
  });
  it('finds a write by another than the holder', () => {
    const other = forged(log, 'WorkReported', ({ meta }) => ({ meta: { ...meta, actor: { id: vera.id, kind: vera.kind } } }));
    expect(rules(other)).toContain('one-holder');
  });

  it('finds a second decision, and a conclusion that nobody approved', () => {
    const declined = like(find(log, 'ConfirmationApproved'), { type: 'ConfirmationDeclined', data: { reason: 'no' } }, ann);
    expect(rules(grown('ConfirmationApproved', declined))).toEqual(['one-decision']);
    expect(rules(without('ConfirmationApproved'))).toEqual(expect.arrayContaining(['one-decision', 'one-effect']));
  });
  it('finds a change that was made twice, in secret, or only said to be made', () => {
    expect(rules(grown('RecordChanged', like(find(log, 'RecordChanged'), { data: { proposalId: PROPOSAL_ID, again: true } })))).toContain(
      'one-effect',
    );
    expect(rules(changed('MutationCommitted', { receipts: [] }))).toEqual(['one-effect']);
    expect(rules(placed(without('RecordChanged')))).toContain('one-effect');
    expect(rules(changed('RecordChanged', { proposalId: derivedId('none') }))).toEqual(['cause', 'one-effect']);
  });
  it('finds work that was queued twice, or that no change committed', () => {
    const queued = find(log, 'TaskQueued');
    expect(rules(grown('TaskQueued', like(queued, { stream: `task-${derivedId('two')}` })))).toEqual(['one-effect']);
    expect(rules(changed('MutationCommitted', { work: undefined }))).toContain('one-effect');
  });

  it('finds what was shipped without a verdict, a receipt without shipping, and a second one', () => {
    expect(rules(placed(without('WorkVerified')))).toContain('receipt');
    expect(rules(placed(without('WorkShipped')))).toContain('receipt');
    expect(rules(grown('ReceiptIssued', like(find(log, 'ReceiptIssued'), { data: { receiptId: 'again' } })))).toEqual(['one-effect']);
    expect(rules(changed('WorkVerified', { reportDigest: 'other' }))).toEqual(['receipt']);
    expect(rules(changed('WorkReported', { scopeDigest: 'wider' }))).toEqual(['receipt', 'stale-fence']);
  });
  it('finds a verifier that is not independent', () => {
    const kin = forged(log, 'WorkVerified', ({ meta }) => ({
      meta: { ...meta, actor: { id: ida.id, kind: ida.kind }, credentialId: ida.credentialId },
    }));
    expect(rules(kin)).toContain('duties');
  });

  describe('with what clients were told', () => {
    const acknowledged = (type: string, over: Partial<Acknowledged> = {}): Acknowledged => {
      const { stream, revision, position, meta } = find(log, type);
      const { commandId, auditId } = meta;
      return { commandId, what: type, id: idOf(stream), revision: revision.toString(), position, auditId, ...over };
    };
    const withTold = (...answers: Acknowledged[]) => ({
      journal: {
        ...emptyJournal,
        asked: new Map(log.map(({ meta }) => [meta.commandId, { commandId: meta.commandId, what: '' }])),
        acknowledged: answers,
      },
    });
    it('finds nothing where all of it is in the log', () =>
      expect(rules(log, withTold(acknowledged('WorkReported', { fence: '1' }), acknowledged('ConfirmationApproved')))).toEqual([]));
    it('finds what is lost or elsewhere', () => {
      expect(rules(log, withTold(acknowledged('WorkShipped', { commandId: derivedId('lost') })))).toEqual(['acknowledged']);
      expect(rules(log, withTold(acknowledged('WorkShipped', { revision: '0' })))).toEqual(['acknowledged']);
      expect(rules(log, withTold(acknowledged('WorkShipped', { position: '1' })))).toEqual(['acknowledged']);
    });
    it('finds a write that claimed another fence than it was stored under', () =>
      expect(rules(log, withTold(acknowledged('WorkReported', { fence: '9' })))).toEqual(['stale-fence']));
    it('finds an effect of what was refused', () => {
      const { commandId } = find(log, 'WorkShipped').meta;
      const { journal } = withTold();
      expect(rules(log, { journal: { ...journal, refused: [{ commandId, what: 'ship', code: 'ship/not-verified' }] } })).toEqual([
        'refused',
      ]);
    });
  });

  it('finds, at rest, what was approved, committed or shipped and went no further', () => {
    const until = (type: string) => log.slice(0, log.findIndex((event) => event.type === type) + 1);
    for (const type of ['ConfirmationApproved', 'MutationCommitted', 'WorkShipped']) {
      expect(rules(until(type), { atRest: true })).toEqual(['unfinished']);
      expect(rules(until(type))).toEqual([]);
    }
  });
});
