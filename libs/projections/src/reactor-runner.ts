import type { Pool } from 'pg';
import type { Doorbell, EventStore, Position, Recorded } from '#libs/kernel';
import { assertSameStore } from './checkpoints.js';
import { pause } from './pause.js';
import { backOff, isOutage, reasonOf } from './failures.js';
import { holdBack, park, readParked, unpark, type ParkedEvent } from './parked-events.js';
import { PAGE } from './projector.js';
import type { Reactor, WorkContext } from './reactor.js';
import type { StoreReader } from './store-reader.js';

export type ReactorOptions = Readonly<{
  projector: Pool;
  store: EventStore;
  reader: StoreReader;
  reactors: readonly Reactor[];
  now(): string;
  report(message: string, error?: unknown): void;
}>;

/** Another leader's reactor has gone on from here. */
class OvertakenError extends Error {
  override name = 'OvertakenError';
}

const TRIES = 5;

/** Runs each reactor along the log at its own pace. Started by the leader only; a rebuild never comes here. */
export class ReactorRunner {
  private parked: readonly ParkedEvent[] = [];

  constructor(private readonly options: ReactorOptions) {}

  /** Until the signal aborts. */
  async run(bell: Doorbell, signal: AbortSignal): Promise<void> {
    const { projector, store, reactors } = this.options;
    if (reactors.length === 0) return;
    const checkpoints = await this.enrol();
    assertSameStore(store.storeId, checkpoints);
    this.parked = await readParked(projector);
    const positions = new Map(checkpoints.map(({ name, position }) => [name, position]));
    await Promise.all([
      this.watchParked(bell, signal),
      ...reactors.map((reactor) => this.drive(reactor, positions.get(reactor.name), bell, signal)),
    ]);
  }

  private async drive(reactor: Reactor, start: Position | undefined, bell: Doorbell, signal: AbortSignal): Promise<void> {
    const types = new Set(reactor.types);
    const progress = new Progress(this.options.projector, reactor.name, start);
    for (let failures = 0; !signal.aborted;) {
      const seen = bell.count;
      try {
        await this.retryDue(reactor, signal);
        const { events, position } = await this.options.reader.read(progress.position, PAGE);
        for (const event of events) {
          if (signal.aborted) break;
          if (types.has(event.type)) await this.handle(reactor, event, signal);
          if (signal.aborted) break; // perhaps unfinished
          await progress.move(event.position, types.has(event.type));
        }
        if (!signal.aborted && position !== undefined) await progress.move(position, false);
        await progress.rest();
        failures = 0;
        if (events.length === 0) await bell.wait(seen, 1000, signal);
      } catch (error) {
        if (error instanceof OvertakenError) throw error;
        if (failures++ === 0)
          this.options.report(`Reactor ${reactor.name} pauses: ${reasonOf(error)}`, isOutage(error) ? undefined : error);
        await pause(backOff(failures, 5000), signal);
      }
    }
    await progress.save().catch(() => undefined); // on the way out: what was not saved is done again, which is harmless
  }

  private async handle(reactor: Reactor, event: Recorded, signal: AbortSignal): Promise<void> {
    const { projector } = this.options;
    const inTheWay = (other: ParkedEvent) => other.reactor === reactor.name && other.stream === event.stream;
    if (this.parked.some(inTheWay)) this.parked = await readParked(projector); // an operator may have cleared the way
    const earlier = this.parked.find(inTheWay);
    const reason = earlier ? `Waits for revision ${earlier.revision} of its stream.` : await this.attempt(reactor, event, signal);
    if (reason === undefined) return;
    await park(projector, reactor.name, event, reason, earlier ? 0 : TRIES);
    this.parked = await readParked(projector);
    this.options.report(`Reactor ${reactor.name} parked ${event.type} at ${event.position}: ${reason}`);
  }

