import { Test } from '@nestjs/testing';
import { EventStore, EventTypes, NO_STREAM, newId } from '#libs/kernel';
import { contractTypes, noted } from '#libs/kernel/testing';
import { PostgresModule } from '#libs/postgres';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { EventStoreModule } from './index.js';

describe('The event store module', () => {
  it('provides a store in the database, and leaves with the application', async () => {
    const { urls, drop } = await createEmptyDatabase();
    const module = await Test.createTestingModule({
      imports: [PostgresModule.forRoot(urls), EventStoreModule.forRoot(contractTypes)],
    }).compile();
    await module.init();
    const store = module.get(EventStore);
    const stream = `note-${newId()}`;
    expect(await store.append(stream, [noted('a')], NO_STREAM)).toMatchObject({ revision: 0n });
    expect(module.get(EventTypes)).toBe(contractTypes);
    await module.close();
    await expect(store.append(stream, [noted('b')], 0n)).rejects.toMatchObject({ refusal: { code: 'event-store/unavailable' } });
    await drop();
  });
});
