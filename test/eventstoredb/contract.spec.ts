import { openEventStoreDB, type EventStoreDBEventStore } from '#libs/event-store';
import { contractTypes, eventStoreContract } from '#libs/kernel/testing';
import { startWireServer, type WireServer } from './server/server.js';

/** A real one where there is one: nothing here needs to know. */
const real = process.env['TEST_EVENTSTORE_URL'];

let wire: WireServer | undefined;
beforeAll(async () => {
  if (!real) wire = await startWireServer();
});
afterAll(() => wire?.stop());

eventStoreContract(
  real ? 'EventStoreDB' : 'EventStoreDB, on the wire',
  () => openEventStoreDB(real ?? wire!.url, contractTypes, { variable: 'TEST_EVENTSTORE_URL' }),
  (store) => (store as EventStoreDBEventStore).close(),
  { indexesIds: false },
);
