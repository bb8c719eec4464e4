import { eventually } from '../../../test/support/eventually.js';
import { Positions } from './positions.js';
import type { Projection } from './projection.js';
import { boxes, filled, newBox, openBoxes, owners, type Boxes } from './testing/boxes.js';

jest.setTimeout(30_000);

describe('A read that waits for a position', () => {
  let world: Boxes;
  beforeEach(async () => {
    world = await openBoxes();
  });
  afterEach(() => world.close());
  /** Readers see it: whatever else writes in the same cluster holds back what counts as settled. */
  const settled = (position: string) => eventually(async () => (await world.store.readAll(undefined, 10)).position === position);

  it('sees on any server what was written before', async () => {
    await world.started();
    const reader = await world.started({ run: false });
    for (let amount = 1; amount <= 10; amount++) {
      const position = await world.append(newBox(), filled(amount));
      await reader.positions.waitFor(position, 5000);
      expect(await world.rows('select 1 from boxes where amount = $1', [amount])).toHaveLength(1);
    }
  });

  it('waits for no longer than it takes, and many can wait at once', async () => {
    const { positions } = await world.started();
    await positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    const queries = jest.spyOn(world.database.database.projector, 'query');
    const position = await world.append(newBox(), filled(1));
    await Promise.all(Array.from({ length: 200 }, () => positions.waitFor(position, 5000)));
    expect(queries.mock.calls.filter(([text]) => String(text).includes('from checkpoints where state')).length).toBeLessThan(20);
    queries.mockRestore();
  });

  it('looks itself once the connection was lost over which it was told: a crash may have taken that back', async () => {
    const position = await world.append(newBox(), filled(1));
    await settled(position);
    let tell!: (payload: string | undefined) => void;
    const { store, database } = world;
    const listen = (_: string, handler: typeof tell) => {
      tell = handler;
      return () => undefined;
    };
    const positions = new Positions({ store, projector: database.database.projector, now: () => new Date().toISOString(), listen });
    tell(position);
    await positions.waitFor(position, 50);
    tell(undefined);
    await expect(positions.waitFor(position, 50)).rejects.toMatchObject({ refusal: { code: 'read-model/behind' } });
  });

  it('is answered with the lag when nobody projects', async () => {
    const { positions } = await world.started({ run: false });
    await world.append(newBox(), filled(1), filled(2));
    const position = await world.append(newBox(), filled(3));
    await settled(position);
    const began = performance.now();
    await expect(positions.waitFor(position, 200)).rejects.toMatchObject({
      refusal: {
        kind: 'timeout',
        code: 'read-model/behind',
        facts: { waitedFor: position, reached: null, lag: { events: 3, seconds: expect.any(Number) as number } },
      },
    });
    expect(performance.now() - began).toBeGreaterThanOrEqual(195);
  });

  it('waits for the slowest projection, but not for one that is faulted', async () => {
    const picky: Projection = {
      ...owners,
      evolve: {
        BoxFilled: () => {
          throw new Error('Never.');
        },
      },
    };
    const { positions, status } = await world.started({ projections: [boxes, picky] });
    const position = await world.append(newBox(), filled(1));
    await settled(position);
    await expect(positions.waitFor(position, 50)).rejects.toMatchObject({ refusal: { facts: { lag: { events: 1 } } } });
    await eventually(async () => (await status.read()).projections.some(({ state }) => state === 'faulted'));
    await positions.waitFor(position, 5000);
    expect(await positions.lag()).toEqual({ events: 0, seconds: 0 });
  });
});
