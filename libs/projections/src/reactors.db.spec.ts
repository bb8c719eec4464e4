import { eventually } from '../../../test/support/eventually.js';
import { DomainError, refusal, type Recorded } from '#libs/kernel';
import type { Reactor } from './reactor.js';
import { filled, newBox, openBoxes, storeLike, type BoxFilled, type Boxes } from './testing/boxes.js';

jest.setTimeout(30_000);

describe('A reactor', () => {
  let world: Boxes;
  beforeEach(async () => {
    world = await openBoxes();
  });
  afterEach(() => world.close());

  const amountOf = (event: Recorded) => (event as Recorded<BoxFilled>).data.amount;
  const noting = (react: (event: Recorded) => Promise<void> | void, name = 'when-filled'): Reactor & { seen: number[] } => {
    const seen: number[] = [];
    return {
      name,
      types: ['BoxFilled'],
      seen,
      async react(event) {
        await react(event);
        seen.push(amountOf(event));
      },
    };
  };

  it('acts on each event of its types from the first of the store on, one after the other', async () => {
    const box = newBox();
    await world.append(box, filled(1), { type: 'BoxSeen', data: {} }, filled(2));
    let running = 0;
    const reactor = noting(async ({ data }) => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, (data as { amount: number }).amount === 1 ? 50 : 0));
      running--;
    });
    await world.started({ reactors: [reactor] });
    await eventually(() => reactor.seen.length === 2);
    await world.append(box, filled(3));
    await eventually(() => reactor.seen.length === 3);
    expect(reactor.seen).toEqual([1, 2, 3]);
  });

  it('goes on where it was after a restart', async () => {
    const first = noting(() => undefined);
    const second = noting(() => undefined);
    const runtime = await world.started({ reactors: [first] });
    await world.append(newBox(), filled(1));
    await eventually(() => first.seen.length === 1);
    await runtime.stop();
    await world.started({ reactors: [second] });
    await world.append(newBox(), filled(2));
    await eventually(() => second.seen.length > 0);
    expect(second.seen).toEqual([2]);
  });

  it('follows the leadership: the next leader goes on, and repeats at most what was not yet noted', async () => {
    const [one, other] = [noting(() => undefined), noting(() => undefined)];
    await world.started({ reactors: [one] });
    const standby = await world.started({ reactors: [other] });
    for (let amount = 1; amount <= 20; amount++) await world.append(newBox(), filled(amount));
    await eventually(() => one.seen.length === 20);
    expect(other.seen).toEqual([]);
    await world.admin(
      `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = 7240000 and granted and datname = current_database()`,
    );
    await eventually(async () => (await standby.status.read()).led);
    for (let amount = 21; amount <= 25; amount++) await world.append(newBox(), filled(amount));
    await eventually(() => new Set([...one.seen, ...other.seen]).size === 25);
  });

  it('is tried again for as long as the database or the store is away', async () => {
    let away = 8;
    const reactor = noting(() => {
      if (away-- > 4) throw new DomainError(refusal('unavailable', 'event-store/unavailable', 'Later.'));
      if (away >= 0) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    });
    const runtime = await world.started({ reactors: [reactor] });
    await world.append(newBox(), filled(1));
    await eventually(() => reactor.seen.length === 1, 20_000);
    expect((await runtime.status.read()).reactors[0]!.parked).toEqual([]);
  });

  it('parks an event that it fails at five times, with the later ones of that stream, and goes on with others; retry replays them in order', async () => {
    let broken = true;
    const reactor = noting((event) => {
      if (broken && amountOf(event) === 1) throw new Error('One is not enough.');
    });
    const steady = noting(() => undefined, 'steady');
    const runtime = await world.started({ reactors: [reactor, steady] });
    const [bad, good] = [newBox(), newBox()];
    const position = await world.append(bad, filled(1), filled(2));
    await world.append(good, filled(3));
    await eventually(() => reactor.seen.includes(3), 20_000);
    await world.append(bad, filled(4));
    await eventually(() => steady.seen.length === 4);
    const parked = await eventually(async () => {
      const found = (await runtime.status.read()).reactors.find(({ name }) => name === 'when-filled')!.parked;
      return found.length === 3 && found;
    });
    expect(parked).toMatchObject([
      { position: String(Number(position) - 1), stream: bad, revision: '0', reason: 'Error: One is not enough.', attempts: 5 },
      { revision: '1', reason: 'Waits for revision 0 of its stream.', attempts: 0 },
      { revision: '2' },
    ]);
    expect((await runtime.status.read()).ok).toBe(false);
    expect(reactor.seen).toEqual([3]);
    broken = false;
    await runtime.status.retry('when-filled');
    await eventually(async () => (await runtime.status.read()).ok);
    expect(reactor.seen).toEqual([3, 1, 2, 4]);
    await world.append(bad, filled(5));
    await eventually(() => reactor.seen.at(-1) === 5);
  });

  it('lets an operator skip a parked event, and then acts on those behind it', async () => {
    const reactor = noting((event) => {
      if (amountOf(event) === 1) throw new Error('One is not enough.');
    });
    const runtime = await world.started({ reactors: [reactor] });
    const box = newBox();
    await world.append(box, filled(1), filled(2));
    const parked = await eventually(async () => {
      const found = (await runtime.status.read()).reactors[0]!.parked;
      return found.length === 2 && found;
    }, 20_000);
    await runtime.status.skip('when-filled', parked[0]!.position);
    await eventually(() => reactor.seen.length === 1);
    expect(reactor.seen).toEqual([2]);
    await eventually(async () => (await runtime.status.read()).ok);
  });

  it('does not run where the process does not lead, nor during a rebuild', async () => {
    const reactor = noting(() => undefined);
    const reader = await world.started({ reactors: [reactor], run: false });
    const worker = await world.started({ reactors: [noting(() => undefined)] });
    await worker.positions.waitFor(await world.append(newBox(), filled(1)), 5000);
    await reader.rebuild.rebuildAll();
    await worker.rebuild.rebuildAll();
    expect(reactor.seen).toEqual([]);
  });

  it('of another event store is refused', async () => {
    await world.started({ reactors: [noting(() => undefined)], projections: [] });
    await eventually(async () => (await world.rows('select 1 from workbench.reactors')).length > 0);
    const store = storeLike(world.store, { storeId: 'another' });
    await expect(world.started({ store, projections: [] })).rejects.toThrow('(when-filled)');
  });
});
