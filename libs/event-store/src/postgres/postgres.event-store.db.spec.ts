import { contractTypes, eventStoreContract } from '#libs/kernel/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { openPostgresEventStore, type PostgresEventStore } from './postgres.event-store.js';

let test: TestDatabase;
beforeAll(async () => (test = await createTestDatabase()));
afterAll(() => test.drop());

eventStoreContract(
  'The PostgreSQL store',
  () => openPostgresEventStore(test.database, contractTypes),
  (store) => Promise.resolve((store as PostgresEventStore).close()),
);
