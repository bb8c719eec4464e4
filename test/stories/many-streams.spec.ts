import { eventually } from '../support/eventually.js';
import { lastOf, openStream, type OpenStream } from '../support/open-stream.js';
import { eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

const STREAMS = Number(process.env['WORKBENCH_TEST_STREAMS'] ?? 200);
const LEAST_EACH = 60;

describe('Very many live feeds', () => {
  let bench: Workbench;
  const open: OpenStream[] = [];
  beforeAll(async () => void (bench = await startWorkbench()));
  afterAll(async () => {
    for (const stream of open) stream.close();
    await bench.stop();
  });

  it('open at once without one being turned away, all hear of a card, and one that was away hears what it missed', async () => {
    const { cast } = bench;
    const { workspaces } = (await cast.otto.get('/api/me')).body;
    const readers = await Promise.all(
      Array.from({ length: Math.ceil(STREAMS / LEAST_EACH) }, async (_, index) => {
        const { body } = await cast.otto.post('/api/credentials', {
          kind: 'human',
          name: `Reader ${index}`,
          roles: ['approver'],
          workspaceIds: [workspaces[0].id],
        });
        return Object.assign(Object.create(Object.getPrototypeOf(cast.ann)), cast.ann, { credential: body.credential }) as typeof cast.ann;
      }),
    );
    // As after a restart: all come back in the same moment.
    open.push(...(await Promise.all(Array.from({ length: STREAMS }, (_, index) => openStream(readers[index % readers.length]!)))));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    for (const stream of open) await lastOf(stream, 'ready');

    const eve = await eveFor(cast, cast.mia);
    const offer = async (title: string) => propose(eve, 'record.create', { kind: 'work_item', fields: { title } });
    await offer('For all');
    const cards = [];
    for (const stream of open) cards.push(await lastOf(stream, 'card'));
    expect(new Set(cards.map(({ id }) => id)).size).toBe(1);

    open[0]!.close();
    await offer('Missed');
    await lastOf(open[1]!, 'card');
    const back = await openStream(readers[0]!, cards[0]!.id);
    open.push(back);
    await eventually(() => back.heard.some(({ event, data }) => event === 'card' && data.card.arguments.fields.title === 'Missed'), 30_000);
    expect(back.heard.filter(({ event }) => event === 'card' || event === 'snapshot')).toHaveLength(1);
  });
});
