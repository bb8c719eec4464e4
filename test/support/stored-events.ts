import type { INestApplication } from '@nestjs/common';
import { PostgresEventStore } from '#libs/event-store';
import { EventStore, type Recorded } from '#libs/kernel';
import { Database } from '#libs/postgres';
import { eventually } from './eventually.js';

const ALL = 1_000_000;

/** How many events are stored, whether readers may see them yet or not. */
export const countEvents = async (app: INestApplication): Promise<number> => {
  const store = app.get(EventStore);
  if (!(store instanceof PostgresEventStore)) return (await store.readAll(undefined, ALL)).events.length;
  const { rows } = await app.get(Database).projector.query<{ n: number }>('select count(*)::int as n from es.events');
  return rows[0]!.n;
};

/** All of them. A page may end before the newest, which are not final while anybody else writes, to whatever database of the same cluster. */
export const allEvents = async (app: INestApplication): Promise<readonly Recorded[]> => {
  const count = await countEvents(app);
  return eventually(async () => {
    const { events } = await app.get(EventStore).readAll(undefined, ALL);
    return events.length >= count && events;
  }, 30_000);
};
