import { type EventTypes, type Recorded } from '#libs/kernel';
import { openEventStoreDB, openPostgresEventStore } from '#libs/event-store';
import { openDatabase, type Database, type DatabaseUrls } from '#libs/postgres';
import { allEventTypes } from '../../apps/server/src/contexts.js';

/** All events of a site, read past every server. */
export const readEventLog = async ({ database: { urls }, eventStoreUrl }: EventLogPlace): Promise<Recorded[]> => {
  const database = await openDatabase(urls);
  const types: EventTypes = allEventTypes();
  const store = await (eventStoreUrl === undefined ? openPostgresEventStore(database, types) : openEventStoreDB(eventStoreUrl, types));
  try {
    const events: Recorded[] = [];
    // While others write, the newest are not final yet and a page may be empty before the end.
    const highest = eventStoreUrl === undefined ? await highestPosition(database) : 0n;
    for (let after: string | undefined; ;) {
      const page = await store.readAll(after, 1_000);
      events.push(...page.events);
      after = page.position;
      if (page.events.length === 0 && BigInt(after ?? 0) >= highest) return events;
    }
  } finally {
    await store.close();
    await database.close();
  }
};

const highestPosition = async ({ projector }: Database): Promise<bigint> => {
  const { rows } = await projector.query<{ highest: string }>('select coalesce(max(position), 0)::text as highest from es.events');
  return BigInt(rows[0]!.highest);
};

type EventLogPlace = Readonly<{ database: Readonly<{ urls: DatabaseUrls }>; eventStoreUrl: string | undefined }>;

/** Event types by stream, in order. */
export const typesByStream = (events: readonly Recorded[]): ReadonlyMap<string, string[]> => {
  const streams = new Map<string, string[]>();
  for (const { stream, type } of events) streams.set(stream, [...(streams.get(stream) ?? []), type]);
  return streams;
};