  // Undefined when it is done (or not to be finished by this server), else why it cannot be. Outages don't count as tries.
  private async attempt(reactor: Reactor, event: Recorded, signal: AbortSignal): Promise<string | undefined> {
    const context: WorkContext = { store: this.options.store, now: this.options.now, signal };
    for (let tries = 0, outages = 0; !signal.aborted;) {
      try {
        await reactor.react(event, context);
        return undefined;
      } catch (error) {
        if (isOutage(error)) {
          if (outages++ === 0) this.options.report(`Reactor ${reactor.name} waits at ${event.position}: ${reasonOf(error)}`);
          await pause(backOff(outages, 5000), signal);
          continue;
        }
        this.options.report(`Reactor ${reactor.name} failed at ${event.position} (try ${tries + 1})`, error);
        if (++tries === TRIES) return reasonOf(error);
        await pause(backOff(tries, 5000), signal);
      }
    }
    return undefined;
  }

  private async retryDue(reactor: Reactor, signal: AbortSignal): Promise<void> {
    const { projector, store } = this.options;
    const due = this.parked.filter((parked) => parked.reactor === reactor.name && parked.due);
    if (due.length === 0) return;
    const failed = new Set<string>();
    for (const { stream, revision, eventId, position } of due) {
      if (failed.has(stream) || signal.aborted) continue;
      const { events } = await store.readStream(stream, BigInt(revision));
      const event = events.find(({ id }) => id === eventId);
      const reason = event ? await this.attempt(reactor, { ...event, position }, signal) : 'The event is not in the store any more.';
      if (signal.aborted) break;
      if (reason === undefined) await unpark(projector, reactor.name, eventId);
      else {
        failed.add(stream);
        if (event) await park(projector, reactor.name, event, reason, TRIES);
        await holdBack(projector, reactor.name, stream);
      }
    }
    this.parked = await readParked(projector);
  }

  private async watchParked(bell: Doorbell, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const seen = bell.count;
      if (this.parked.length > 0)
        try {
          this.parked = await readParked(this.options.projector);
        } catch (error) {
          this.options.report(`Parked events cannot be read: ${reasonOf(error)}`);
        }
      await bell.wait(seen, 1000, signal);
    }
  }

  private async enrol(): Promise<{ name: string; storeId: string; position: Position | undefined }[]> {
    const { projector, store, reactors } = this.options;
    await projector.query(
      'insert into workbench.reactors (name, store_id) select name, $2 from unnest($1::text[]) as name on conflict (name) do nothing',
      [reactors.map(({ name }) => name), store.storeId],
    );
    const { rows } = await projector.query<{ name: string; store_id: string; position: string | null }>(
      'select name, store_id, position from workbench.reactors',
    );
    return rows.map((row) => ({ name: row.name, storeId: row.store_id, position: row.position ?? undefined }));
  }
}

/** Where a reactor stands, here and in its row. The row follows by compare-and-set: soon after it acted, now and then where it had nothing to do. */
class Progress {
  private saved: Position | undefined;
  private savedAt = performance.now();
  private acted = false;

  constructor(
    private readonly projector: Pool,
    private readonly name: string,
    public position: Position | undefined,
  ) {
    this.saved = position;
  }

  async move(position: Position, acted: boolean): Promise<void> {
    this.position = position;
    this.acted ||= acted;
    if (this.acted && this.sinceSaved > ACTED_MS) await this.save();
  }

  /** At the end of a page. */
  async rest(): Promise<void> {
    if (this.acted || this.sinceSaved > IDLE_MS) await this.save();
  }

  async save(): Promise<void> {
    if (this.position === this.saved) return;
    const { rowCount } = await this.projector.query(
      // Not flushed by itself: where a crash of the server takes it back, some is done again, which is harmless.
      `update workbench.reactors set position = $3, moved_at = clock_timestamp() where name = $1 and position is not distinct from $2
       returning set_config('synchronous_commit', 'off', true)`,
      [this.name, this.saved ?? null, this.position],
    );
    if (rowCount !== 1) throw new OvertakenError(`Reactor ${this.name} was moved by another server.`);
    this.saved = this.position;
    this.savedAt = performance.now();
    this.acted = false;
  }

  private get sinceSaved(): number {
    return performance.now() - this.savedAt;
  }
}

const ACTED_MS = 250;
const IDLE_MS = 1000;
