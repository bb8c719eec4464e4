import { Clock } from './clock.js';

/** A database whose clock is off by `offset` milliseconds and which may be away. */
const databaseClock = () => {
  const server = { offset: 0, away: false, asked: 0 };
  const pool = {
    query: () => {
      server.asked++;
      return server.away
        ? Promise.reject(new Error('away'))
        : Promise.resolve({ rows: [{ now: String(performance.timeOrigin + performance.now() + server.offset) }] });
    },
  };
  return { server, clock: new Clock(pool as never) };
};

const apart = (clock: Clock) => Date.parse(clock.now()) - (performance.timeOrigin + performance.now());

describe('The clock', () => {
  let running: Clock;
  const start = async (offset: number) => {
    const { server, clock } = databaseClock();
    server.offset = offset;
    running = clock;
    await clock.start();
    return { server, clock };
  };
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => {
    running?.stop();
    jest.useRealTimers();
  });

  it('tells the time of the database in RFC 3339 with milliseconds, however wrong this machine is', async () => {
    const { clock } = await start(-86_400_000);
    expect(clock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(apart(clock) + 86_400_000)).toBeLessThan(100);
  });

  it('asks again every 30 seconds, and goes on from the last answer while there is none', async () => {
    const { server, clock } = await start(0);
    server.away = true;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(server.asked).toBe(4);
    expect(Math.abs(apart(clock))).toBeLessThan(100);
    server.away = false;
    server.offset = 500;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(server.asked).toBe(7);
    expect(Math.abs(apart(clock) - 500)).toBeLessThan(100);
  });

  it('asks at once when the clock of this machine was set', async () => {
    const { server, clock } = await start(0);
    clock.now();
    expect(server.asked).toBe(3);
    jest.setSystemTime(Date.now() + 3_600_000);
    clock.now();
    await jest.advanceTimersByTimeAsync(0);
    expect(server.asked).toBe(6);
    expect(Math.abs(apart(clock))).toBeLessThan(100);
  });

  it('stands still rather than go back a little, and follows a clock that was set back', async () => {
    const { server, clock } = await start(0);
    const before = clock.now();
    server.offset = -900;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(clock.now() >= before).toBe(true);
    server.offset = -60_000;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(Math.abs(apart(clock) + 60_000)).toBeLessThan(100);
  });

  it('is not read before it runs, and does not start without the database', async () => {
    const { server, clock } = databaseClock();
    expect(() => clock.now()).toThrow('read before it was started');
    server.away = true;
    await expect(clock.start()).rejects.toThrow('away');
  });
});
