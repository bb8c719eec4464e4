import { eventually } from '../support/eventually.js';
import { eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

describe('Time to decide', () => {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await startWorkbench({ decideMs: 2_000 });
  });
  afterAll(() => bench.stop());

  it('that ran out is an outcome of its own, and an approval in the last second still runs', async () => {
    const { cast } = bench;
    const eve = await eveFor(cast, cast.mia);
    const create = (title: string) => propose(eve, 'record.create', { kind: 'work_item', fields: { title } });
    const { body: left } = await create('Left alone');
    const { body: late } = await create('Approved late');
    const { confirmation_token } = (await cast.ann.get(`/api/confirmations/${late.confirmationId}`)).body;
    const deadline = Date.parse(late.card.approvalExpiresAt as string);
    await eventually(() => Date.now() > deadline - 900);
    expect(await cast.ann.post(`/api/confirmations/${late.confirmationId}/approve`, { confirmation_token })).toMatchObject({
      status: 200,
      body: { decision: 'approved' },
    });

    await eventually(async () => (await cast.ann.get(`/api/confirmations/${late.confirmationId}`)).body.card.status === 'committed');
    await eventually(async () => (await cast.ann.get(`/api/confirmations/${left.confirmationId}`)).body.card.status === 'expired');
    const expired = await cast.ann.get(`/api/confirmations/${left.confirmationId}`);
    expect(expired.body.card).toMatchObject({ status: 'expired', decision: { outcome: 'expired' }, actions: ['repropose'] });
    expect(await cast.ann.post(`/api/confirmations/${left.confirmationId}/decline`, { reason: 'late' })).toMatchObject({
      status: 410,
      body: { code: 'confirmation/expired', detail: expect.stringMatching(/repropose/) },
    });
    expect(await cast.ann.post(`/api/confirmations/${left.confirmationId}/repropose`)).toMatchObject({ status: 202 });
  });
});
