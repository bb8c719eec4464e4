import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { callsTo } from './http.mjs';
import { castOf, trip } from './trip.mjs';

const STEP_MS = 10_000;
const STEPS = [4, 8, 16, 32];
/** A step that is no better by this much is not worth another. */
const BETTER = 1.05;
const MOST_UNDER_WAY = 256;
const DELEGATE_MS = 60_000;
const SHOWN_FAILURES = 5;

/** Round trips against a product, and counts of what they met: `counts` since the last `take()`, which begins anew. Failures once `interrupted` are not shown. */
export const loadOn = async (product, interrupted) => {
  let counts = fresh();
  let nth = 0;
  let failures = 0;
  const calls = callsTo(product.url, (kind, ms, status) => {
    counts[kind].push(ms);
    if (status === 429 || status === 503) counts.refused++;
  });
  const cast = await castOf(product, calls);
  const renewal = setInterval(() => void cast.delegate().catch(() => undefined), DELEGATE_MS);

  const one = async () => {
    try {
      await trip(cast, `Trip ${process.pid}.${nth++}`);
      counts.trips++;
    } catch (error) {
      counts.failed++;
      if (!interrupted.aborted && failures++ < SHOWN_FAILURES) console.error(`A trip failed: ${error.message}`);
    }
  };
  const take = () => {
    const taken = counts;
    counts = fresh();
    return taken;
  };

  /** Trips a second with so many at once, for a while; undefined where some failed or were turned away. */
  const rateWith = async (atOnce, ms) => {
    take();
    const began = performance.now();
    const oneAfterAnother = async () => {
      while (performance.now() < began + ms) await one();
    };
    await Promise.all(Array.from({ length: atOnce }, oneAfterAnother));
    const { trips, failed, refused } = take();
    return failed + refused > 0 ? undefined : (trips * 1_000) / (performance.now() - began);
  };

  return {
    cast,
    take,
    rateWith,
    /** The most trips a second that it takes without failing one: ever more at once, until that no longer helps. */
    async highest(say) {
      let best = 0;
      for (const atOnce of STEPS) {
        const rate = await rateWith(atOnce, STEP_MS);
        say(`${atOnce} at once: ${rate === undefined ? 'some failed' : `${rate.toFixed(2)} trips/s`}`);
        const isBetter = rate !== undefined && rate > best * BETTER;
        if (rate !== undefined) best = Math.max(best, rate);
        if (!isBetter) break;
      }
      if (best === 0) throw new Error(`Trips fail even with ${STEPS[0]} at once.\n${product.log()}`);
      return best;
    },
    /**
     * Starts so many trips a second for a while, each a little early or late: by the clock and not by the answers, so that a server that slows
     * down gets no rest for it. Only where 256 are under way does the next one wait.
     */
    async hold(rate, ms, seed) {
      const random = randomFrom(seed);
      const underWay = new Set();
      const end = performance.now() + ms;
      for (let due = performance.now(); due < end; due += ((0.5 + random()) * 1_000) / rate) {
        await pause(Math.max(0, due - performance.now()));
        while (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
        if (performance.now() >= end) break;
        const going = one().finally(() => underWay.delete(going));
        underWay.add(going);
      }
      await pause(Math.max(0, end - performance.now()));
      await Promise.all(underWay);
    },
    close() {
      clearInterval(renewal);
      calls.close();
    },
  };
};

const fresh = () => ({ command: [], read: [], refused: 0, trips: 0, failed: 0 });

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
const randomFrom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
