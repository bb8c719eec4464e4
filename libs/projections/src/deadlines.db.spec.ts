import { eventually } from '../../../test/support/eventually.js';
import type { Deadline } from './deadline.js';
import { emptied, emptying, filled, newBox, openBoxes, type Boxes } from './testing/boxes.js';

jest.setTimeout(30_000);

describe('A deadline', () => {
  let world: Boxes;
  let called: { key: string; dueAt: string; now: string }[];
  beforeEach(async () => {
    world = await openBoxes();
    called = [];
  });
  afterEach(() => world.close());

  const inMs = (ms: number) => new Date(Date.parse(world.clock.now()) + ms).toISOString();
  const note = ({ key, dueAt }: Deadline, now: string) => void called.push({ key, dueAt, now });
  const startedWith = (handler: (deadline: Deadline, now: string) => Promise<void> | void) =>
    world.started({
      deadlines: [
        emptying({
          empty: async (deadline, now) => {
            note(deadline, now);
            await handler(deadline, now);
          },
        }),
      ],
    });

  it('is acted on when its time has come by the clock of the database, and is gone with the event that follows', async () => {
    await startedWith(async ({ stream }, now) => void (await world.append(stream, emptied(now))));
    const [soon, late] = [newBox(), newBox()];
    const dueAt = inMs(300);
    await world.append(soon, filled(1, 'ann', dueAt));
    await world.append(late, filled(1, 'ann', inMs(3_600_000)));
    await eventually(async () => (await world.rows('select 1 from boxes where amount = 0')).length > 0);
    expect(called).toEqual([{ key: soon, dueAt, now: expect.any(String) as string }]);
    expect(Date.parse(called[0]!.now) - Date.parse(dueAt)).toBeGreaterThanOrEqual(0);
    expect(await world.rows('select key from deadlines')).toEqual([{ key: late }]);
  });

  it('that was moved or cleared before its time is not acted on', async () => {
    const { positions } = await startedWith(async ({ stream }, now) => void (await world.append(stream, emptied(now))));
    const [moved, cleared, mark] = [newBox(), newBox(), newBox()];
    const first = inMs(1000);
    await world.append(moved, filled(1, 'ann', first));
    await world.append(cleared, filled(1, 'ann', first));
    await world.append(moved, filled(1, 'ann', inMs(3_600_000)));
    await world.append(cleared, emptied());
    await positions.waitFor(await world.append(mark, filled(1, 'ann', inMs(1200))), 5000);
    await eventually(() => called.length > 0);
    expect(called.map(({ key }) => key)).toEqual([mark]);
  });

  it('whose handler fails is tried again and keeps no other waiting', async () => {
    let failures = 3;
    const [bad, good] = [newBox(), newBox()];
    await startedWith(async ({ stream }, now) => {
      if (stream === bad && failures-- > 0) throw new Error('Not now.');
      await world.append(stream, emptied(now));
    });
    await world.append(bad, filled(1, 'ann', inMs(0)));
    await world.append(good, filled(1, 'ann', inMs(50)));
    await eventually(async () => (await world.rows('select 1 from boxes where amount = 0')).length === 2);
    expect(called.filter(({ key }) => key === bad)).toHaveLength(4);
    expect(called.filter(({ key }) => key === good)).toHaveLength(1);
  });

  it('that nothing clears rests after it was handled, and is handled again when it is set to another time', async () => {
    const { positions } = await startedWith(() => undefined);
    const [box, mark] = [newBox(), newBox()];
    await world.append(box, filled(1, 'ann', inMs(0)));
    await eventually(() => called.length === 1);
    await positions.waitFor(await world.append(mark, filled(1, 'ann', inMs(600))), 5000);
    await eventually(() => called.length === 2);
    expect(called.map(({ key }) => key)).toEqual([box, mark]);
    await world.append(box, filled(1, 'ann', inMs(0)));
    await eventually(() => called.length === 3);
    expect(called.at(-1)!.key).toBe(box);
  });

  it('of hundreds that are due at once comes to its turn', async () => {
    await startedWith(() => undefined);
    const past = inMs(-1000);
    await Promise.all(Array.from({ length: 500 }, () => world.append(newBox(), filled(1, 'ann', past))));
    await eventually(() => called.length >= 500);
    expect(new Set(called.map(({ key }) => key)).size).toBe(500);
    expect(called).toHaveLength(500);
  });

  it('of a kind that nobody handles faults its source and nothing else', async () => {
    const runtime = await world.started({ deadlines: [emptying({})] });
    await world.append(newBox(), filled(1, 'ann', inMs(0)));
    const fault = await eventually(async () => (await runtime.status.read()).projections.find(({ state }) => state === 'faulted'));
    expect(fault).toMatchObject({ name: 'deadlines:emptying', reason: expect.stringContaining('kind empty') as string });
    await runtime.positions.waitFor(await world.append(newBox(), filled(1)), 5000);
  });
});
