import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { eventually } from '../../../test/support/eventually.js';
import { EventStoreModule } from '#libs/event-store';
import { EventStore } from '#libs/kernel';
import { PostgresModule } from '#libs/postgres';
import { Feed } from './feed.js';
import { Positions } from './positions.js';
import { ProjectionStatus } from './projection-status.js';
import { ProjectionsModule } from './projections.module.js';
import { Rebuild } from './rebuild.js';
import {
  boxes,
  BoxRow,
  boxEvent,
  boxTypes,
  emptied,
  emptying,
  filled,
  newBox,
  openBoxes,
  OwnerRow,
  owners,
  type Boxes,
} from './testing/boxes.js';

jest.setTimeout(30_000);

@Injectable()
class Emptier {
  readonly emptied: string[] = [];
  constructor(readonly store: EventStore) {}
}
@Module({ providers: [Emptier], exports: [Emptier] })
class EmptierModule {}

describe('The projections module', () => {
  let world: Boxes;
  beforeEach(async () => {
    world = await openBoxes();
  });
  afterEach(() => world.close());

  const application = async (run: boolean) => {
    const module = await Test.createTestingModule({
      imports: [
        PostgresModule.forRoot({ ...world.database.urls, entities: [BoxRow, OwnerRow] }),
        EventStoreModule.forRoot(boxTypes),
        EmptierModule,
        ProjectionsModule.forRoot({
          projections: [boxes, owners],
          reactors: [{ name: 'idle', types: [], react: () => Promise.resolve() }],
          deadlines: (resolve) => {
            const emptier = resolve(Emptier);
            return [
              emptying({
                empty: async ({ stream }, now) => {
                  await emptier.store.append(stream, [boxEvent(stream, 1, emptied(now))], 0n);
                  emptier.emptied.push(stream);
                },
              }),
            ];
          },
          run,
        }),
      ],
    }).compile();
    module.useLogger(false);
    try {
      return await module.init();
    } catch (error) {
      await module.close();
      throw error;
    }
  };
  const connections = async () =>
    (
      await world.admin(
        `select application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
    )
      .map(({ name }) => name as string)
      .sort();

  it('starts and ends with the application, and leaves nothing behind', async () => {
    const before = await connections();
    const [worker, reader] = [await application(true), await application(false)];
    const store = reader.get(EventStore);
    const box = newBox();
    const { position } = await store.append(box, [boxEvent(box, 0, filled(1))], -1n);
    await reader.get(Positions).waitFor(position, 5000);
    await eventually(() => worker.get(Emptier).emptied.length === 1);
    expect(reader.get(Emptier).emptied).toEqual([]);
    expect((await reader.get(ProjectionStatus).read()).projections.map(({ name }) => name)).toEqual([
      'boxes',
      'deadlines:emptying',
      'owners',
    ]);
    expect(await reader.get(Rebuild).verify()).toEqual([]);
    const cut = new AbortController();
    const follower = reader.get(Feed).follow('0', { signal: cut.signal });
    for (let heard = 0; heard < 2;) heard += (await follower.next()).value!.length;
    const waiting = follower.next();
    await Promise.all([worker.close(), reader.close()]);
    expect(await waiting).toEqual({ done: true, value: undefined });
    await eventually(async () => JSON.stringify(await connections()) === JSON.stringify(before));
  });

  it('ends at once while much is left to do', async () => {
    for (let count = 0; count < 3000; count += 100) await world.append(newBox(), ...Array.from({ length: 100 }, () => filled(1)));
    const worker = await application(true);
    const began = performance.now();
    await worker.close();
    expect(performance.now() - began).toBeLessThan(3000);
    const { positions } = await world.started();
    await positions.waitFor('3000', 20_000);
    expect(await world.rows('select events from owners')).toEqual([{ events: 3000 }]);
  });

  it('keeps an application from starting on the read models of another store', async () => {
    const worker = await application(true);
    await world.append(newBox(), filled(1));
    await eventually(async () => (await worker.get(ProjectionStatus).read()).projections.length === 3);
    await worker.close();
    await world.admin(`update read_models.checkpoints set store_id = 'another'`);
    await expect(application(false)).rejects.toThrow('filled from event store "another"');
  });
});
