import { type EventTypes, type Recorded } from '#libs/kernel';
import { openPostgresEventStore } from '#libs/event-store';
import { openDatabase, type DatabaseUrls } from '#libs/postgres';
import { allEventTypes } from '../../apps/server/src/contexts.js';

/** All events of a database, read past every server. */
export const readEventLog = async (urls: DatabaseUrls): Promise<Recorded[]> => {
  const database = await openDatabase(urls);
  const types: EventTypes = allEventTypes();
  const store = await openPostgresEventStore(database, types);
  try {
    const events: Recorded[] = [];
    for (let after: string | undefined; ;) {
      const page = await store.readAll(after, 1_000);
      events.push(...page.events);
      if (page.events.length === 0) return events;
      after = page.position;
    }
  } finally {
    store.close();
    await database.close();
  }
};

/** Event types by stream, in order. */
export const typesByStream = (events: readonly Recorded[]): ReadonlyMap<string, string[]> => {
  const streams = new Map<string, string[]>();
  for (const { stream, type } of events) streams.set(stream, [...(streams.get(stream) ?? []), type]);
  return streams;
};
