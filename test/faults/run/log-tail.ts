import type { Recorded } from '#libs/kernel';
import { openPostgresEventStore } from '#libs/event-store';
import { openDatabase, type DatabaseUrls } from '#libs/postgres';
import { allEventTypes } from '../../../apps/server/src/contexts.js';
import { eventually } from '../../support/eventually.js';

/** The log as it grows, read past every server. */
export type LogTail = Readonly<{
  /** All events up to the last one that was there at the call, however long it takes until no earlier one can come any more. */
  read(): Promise<readonly Recorded[]>;
  close(): Promise<void>;
}>;

export const tailLog = async (urls: DatabaseUrls): Promise<LogTail> => {
  const database = await openDatabase(urls);
  const store = await openPostgresEventStore(database, allEventTypes());
  const events: Recorded[] = [];
  let after: string | undefined;
  return {
    async read() {
      const { rows } = await eventually(
        () => database.projector.query<{ highest: string }>('select coalesce(max(position), 0)::text as highest from es.events'),
        90_000,
      );
      const highest = BigInt(rows[0]!.highest);
      await eventually(async () => {
        const page = await store.readAll(after, 1_000);
        events.push(...page.events);
        after = page.position;
        return BigInt(after ?? 0) >= highest;
      }, 90_000);
      return events;
    },
    async close() {
      store.close();
      await database.close();
    },
  };
};
