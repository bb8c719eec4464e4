import { type EventTypes, type Recorded } from '#libs/kernel';
import { openEventStoreDB, openPostgresEventStore } from '#libs/event-store';
import { openDatabase, type DatabaseUrls } from '#libs/postgres';
import { allEventTypes } from '../../apps/server/src/contexts.js';

/** All events of a site, read past every server. */
export const readEventLog = async ({ database: { urls }, eventStoreUrl }: EventLogPlace): Promise<Recorded[]> => {
  const database = await openDatabase(urls);
  const types: EventTypes = allEventTypes();
  const store = await (eventStoreUrl === undefined ? openPostgresEventStore(database, types) : openEventStoreDB(eventStoreUrl, types));
  try {
    const events: Recorded[] = [];
    for (let after: string | undefined; ;) {
      const page = await store.readAll(after, 1_000);
      events.push(...page.events);
      if (page.events.length === 0) return events;
      after = page.position;
    }
  } finally {
    await store.close();
    await database.close();
  }
};

type EventLogPlace = Readonly<{ database: Readonly<{ urls: DatabaseUrls }>; eventStoreUrl: string | undefined }>;

/** Event types by stream, in order. */
export const typesByStream = (events: readonly Recorded[]): ReadonlyMap<string, string[]> => {
  const streams = new Map<string, string[]>();
  for (const { stream, type } of events) streams.set(stream, [...(streams.get(stream) ?? []), type]);
  return streams;
};
