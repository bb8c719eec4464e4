import type { EventStore } from '#libs/kernel';
import type { Clock, Database } from '#libs/postgres';
import { assertSameStore, readCheckpoints } from './checkpoints.js';
import { dedicated } from './connection.js';
import type { DeadlineSource } from './deadline.js';
import { Feed } from './feed.js';
import { deadlineFolder, projectionFolder, type Folder } from './folder.js';
import { lead } from './leader.js';
import { standForLeadership } from './leadership.js';
import { Pace } from './pace.js';
import { endsWithin } from './pause.js';
import { Positions } from './positions.js';
import { ProjectionStatus } from './projection-status.js';
import type { Projection } from './projection.js';
import type { Reactor } from './reactor.js';
import { Rebuild } from './rebuild.js';
import { StoreReader } from './store-reader.js';

export type RuntimeOptions = Readonly<{
  database: Database;
  store: EventStore;
  clock: Pick<Clock, 'now'>;
  projections: readonly Projection[];
  report?(message: string, error?: unknown): void;
}>;

export type StartOptions = Readonly<{
  reactors?: readonly Reactor[];
  deadlines?: readonly DeadlineSource[];
  /** Whether this process stands for leadership. */
  run: boolean;
}>;

/** The read side of one process: feed, positions and status work everywhere, the rest where it leads. */
export class ProjectionsRuntime {
  readonly feed: Feed;
  readonly positions: Positions;
  readonly status: ProjectionStatus;
  readonly rebuild: Rebuild;
  private folders: readonly Folder[];
  private readonly reader: StoreReader;
  private readonly stopping = new AbortController();
  private standing: Promise<void> | undefined;
  private leads = false;

  constructor(private readonly options: RuntimeOptions) {
    const { database, store, clock, projections } = options;
    const { projector } = database;
    const listen = (channel: string, handler: (payload: string | undefined) => void) => database.listen(channel, handler);
    const now = () => clock.now();
    this.folders = projections.map((projection) => projectionFolder(database.projectorSource, projection));
    assertDistinct(this.folders.map(({ table }) => table));
    const pace = new Pace();
    this.reader = new StoreReader(store, (message) => this.report(message), pace);
    this.feed = new Feed({ projector, listen, pace, report: (message) => this.report(message) });
    this.positions = new Positions({ projector, store, now, listen, pace });
    this.rebuild = new Rebuild({ projector, store, folders: () => this.folders });
    this.status = new ProjectionStatus({
      projector,
      positions: this.positions,
      now,
      leading: () => this.leads,
      storeTroubles: () => this.reader.trouble(),
    });
  }

  /** Throws where the read models belong to another event store. */
  async start({ reactors = [], deadlines = [], run }: StartOptions): Promise<void> {
    const { database, store, clock } = this.options;
    const { projector } = database;
    this.folders = [...this.folders, ...deadlines.map(deadlineFolder)];
    assertDistinct([...this.folders, ...reactors].map(({ name }) => name));
    const { rows } = await projector.query<{ name: string; storeId: string }>('select name, store_id as "storeId" from workbench.reactors');
    assertSameStore(store.storeId, [...(await readCheckpoints(projector)), ...rows]);
    await this.feed.start();
    if (!run) return;
    const report = (message: string, error?: unknown) => this.report(message, error);
    const parts = { projector, store, reactors, deadlines, report, reader: this.reader, folders: this.folders, rebuild: this.rebuild };
    this.standing = standForLeadership(
      {
        connect: () => dedicated(projector, 'workbench-leader'),
        report,
        lead: async (client, signal) => {
          this.leads = true;
          try {
            await lead(
              { ...parts, now: () => clock.now(), listen: (channel, handler) => database.listen(channel, handler) },
              client,
              signal,
            );
          } finally {
            this.leads = false;
          }
        },
      },
      this.stopping.signal,
    );
  }

  /**
   * Ends what runs, at the next event, and all followers of the feed. Leaves the database open. A reactor that takes longer
   * than 10 s for its event is not waited for: another server does it again.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.positions.stop();
    if (!(await endsWithin(Promise.all([this.standing, this.feed.stop()]), DRAIN_MS)))
      this.report('Some work has not ended in time; it is done again.');
  }

  private report(message: string, error?: unknown): void {
    this.options.report?.(message, error);
  }
}

const DRAIN_MS = 10_000;

const assertDistinct = (names: readonly string[]): void => {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two projections, deadline sources or reactors are called, or fill, ${twice}.`);
};
