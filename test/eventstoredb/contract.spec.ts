import { openEventStoreDB, type EventStoreDBEventStore } from '#libs/event-store';
import { contractTypes, eventStoreContract } from '#libs/kernel/testing';
import { startTarget, type Target } from './target.js';

let target: Target;
beforeAll(async () => (target = await startTarget()));
afterAll(() => target.stop());

eventStoreContract(
  'EventStoreDB',
  () => openEventStoreDB(target.url, contractTypes),
  (store) => (store as EventStoreDBEventStore).close(),
  { indexesIds: false },
);
