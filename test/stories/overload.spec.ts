import { Admission } from '#libs/http';
import { eventually } from '../support/eventually.js';
import { eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

const AT_ONCE = 4;
const FLOOD = 60;

describe('A server that gets several times what it can do', () => {
  let bench: Workbench;
  beforeAll(async () => void (bench = await startWorkbench({ atOnce: { commands: AT_ONCE, reads: AT_ONCE } })));
  afterAll(() => bench.stop());

  it('answers everyone with a result or a time to come back, stays bounded and healthy, and has lost nothing', async () => {
    const { cast, server, url } = bench;
    const admission = server.app.get(Admission);
    const eve = await eveFor(cast, cast.mia);
    const titles = Array.from({ length: FLOOD }, (_, index) => `flood-${index}`);
    const writes = titles.map((title) => propose(eve, 'record.create', { kind: 'work_item', fields: { title } }, title));
    const reads = titles.map(() => cast.ann.get('/api/confirmations?status=pending'));
    // Whoever watches is answered in the middle of it.
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);

    const answers = await Promise.all([...writes, ...reads]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 202, 503]));
    for (const { headers, body } of answers.filter(({ status }) => status === 503)) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.code).toBe('server/busy');
    }
    for (const { lane, mostWaiting } of admission.lanes()) if (lane !== 'stream') expect(mostWaiting).toBeLessThanOrEqual(AT_ONCE * 4);

    // The same again, as long as it takes: what was turned away was not done, and what was done is not done twice.
    for (const title of titles)
      await eventually(
        async () => (await propose(eve, 'record.create', { kind: 'work_item', fields: { title } }, title)).status === 202,
        30_000,
      );
    const found = new Map<string, number>();
    const last = await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'Last' } });
    let path = `/api/confirmations?status=pending&limit=200&waitFor=${last.body.position}`;
    for (let next: string | null = ''; next !== null; path = `/api/confirmations?status=pending&limit=200&cursor=${next}`) {
      const { body } = await cast.ann.get(path);
      for (const card of body.items as { arguments: { fields: { title: string } } }[]) {
        const { title } = card.arguments.fields;
        found.set(title, (found.get(title) ?? 0) + 1);
      }
      next = body.next as string | null;
    }
    expect([...found.values()].every((count) => count === 1)).toBe(true);
    expect(found.size).toBe(FLOOD + 1);
    expect(admission.lanes().map(({ active, waiting }) => [active, waiting])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });
});
