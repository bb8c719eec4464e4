import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LoopLag } from './loop-lag.js';
import { busy, holdPlace, type Place } from './place.js';

/** Commands and reads have room of their own, so that neither keeps the other out; a stream takes a place only while it opens. */
export const LANES = ['command', 'read', 'stream'] as const;
export type Lane = (typeof LANES)[number];

export type Capacity = Readonly<{
  /** How many requests the server works for at once, and how many more may wait for a place. Beyond that it answers 503. */
  lanes: Readonly<Record<Lane, Readonly<{ atOnce: number; waiting: number }>>>;
  /** How long one may wait for a place, in milliseconds. */
  waitMs: number;
  /** Long polls that wait for work, people or read models, and hold no place. */
  aside: number;
  /** Milliseconds by which the event loop may be late, for a second, before all but a few are turned away. */
  lagMs: number;
  /** Queries that may wait for a connection. */
  queries: number;
}>;

/** A place does few and short queries, over 16 connections to each pool: four times as many places keep these busy. */
export const CAPACITY: Capacity = {
  lanes: {
    command: { atOnce: 64, waiting: 256 },
    read: { atOnce: 64, waiting: 256 },
    stream: { atOnce: 16, waiting: 4_000 },
  },
  waitMs: 5_000,
  aside: 4_000,
  lagMs: 500,
  queries: 256,
};

export type Turned = 'full' | 'late' | 'lagging' | 'queries' | 'aside';
type Waiter = Readonly<{ enter(): void; refuse(why: Turned): void }>;
type LaneState = { active: number; waiting: Set<Waiter>; mostWaiting: number };

/**
 * Keeps the server from taking on more than it can do: so many requests at once, so many that wait for a place in the order in which
 * they came, and a 503 with Retry-After for the rest, at once. Nothing piles up behind the database, and whoever is let in is answered.
 */
export class Admission {
  private readonly states = Object.fromEntries(
    LANES.map((lane): [Lane, LaneState] => [lane, { active: 0, waiting: new Set(), mostWaiting: 0 }]),
  ) as Record<Lane, LaneState>;
  private readonly turned = new Map<string, Readonly<{ lane: Lane; why: Turned; count: number }>>();
  private readonly lag: LoopLag;
  private aside = 0;
  private waitingQueries: () => number = () => 0;

  constructor(private readonly capacity: Capacity) {
    this.lag = new LoopLag(capacity.lagMs);
  }

  /** Tells how many queries wait for a connection right now. */
  watchQueries(waiting: () => number): void {
    this.waitingQueries = waiting;
  }

  get loopLagMs(): number {
    return this.lag.meanMs;
  }
  get standingAside(): number {
    return this.aside;
  }
  lanes(): readonly Readonly<{ lane: Lane; active: number; waiting: number; mostWaiting: number }>[] {
    return LANES.map((lane) => ({ lane, ...this.states[lane], waiting: this.states[lane].waiting.size }));
  }
  /** How many were turned away so far, by what was short. */
  refusals(): readonly Readonly<{ lane: Lane; why: Turned; count: number }>[] {
    return [...this.turned.values()];
  }

  /** Every request passes here, but the uncounted: probes must be answered when nothing else is. */
  guard(instance: FastifyInstance, { uncounted }: Readonly<{ uncounted: readonly string[] }>): void {
    this.lag.start();
    instance.addHook('onClose', (_, done) => {
      this.lag.stop();
      done();
    });
    const exempt = new Set(uncounted);
    instance.addHook('onRequest', async (request, reply) => {
      if (!exempt.has(request.url)) holdPlace(await this.enter(laneOf(request), reply));
    });
  }

  private async enter(lane: Lane, reply: FastifyReply): Promise<Place> {
    const state = this.states[lane];
    const { atOnce, waiting } = this.capacity.lanes[lane];
    // A few always pass, or one that is slow by another's fault would answer nobody.
    const hasFew = state.active < Math.max(1, atOnce / 8);
    if (!hasFew && this.lag.isLate) throw this.refuse(lane, 'lagging');
    if (!hasFew && this.waitingQueries() >= this.capacity.queries) throw this.refuse(lane, 'queries');
    if (state.active < atOnce) state.active++;
    else if (state.waiting.size >= waiting) throw this.refuse(lane, 'full');
    else await this.wait(lane, reply);

    const place = this.placeIn(lane);
    if (reply.raw.destroyed) place.leave();
    else reply.raw.once('close', () => place.leave());
    return place;
  }

  // Its place is counted as taken by whoever leaves one.
  private wait(lane: Lane, reply: FastifyReply): Promise<void> {
    const { waiting } = this.states[lane];
    return new Promise((resolve, reject) => {
      const settle = () => {
        waiting.delete(waiter);
        clearTimeout(timer);
        reply.raw.off('close', gone);
      };
      const waiter: Waiter = {
        enter: () => (settle(), resolve()),
        refuse: (why) => (settle(), reject(this.refuse(lane, why))),
      };
      const gone = () => (settle(), reject(busy('The client went away while it waited.')));
      const timer = setTimeout(() => waiter.refuse('late'), this.capacity.waitMs);
      reply.raw.once('close', gone);
      waiting.add(waiter);
      this.states[lane].mostWaiting = Math.max(this.states[lane].mostWaiting, waiting.size);
    });
  }

  private placeIn(lane: Lane): Place {
    let held: 'place' | 'aside' | 'nothing' = 'place';
    return {
      stepAside: () => {
        if (held !== 'place') return true;
        if (this.aside >= this.capacity.aside) {
          this.refuse(lane, 'aside');
          return false;
        }
        held = 'aside';
        this.aside++;
        this.release(lane);
        return true;
      },
      stepBack: () => {
        if (held !== 'aside') return;
        held = 'place';
        this.aside--;
        this.states[lane].active++;
      },
      leave: () => {
        if (held === 'place') this.release(lane);
        if (held === 'aside') this.aside--;
        held = 'nothing';
      },
    };
  }

  private release(lane: Lane): void {
    const state = this.states[lane];
    state.active--;
    const [first] = state.waiting;
    if (!first || state.active >= this.capacity.lanes[lane].atOnce) return;
    state.active++;
    first.enter();
  }

  private refuse(lane: Lane, why: Turned): Error {
    const key = `${lane} ${why}`;
    this.turned.set(key, { lane, why, count: (this.turned.get(key)?.count ?? 0) + 1 });
    return busy('This server is at the limit of what it can do at once. Send it again after Retry-After.');
  }
}

const laneOf = ({ method, routeOptions }: FastifyRequest): Lane => {
  if ((routeOptions.config as { opensStream?: boolean } | undefined)?.opensStream) return 'stream';
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'command';
};
