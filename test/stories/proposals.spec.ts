import { EventStore } from '#libs/kernel';
import { countEvents } from '../support/stored-events.js';
import { approve, createRecord, eveFor, propose, SITE_WORK as work } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import type { Client } from '../support/client.js';

describe('A proposal', () => {
  let bench: Workbench;
  let eve: Client;
  beforeAll(async () => {
    bench = await startWorkbench();
    eve = await eveFor(bench.cast, bench.cast.mia);
  });
  afterAll(() => bench.stop());
  const total = () => countEvents(bench.server.app);

  it('with invalid arguments names every field and stores nothing', async () => {
    const before = await total();
    const answer = await propose(eve, 'work.dispatch', {
      recordId: 'x',
      work: { ...work, baseRevision: 'main', paths: ['../etc'], checks: [], extra: 1 },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'request/invalid' } });
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
      '/arguments/recordId',
      '/arguments/work/baseRevision',
      '/arguments/work/checks',
      '/arguments/work/extra',
    ]);
    const climbing = await propose(eve, 'work.dispatch', {
      recordId: '00000000-0000-4000-8000-000000000000',
      work: { ...work, paths: ['src', '../etc', '.git/hooks'] },
    });
    expect(climbing.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      '/arguments/work/paths/1',
      '/arguments/work/paths/2',
    ]);
    expect(await propose(eve, 'record.create', { kind: 'work_item', fields: {} })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/arguments/fields/title' }] },
    });
    expect(await propose(eve, 'rm.everything', {})).toMatchObject({ status: 422, body: { errors: [{ pointer: '/operation' }] } });
    expect(await total()).toBe(before);
  });

  it('names its requester by delegation only', async () => {
    const body = { operation: 'record.create', arguments: { kind: 'work_item', fields: { title: 'T' } }, reason: 'r' };
    expect(await bench.cast.eve.post('/api/proposals', body)).toMatchObject({ status: 403, body: { code: 'delegation/missing' } });
    expect(await eve.post('/api/proposals', { ...body, requester: 'someone' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/requester' }] },
    });
    expect(await bench.cast.mia.post('/api/proposals', body)).toMatchObject({ status: 403, body: { code: 'auth/role' } });
  });

  it('sent again with its key is the same proposal, also when its record has changed meanwhile', async () => {
    const recordId = await createRecord(bench.cast, 'work_item', { title: 'Old' });
    const args = { recordId, changes: { title: 'New' } };
    const first = await propose(eve, 'record.change', args, 'key-1');
    await approve(bench.cast.ann, first.body.confirmationId as string);
    const again = await propose(eve, 'record.change', args, 'key-1');
    expect(again).toMatchObject({
      status: 202,
      body: { proposalId: first.body.proposalId, position: first.body.position, status: 'committed' },
    });
    expect(await propose(eve, 'record.change', { recordId, changes: { title: 'Other' } }, 'key-1')).toMatchObject({
      status: 422,
      body: { code: 'idempotency/other-body' },
    });
  });

  it('of what is already so is refused', async () => {
    const recordId = await createRecord(bench.cast, 'work_item', { title: 'Same' });
    expect(await propose(eve, 'record.change', { recordId, changes: { title: 'Same' } })).toMatchObject({
      status: 422,
      body: { code: 'proposal/no-change' },
    });
  });

  it('of work on an item that is in progress already says so, and can be approved', async () => {
    const { cast } = bench;
    const recordId = await createRecord(cast, 'work_item', { title: 'Again' });
    await approve(cast.ann, (await propose(eve, 'work.dispatch', { recordId, work })).body.confirmationId as string);
    const { status, body } = await propose(eve, 'work.dispatch', { recordId, work });
    expect([status, body.card]).toMatchObject([202, { changes: [], warnings: ['It is in progress already.'] }]);
    expect(await approve(cast.ann, body.confirmationId as string)).toMatchObject({ status: 200, body: { receipt: {} } });
  });

  it('for a record of another kind is refused', async () => {
    const recordId = await createRecord(bench.cast, 'work_item', { title: 'Item' });
    expect(await propose(eve, 'thread.reply', { recordId, text: 'Hi' })).toMatchObject({
      status: 422,
      body: { code: 'proposal/wrong-kind' },
    });
  });

  it('carries its audit id through card, decision, mutation and record', async () => {
    const recordId = await createRecord(bench.cast, 'thread', { title: 'Talk' });
    const { body } = await propose(eve, 'thread.reply', { recordId, text: 'Hello' });
    await approve(bench.cast.ann, body.confirmationId as string);
    const { items } = (await bench.cast.mia.get(`/api/records/${recordId}/history`)).body;
    expect(items.at(-1)).toMatchObject({ type: 'RecordChanged', auditId: body.auditId, approvedBy: expect.any(String) });
    const { events } = await bench.server.app.get(EventStore).readStream(`proposal-${body.proposalId}`);
    expect(new Set(events.map(({ meta }) => meta.auditId))).toEqual(new Set([body.auditId]));
  });
});
