import { lastOf, openStream } from '../support/open-stream.js';
import { query } from '../support/cluster.js';
import { eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

const MORE = 650;

describe('The live feed of a workspace in which very much waits', () => {
  let bench: Workbench;
  beforeAll(async () => void (bench = await startWorkbench()));
  afterAll(() => bench.stop());

  it('begins with the first 500 cards and says where the list goes on, so that every card is found once', async () => {
    const { cast, database } = bench;
    const { body } = await propose(await eveFor(cast, cast.mia), 'record.create', { kind: 'work_item', fields: { title: 'One of many' } });
    await cast.ann.get(`/api/confirmations?waitFor=${body.position}`);
    // Proposing them one by one would tell no more of the reading.
    await query(
      { ...database.urls.owner },
      `insert into read_models.confirmations
         select id, tenant_id, workspace_id, status, risk_class, risk_level, requester_id, submitted_at, jsonb_set(card, '{confirmationId}', to_jsonb(id))
         from (select gen_random_uuid() as id, c.* from read_models.confirmations c, generate_series(1, ${MORE})) as copies`,
    );
    const stream = await openStream(cast.ann);
    const { confirmations, tasks, next } = (await lastOf(stream, 'snapshot')).data;
    stream.close();
    expect([confirmations.length, tasks.length, next.tasks]).toEqual([500, 0, null]);

    const found = new Set<string>(confirmations.map((card: { confirmationId: string }) => card.confirmationId));
    for (let cursor = next.confirmations as string | null; cursor !== null;) {
      const page = (await cast.ann.get(`/api/confirmations?status=pending&limit=200&cursor=${cursor}`)).body;
      for (const { confirmationId } of page.items) {
        expect(found).not.toContain(confirmationId);
        found.add(confirmationId);
      }
      cursor = page.next;
    }
    expect(found.size).toBe(MORE + 1);
  });
});
