import { EventSource } from 'eventsource';
import { eventually } from '../support/eventually.js';
import { approve, createRecord, eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import { Client } from '../support/client.js';

type Heard = Readonly<{ event: string; id: string; data: any }>;
const TEXT = 'CR\r, LF\n, both\r\n, \u2028 and 😀';
const KINDS = ['snapshot', 'resync_required', 'ready', 'card', 'card_closed', 'record', 'task', 'receipt', 'error', 'stream_end'];

/** What one listener hears, in order. */
const listen = (client: Client, lastEventId?: string) => {
  const heard: Heard[] = [];
  const source = new EventSource(`${client.url}/api/events/stream`, {
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: {
          ...init.headers,
          authorization: `Bearer ${client.credential}`,
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
      }),
  });
  for (const kind of KINDS)
    source.addEventListener(kind, (event) => {
      if (typeof event.data === 'string') heard.push({ event: kind, id: event.lastEventId, data: JSON.parse(event.data) });
    });
  return { heard, of: (event: string) => heard.filter((one) => one.event === event), close: () => source.close() };
};

describe('The live feed', () => {
  let bench: Workbench;
  let second: string;
  beforeAll(async () => {
    bench = await startWorkbench();
    second = (await bench.another({ roles: { api: true, worker: false } })).url!;
  });
  afterAll(() => bench.stop());

  it('begins with all that is pending, then tells of each card and its end, on every server', async () => {
    const { cast } = bench;
    const eve = await eveFor(cast, cast.mia);
    const { body: early } = await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'Early' } });
    await cast.ann.get(`/api/confirmations?waitFor=${early.position}`);
    const listeners = [listen(cast.ann), listen(cast.ann.at(second))];
    try {
      for (const { of } of listeners) await eventually(() => of('ready').length === 1);
      for (const { heard } of listeners) {
        expect(heard[0]).toMatchObject({
          event: 'snapshot',
          data: { confirmations: [{ confirmationId: early.confirmationId, actions: ['approve', 'decline'] }] },
        });
        expect(heard[1]).toMatchObject({ event: 'ready' });
      }
      const { body: late } = await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'Late', description: TEXT } });
      for (const { of } of listeners) {
        const [card] = await eventually(() => of('card').length === 1 && of('card'));
        expect(card!.data.card).toMatchObject({
          confirmationId: late.confirmationId,
          arguments: { fields: { description: TEXT } },
          actions: ['approve', 'decline'],
        });
        // What is announced can be read: the feed never runs ahead of the read model.
        expect(
          (await cast.ann.get('/api/confirmations?status=pending')).body.items.map(
            (item: { confirmationId: string }) => item.confirmationId,
          ),
        ).toContain(late.confirmationId);
      }
      await approve(cast.ben, late.confirmationId as string);
      for (const { of } of listeners)
        await eventually(() =>
          of('card_closed').some(({ data }) => data.confirmationId === late.confirmationId && data.status === 'committed'),
        );
    } finally {
      for (const { close } of listeners) close();
    }
  });

  it('resumes with the very next event after the one that was heard last, also on another server', async () => {
    const { cast } = bench;
    const eve = await eveFor(cast, cast.mia);
    const first = listen(cast.ann);
    await eventually(() => first.of('ready').length === 1);
    await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'One' } });
    const [one] = await eventually(() => first.of('card').length === 1 && first.of('card'));
    first.close();
    await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'Two' } });
    await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'Three' } });

    const again = listen(cast.ann.at(second), one!.id);
    try {
      await eventually(() => again.of('card').length === 2);
      expect(again.of('card').map(({ data }) => data.card.arguments.fields.title)).toEqual(['Two', 'Three']);
      expect(again.of('snapshot')).toEqual([]);
    } finally {
      again.close();
    }
  });

  it('sends a fresh snapshot for an id that it does not know', async () => {
    const listener = listen(bench.cast.ann, '999999999');
    try {
      await eventually(() => listener.of('ready').length === 1);
      expect(listener.heard[0]!.event).toBe('resync_required');
    } finally {
      listener.close();
    }
    expect((await bench.cast.ann.get('/api/events/stream', { headers: { 'last-event-id': 'x' } })).status).toBe(422);
  });

  it('tells members of their own cards only', async () => {
    const { cast } = bench;
    const [mine, foreign] = [listen(cast.mia), listen(cast.ian)];
    try {
      await eventually(() => mine.of('ready').length + foreign.of('ready').length === 2);
      await createRecord(cast, 'work_item', { title: 'Only for Mia' });
      await eventually(() => mine.of('card_closed').some(({ data }) => data.status === 'committed'));
      await eventually(() => foreign.of('record').length > 0);
      expect(foreign.of('card')).toEqual([]);
      expect(foreign.of('card_closed')).toEqual([]);
    } finally {
      mine.close();
      foreign.close();
    }
  });

  // D09
  it('reaches 150 listeners with one reader, and closes those of a revoked credential within 2 s on every server', async () => {
    const { cast } = bench;
    const me = (await cast.otto.get('/api/me')).body;
    const issued = await cast.otto.post('/api/credentials', {
      kind: 'human',
      name: 'Temp Approver',
      roles: ['approver'],
      workspaceIds: [me.workspaces[0].id],
    });
    expect(issued.status).toBe(201);
    const temp = [cast.ann.at(bench.url), cast.ann.at(second)].map((client) => new Client(client.url, issued.body.credential as string));
    const crowd = Array.from({ length: 150 }, (_, index) =>
      listen([cast.ann, cast.ben.at(second), cast.ann.at(second), cast.ben][index % 4]!),
    );
    const doomed = temp.map((client) => listen(client));
    try {
      for (const { of } of [...crowd, ...doomed]) await eventually(() => of('ready').length === 1);
      const eve = await eveFor(cast, cast.mia);
      await propose(eve, 'record.create', { kind: 'work_item', fields: { title: 'For the crowd' } });
      for (const { of } of crowd) await eventually(() => of('card').length === 1);

      const revokedAt = Date.now();
      expect((await cast.otto.delete(`/api/credentials/${issued.body.id}`)).status).toBe(200);
      for (const { of } of doomed) await eventually(() => of('error').length === 1 && of('stream_end').length === 1, 2_000);
      expect(Date.now() - revokedAt).toBeLessThan(2_000);
    } finally {
      for (const { close } of [...crowd, ...doomed]) close();
    }
  });
});
