import type { Pool } from 'pg';
import { Doorbell, DomainError, type EventStore } from '#libs/kernel';
import type { DeadlineSource } from './deadline.js';
import { DeadlineTicker } from './deadline-ticker.js';
import { heardByMany, pause } from './pause.js';
import { isOutage, reasonOf } from './failures.js';
import { pruneFeed } from './feed.js';
import type { Folder } from './folder.js';
import { Projector } from './projector.js';
import { ReactorRunner } from './reactor-runner.js';
import type { Reactor } from './reactor.js';
import type { Rebuild } from './rebuild.js';
import { reconcile } from './reconcile.js';
import type { Sql } from './sql.js';
import type { StoreReader } from './store-reader.js';

export type LeaderOptions = Readonly<{
  projector: Pool;
  store: EventStore;
  reader: StoreReader;
  folders: readonly Folder[];
  reactors: readonly Reactor[];
  deadlines: readonly DeadlineSource[];
  rebuild: Rebuild;
  now(): string;
  listen(channel: string, handler: () => void): () => void;
  report(message: string, error?: unknown): void;
}>;

/** Everything that only one server does at a time, on the connection that holds the lock. What fails beyond repair ends all of it. */
export const lead = async (options: LeaderOptions, sql: Sql, outer: AbortSignal): Promise<void> => {
  const { projector, reader, report, listen } = options;
  await reconcile(sql, options.store, options.folders);
  const failed = new AbortController();
  const signal = heardByMany(AbortSignal.any([outer, failed.signal]));
  const bell = new Doorbell();
  const stale = new StaleRebuild(options, signal);
  const projections = new Projector({ ...options, onStale: () => stale.wanted() });
  const unlisten = listen('projections', () => {
    projections.lookAgain();
    bell.ring();
  });
  const loops = [
    reader.ring(bell, signal),
    projections.run(sql, bell, signal),
    new ReactorRunner(options).run(bell, signal),
    new DeadlineTicker({ ...options, sources: options.deadlines }).run(signal),
    keepFeedShort(projector, report, signal),
  ];
  try {
    await Promise.all(loops);
  } finally {
    failed.abort();
    unlisten();
    await Promise.allSettled([...loops, stale.running]);
  }
};

/** Rebuilds for projections that are new or have another version, beside the projector. */
class StaleRebuild {
  running: Promise<void> | undefined;
  private notBefore = 0;

  constructor(
    private readonly options: LeaderOptions,
    private readonly signal: AbortSignal,
  ) {}

  wanted(): void {
    if (this.signal.aborted || performance.now() < this.notBefore) return;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    const { projector, rebuild, report } = this.options;
    report('Read models are rebuilt: some are new or have another version.');
    try {
      const { events, seconds } = await rebuild.rebuildAll(this.signal);
      report(`Read models are rebuilt from ${events} events in ${seconds.toFixed(1)} s.`);
    } catch (error) {
      if (this.signal.aborted) return;
      report(`The rebuild failed: ${reasonOf(error)}`, error);
      if (isOutage(error) || error instanceof DomainError) {
        this.notBefore = performance.now() + RETRY_MS;
        return;
      }
      await projector
        .query(`update checkpoints set state = 'faulted', failed_at = null, reason = $1 where state = 'stale'`, [reasonOf(error)])
        .catch((again: unknown) => report(`The failed rebuild could not be noted: ${reasonOf(again)}`));
    }
  }
}

const RETRY_MS = 5000;
const PRUNE_MS = 60_000;

const keepFeedShort = async (projector: Pool, report: LeaderOptions['report'], signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await pruneFeed(projector).catch((error: unknown) => report(`The feed could not be pruned: ${reasonOf(error)}`));
    await pause(PRUNE_MS, signal);
  }
};
