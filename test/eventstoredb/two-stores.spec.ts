import { type Recorded } from '#libs/kernel';
import { createRepository, type Repository } from '../support/repository.js';
import { claim, implement, queueTask, receiptOf, ship, verify } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import { startWireServer, type WireServer } from './server/server.js';
import { describeWithOwnStores, startEmptyTarget } from './target.js';
import { allEvents } from '../support/stored-events.js';

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DIGEST = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;

/**
 * The events without what no two runs share: times, what is random, positions, which are the store's own; each id and digest becomes
 * the number of its first appearance, so that it still shows where the same one appears again.
 */
const normalised = (events: readonly Recorded[]): string => {
  const seen = new Map<string, string>();
  const numbered = (kind: string) => (text: string) => {
    if (!seen.has(text)) seen.set(text, `<${kind} ${seen.size}>`);
    return seen.get(text)!;
  };
  return events
    .map(({ position: _, recordedAt: __, ...event }) =>
      JSON.stringify(event, (___, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
    )
    .join('\n')
    .replace(UUID, numbered('id'))
    .replace(TIME, '<time>')
    .replace(DIGEST, numbered('digest'))
    .replace(/("(?:tokenNonce|payload|sig)":)"[^"]*"/g, '$1"<random>"')
    .replace(/("position":)"\d+"/g, '$1"<position>"')
    .replace(/("durationMs":)\d+/g, '$1"<time>"');
};

describe('PostgreSQL and EventStoreDB', () => {
  let repository: Repository;
  beforeAll(() => {
    repository = createRepository();
  });
  afterAll(() => repository.remove());

  const roundTrip = async (bench: Workbench): Promise<readonly Recorded[]> => {
    const { cast } = bench;
    const { taskId } = await queueTask(cast, repository);
    const leased = await claim(cast.ida, taskId);
    repository.git('checkout', '--quiet', '--detach', repository.base);
    const { revision } = await implement(cast.ida, repository, leased.body.lease);
    await verify(cast.vera, taskId);
    await ship(cast.otto, taskId, revision);
    await receiptOf(cast.mia, taskId);
    return allEvents(bench.server.app);
  };

  it('hold the same events after the whole round trip, ids and times apart', async () => {
    const postgres = await startWorkbench();
    let onPostgres: readonly Recorded[];
    try {
      onPostgres = await roundTrip(postgres);
    } finally {
      await postgres.stop();
    }
    const target = await startEmptyTarget();
    try {
      const bench = await startWorkbench({ eventStoreUrl: target.url });
      const there = await roundTrip(bench).finally(() => bench.stop());
      expect(there.length).toBeGreaterThan(20);
      expect(normalised(there).split('\n')).toEqual(normalised(onPostgres).split('\n'));
    } finally {
      await target.stop();
    }
  });

  describeWithOwnStores('are not taken for each other', () => {
    let first: WireServer;
    let second: WireServer;
    beforeAll(async () => {
      [first, second] = await Promise.all([startWireServer(), startWireServer()]);
    });
    afterAll(() => Promise.all([first.stop(), second.stop()]));

    it.each<[string, () => string | undefined, () => string | undefined]>([
      ['of PostgreSQL on EventStoreDB', () => undefined, () => first.url],
      ['of EventStoreDB on PostgreSQL', () => first.url, () => undefined],
      ['of one EventStoreDB on another', () => first.url, () => second.url],
    ])('by a start with read models %s', async (_, filledFrom, startedOn) => {
      const bench = await startWorkbench({ eventStoreUrl: filledFrom() });
      try {
        await bench.cast.mia.get('/api/me');
        const start = bench.another({ eventStoreUrl: startedOn() });
        await expect(start).rejects.toThrow(/read models were filled from event store "[0-9a-f-]{36}".*this server is configured for/s);
        // The one that they belong to goes on.
        expect((await bench.another({ eventStoreUrl: filledFrom() })).url).toMatch(/^http/);
      } finally {
        await bench.stop();
      }
    });
  });
});
