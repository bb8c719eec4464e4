import type { INestApplication } from '@nestjs/common';
import { EventStore } from '#libs/kernel';
import { PostgresEventStore } from '#libs/event-store';
import { Database } from '#libs/postgres';

/** How many events are stored, whether readers may see them yet or not. */
export const countEvents = async (app: INestApplication): Promise<number> => {
  const store = app.get(EventStore);
  if (!(store instanceof PostgresEventStore)) return (await store.readAll(undefined, 1_000_000)).events.length;
  const { rows } = await app.get(Database).projector.query<{ n: number }>('select count(*)::int as n from es.events');
  return rows[0]!.n;
};
