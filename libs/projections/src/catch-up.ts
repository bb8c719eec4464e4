import type { EventStore, Position, Recorded } from '#libs/kernel';
import { applyPage, FoldError, type Page, type Skipped } from './batch.js';
import type { Folder } from './folder.js';
import { grouped, isAfter, latest } from './order.js';
import { pause } from './pause.js';
import { allAnswered, type Sql } from './sql.js';

/** How far each projection is to come, by name; undefined = not beyond the start. */
export type Targets = ReadonlyMap<string, Position | undefined>;

/** A rebuild that met an event which a projection cannot digest, and which nobody has skipped. */
export class RebuildError extends Error {
  override name = 'RebuildError';
  constructor(
    readonly projection: string,
    readonly position: Position,
    override readonly cause: unknown,
  ) {
    super(`The rebuild stops: ${(cause as Error).message} at ${position}. Repair the projection, or skip the event.`, { cause });
  }
}

/**
 * Folds the log from its start into tables beside those that are served: no feed, no reactors, and never beyond what the served ones
 * show. Each of the lanes writes its share of the projections: while the database writes for one, this process folds for the next.
 */
export class CatchUp {
  private readonly standing: Map<string, Position | undefined>;
  private readonly laneOf: ReadonlyMap<Folder, number>;

  constructor(
    private readonly lanes: readonly Sql[],
    private readonly store: EventStore,
    private readonly folders: readonly Folder[],
    private readonly skipped: Skipped,
  ) {
    this.standing = new Map(folders.map(({ name }) => [name, undefined]));
    this.laneOf = new Map(folders.map((folder, index) => [folder, Math.floor((index * lanes.length) / folders.length)]));
  }

  /** Brings every projection to its target; answers how many events it read. */
  async to(targets: Targets): Promise<number> {
    const behind = this.folders.filter(({ name }) => isAfter(this.store, targets.get(name), this.standing.get(name)));
    let read = 0;
    for (const group of grouped(behind, ({ name }) => this.standing.get(name) ?? '')) read += await this.together(group, targets);
    return read;
  }

  // Those that stand at the same place. Some may have a nearer goal than others: a faulted one is not carried past its fault.
  private async together(group: readonly Folder[], targets: Targets): Promise<number> {
    let read = 0;
    const farthest = latest(
      this.store,
      group.map(({ name }) => targets.get(name)),
    );
    for await (const page of pages(this.store, this.standing.get(group[0]!.name), farthest)) {
      read += page.events.length;
      const goalOf = ({ name }: Folder): Position =>
        isAfter(this.store, page.position, targets.get(name)) ? targets.get(name)! : page.position;
      const moving = group.filter((folder) => isAfter(this.store, goalOf(folder), this.standing.get(folder.name)));
      for (const some of grouped(moving, goalOf)) {
        const position = goalOf(some[0]!);
        const events = page.events.filter((event) => !isAfter(this.store, event.position, position));
        await this.applyByLane(some, { events, position });
      }
    }
    return read;
  }

  private async applyByLane(group: readonly Folder[], page: Page): Promise<void> {
    const shares = this.lanes.map((sql, lane) => ({ sql, share: group.filter((folder) => this.laneOf.get(folder) === lane) }));
    await allAnswered(shares.map(({ sql, share }) => share.length > 0 && this.apply(sql, share, page)));
  }

  private async apply(sql: Sql, group: readonly Folder[], page: Page): Promise<void> {
    try {
      await applyPage(sql, group, this.standing.get(group[0]!.name), page, { live: false, skipped: this.skipped });
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      if (page.events.length === 1) throw new RebuildError(error.projections[0]!, page.events[0]!.position, error.cause);
      for (const half of halves(page)) await this.apply(sql, group, half); // so that the event at fault can be named
      return;
    }
    for (const { name } of group) this.standing.set(name, page.position);
  }
}

const PAGE = 1000;

const halves = ({ events, position }: Page): [Page, Page] => {
  const first = events.slice(0, Math.ceil(events.length / 2));
  return [
    { events: first, position: first.at(-1)!.position },
    { events: events.slice(first.length), position },
  ];
};

/**
 * One page is read while the one before is written. What was projected is in the store, but one that has just been opened
 * may need a moment to know that it is final.
 */
async function* pages(store: EventStore, start: Position | undefined, end: Position | undefined): AsyncGenerator<Page> {
  const read = (after: Position | undefined): Promise<{ events: Recorded[]; position: Position | undefined }> => {
    const page = store.readAll(after, PAGE);
    page.catch(() => undefined); // it is awaited later, or not at all
    return page;
  };
  let next = read(start);
  let patience = performance.now() + PATIENCE_MS;
  for (let after = start; isAfter(store, end, after);) {
    const { events, position } = await next;
    if (position === undefined || !isAfter(store, position, after)) {
      if (performance.now() > patience)
        throw new Error(`The event store ends at ${after ?? 'its start'}, before ${end}, which was projected from it.`);
      await pause(10);
      next = read(after);
      continue;
    }
    after = position;
    patience = performance.now() + PATIENCE_MS;
    if (isAfter(store, end, after)) next = read(after);
    yield { events, position };
  }
}

const PATIENCE_MS = 15_000;
