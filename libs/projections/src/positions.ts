import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { Doorbell, DomainError, refusal, type EventStore, type Position } from '#libs/kernel';
import { earliest, isAfter } from './order.js';
import type { Pace } from './pace.js';
import { heardByMany } from './pause.js';

/** How far the read models are behind the store: `events` not yet folded (counted up to `MOST_COUNTED`), the oldest of them `seconds` old. */
export type Lag = Readonly<{ events: number; seconds: number }>;

export type PositionsOptions = Readonly<{
  projector: Pool;
  store: EventStore;
  now(): string;
  listen(channel: string, handler: (payload: string | undefined) => void): () => void;
  pace?: Pace;
}>;

/** Up to where the read models show what happened, on any server. Faulted projections don't count: they are reported elsewhere. */
export class Positions {
  private readonly bell = new Doorbell();
  private readonly stopped = new AbortController();
  private readonly unlisten: () => void;
  /** Up to where the projector said that all have come: those who wait need not look, unless its last word was vague. */
  private told: Position | undefined;
  private vague = true;
  private known: { seen: number; at: number; position: Promise<Position | undefined> } | undefined;

  constructor(private readonly options: PositionsOptions) {
    heardByMany(this.stopped.signal);
    this.unlisten = options.listen('positions', (payload) => {
      if (payload) this.told = payload;
      // The server may have crashed, and have taken back what it told and had not flushed yet.
      if (payload === undefined) this.told = undefined;
      this.vague = !payload;
      this.bell.ring();
    });
  }

  /** The position that all of them have reached, undefined before the first. Given a snapshot's manager, what that snapshot shows. */
  async current(snapshot?: EntityManager): Promise<Position | undefined> {
    const text = `select name, position from checkpoints where state <> 'faulted'`;
    const rows = snapshot ? await snapshot.query<Reached[]>(text) : (await this.options.projector.query<Reached>(text)).rows;
    return earliest(
      this.options.store,
      rows.map(({ position }) => position ?? undefined),
    );
  }

  /** Resolves once they have reached `position`; after `ms` it throws 504 `read-model/behind` with the lag. */
  async waitFor(position: Position, ms: number): Promise<void> {
    const leave = this.options.pace?.hurry();
    try {
      await this.reach(position, ms);
    } finally {
      leave?.();
    }
  }

  private async reach(position: Position, ms: number): Promise<void> {
    const until = performance.now() + ms;
    const isReached = (reached: Position | undefined) => reached !== undefined && !isAfter(this.options.store, position, reached);
    for (let unheard = false; ;) {
      const seen = this.bell.count;
      if (isReached(this.told)) return;
      const left = until - performance.now();
      const over = left <= 0 || this.stopped.signal.aborted;
      if (unheard || over || this.vague) {
        const reached = await this.shared(seen);
        if (isReached(reached)) return;
        if (over) throw await this.behind(position, reached);
      }
      await this.bell.wait(seen, Math.min(left, POLL_MS), this.stopped.signal);
      unheard = this.bell.count === seen;
    }
  }

  async lag(): Promise<Lag> {
    const { store, now } = this.options;
    let after = await this.current();
    let oldest: string | undefined;
    let events = 0;
    while (events < MOST_COUNTED) {
      const page = await store.readAll(after, PAGE);
      oldest ??= page.events[0]?.recordedAt;
      events += page.events.length;
      if (page.position === undefined || page.position === after) break;
      after = page.position;
    }
    return { events, seconds: oldest === undefined ? 0 : Math.max(0, (Date.parse(now()) - Date.parse(oldest)) / 1000) };
  }

  stop(): void {
    this.stopped.abort();
    this.unlisten();
  }

  // Many wait at once for much the same: one query serves them until the bell rings again.
  private shared(seen: number): Promise<Position | undefined> {
    const at = performance.now();
    if (this.known?.seen === seen && at - this.known.at < FRESH_MS) return this.known.position;
    const position = this.current();
    this.known = { seen, at, position };
    return position;
  }

  private async behind(position: Position, reached: Position | undefined): Promise<DomainError> {
    const lag = await this.lag();
    return new DomainError(
      refusal('timeout', 'read-model/behind', 'The read models have not come that far yet. Read again in a moment, or without waitFor.', {
        waitedFor: position,
        reached: reached ?? null,
        lag,
      }),
    );
  }
}

export const MOST_COUNTED = 10_000;
const PAGE = 500;
const POLL_MS = 1000;
const FRESH_MS = 20;

type Reached = { name: string; position: string | null };
