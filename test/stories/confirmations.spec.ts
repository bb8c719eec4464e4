import { approve, createRecord, eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

describe('A confirmation', () => {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await startWorkbench();
  });
  afterAll(() => bench.stop());

  it('is approved on a card and carried out', async () => {
    const { cast } = bench;
    const eve = await eveFor(cast, cast.mia);
    const proposed = await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'Fix the leak' } });
    expect(proposed).toMatchObject({ status: 202, body: { status: 'pending' } });
    const approved = await approve(cast.ann, proposed.body.confirmationId as string);
    expect(approved).toMatchObject({ status: 200, body: { decision: 'approved', receipt: { receipts: [{ revision: '0' }] } } });
    const recordId = await createRecord(cast, 'work_item', { title: 'Another' });
    expect(await cast.mia.get(`/api/records/${recordId}`)).toMatchObject({ status: 200, body: { fields: { title: 'Another' } } });
  });
});
