import { InMemoryEventStore } from './in-memory.event-store.js';
import { contractTypes, eventStoreContract } from './testing/index.js';

eventStoreContract('The in-memory store', () => Promise.resolve(new InMemoryEventStore(contractTypes)));
