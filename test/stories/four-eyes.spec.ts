import { approve, createRecord, eveFor, propose, SITE_WORK as work } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import type { Client } from '../support/client.js';

describe('A confirmation that asks for four eyes', () => {
  let bench: Workbench;
  let eve: Client;
  beforeAll(async () => {
    bench = await startWorkbench();
    eve = await eveFor(bench.cast, bench.cast.mia);
  });
  afterAll(() => bench.stop());

  it('is not decided by the one who asked', async () => {
    const { cast } = bench;
    const recordId = await createRecord(cast, 'work_item', { title: 'Doomed' });
    const forAnn = await eveFor(cast, cast.ann);
    const { body } = await propose(forAnn, 'record.archive', { recordId });
    expect(body.card).toMatchObject({ mode: 'four_eyes', risk: { class: 'destructive', level: 4 } });
    const shown = await cast.ann.get(`/api/confirmations/${body.confirmationId}`);
    expect(shown.body.card.actions).toEqual(['withdraw']);
    expect(await cast.ann.post(`/api/confirmations/${body.confirmationId}/decline`, { reason: 'no' })).toMatchObject({
      status: 403,
      body: { code: 'confirmation/own' },
    });
    expect(await approve(cast.ben, body.confirmationId as string)).toMatchObject({ status: 200, body: { receipt: {} } });
    expect((await cast.mia.get(`/api/records/${recordId}`)).body.status).toBe('archived');
  });

  it('is not decided by the person who proposed it again either, and is not offered to them', async () => {
    const { cast } = bench;
    const recordId = await createRecord(cast, 'work_item', { title: 'Doomed twice' });
    const { body } = await propose(eve, 'record.archive', { recordId });
    const moving = await propose(eve, 'record.change', { recordId, changes: { title: 'Moved' } });
    await approve(cast.ben, moving.body.confirmationId as string);
    const again = await cast.ann.post(`/api/confirmations/${body.confirmationId}/repropose`);
    const shown = await cast.ann.get(`/api/confirmations/${again.body.confirmationId}`);
    expect(shown.body).toMatchObject({ card: { actions: [] } });
    expect(shown.body.confirmation_token).toBeUndefined();
    expect(await cast.ann.post(`/api/confirmations/${again.body.confirmationId}/decline`, { reason: 'no' })).toMatchObject({
      status: 403,
      body: { code: 'confirmation/own' },
    });
    expect(await approve(cast.ben, again.body.confirmationId as string)).toMatchObject({ status: 200 });
  });

  it('of a bulk operation names every record and archives them all', async () => {
    const { cast } = bench;
    const recordIds = await Promise.all(['A', 'B', 'C'].map((title) => createRecord(cast, 'work_item', { title })));
    const { body } = await propose(eve, 'records.archiveMany', { recordIds });
    expect(body.card).toMatchObject({ mode: 'four_eyes', risk: { class: 'bulk', level: 5 }, targets: recordIds.map((id) => ({ id })) });
    expect(body.card.changes.map((change: { record: string }) => change.record)).toEqual(['A', 'B', 'C']);
    const approved = await approve(cast.ann, body.confirmationId as string);
    expect(approved.body.receipt.receipts).toHaveLength(3);
    for (const id of recordIds) expect((await cast.mia.get(`/api/records/${id}`)).body.status).toBe('archived');
  });

  it('of a financial operation spends from the budget, and not more than it holds', async () => {
    const { cast } = bench;
    const briefId = await createRecord(cast, 'content_brief', {
      title: 'Launch',
      audience: 'All',
      status: 'accepted',
      acceptanceCriteria: ['Short'],
    });
    const budgetId = await createRecord(cast, 'budget', { title: 'Studio', currency: 'EUR', limit: '1000' });
    const generate = (amount: string) => propose(eve, 'studio.generate', { budgetId, briefId, amount, work });
    expect(await generate('1001')).toMatchObject({
      status: 422,
      body: { code: 'record/invalid', detail: expect.stringMatching(/budget/) },
    });
    const { body } = await generate('950');
    expect(body.card).toMatchObject({
      mode: 'four_eyes',
      risk: { class: 'financial', level: 3 },
      warnings: [expect.stringMatching(/tenth/)],
    });
    expect(await approve(cast.ann, body.confirmationId as string)).toMatchObject({ status: 200 });
    expect((await cast.mia.get(`/api/records/${budgetId}`)).body.fields.spent).toBe('950');
  });
});
