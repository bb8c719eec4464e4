import type { Pool } from 'pg';
import { DomainError, refusal, type EventStore } from '#libs/kernel';
import { readSkipped, WRITING } from './batch.js';
import { CatchUp, type Targets } from './catch-up.js';
import { assertNotNewer, assertSameStore, readCheckpoints } from './checkpoints.js';
import { compareSchemas, type Difference } from './compare-schemas.js';
import { dedicated } from './connection.js';
import { pause } from './pause.js';
import type { Folder } from './folder.js';
import { latest } from './order.js';
import type { Sql } from './sql.js';

export type RebuildOptions = Readonly<{ projector: Pool; store: EventStore; folders(): readonly Folder[] }>;
export type RebuildReport = Readonly<{ events: number; seconds: number }>;

/**
 * Fills all read models anew from the first event, in the schema `read_models_next`, while the served ones are read and
 * written as ever, and then puts them in their place at exactly the served checkpoints. No event, no feed entry, no reactor.
 * A crash leaves the served ones served; the next rebuild starts clean. One runs at a time, on any server.
 */
export class Rebuild {
  constructor(private readonly options: RebuildOptions) {}

  /** Throws RebuildError where a projection cannot digest an event, DomainError conflict `rebuild/running` where another one runs. */
  rebuildAll(signal?: AbortSignal): Promise<RebuildReport> {
    const began = performance.now();
    return this.fill(signal, async (sql, catchUp, read) => {
      for (let attempt = 1; ; attempt++) {
        const done = await this.alone(sql, async () => {
          read += await catchUp.to(await this.targets(sql));
          return (await oldSnapshotsEnded(sql)) && (await this.swap(sql));
        });
        if (done) return { events: read, seconds: (performance.now() - began) / 1000 };
        if (attempt === ATTEMPTS)
          throw new Error('The rebuild waits in vain for a read that has been running for long. Start it again later.');
        await pause(1000, signal);
      }
    });
  }

  /** A rehearsal: what a rebuild would give other than what is served, which nothing should. Nothing is swapped. */
  verify(signal?: AbortSignal): Promise<Difference[]> {
    return this.fill(signal, async (sql, catchUp) => {
      await this.alone(sql, async () => {
        await catchUp.to(await this.targets(sql));
        // What follows compares this moment, and the projector goes on.
        await sql.query('begin isolation level repeatable read');
        await sql.query('select 1 from checkpoints limit 1');
      });
      const differences = await compareSchemas(sql, 'read_models', 'read_models_next', this.tables);
      await sql.query('commit');
      return differences;
    });
  }

  /** Fills the new schema until it is less than a page behind, and then hands over to `finish`. */
  private async fill<T>(signal: AbortSignal | undefined, finish: (sql: Sql, catchUp: CatchUp, read: number) => Promise<T>): Promise<T> {
    const { projector, store } = this.options;
    const folders = this.options.folders();
    const client = await dedicated(projector, 'workbench-rebuild');
    const lanes = [client];
    const stop = () => void Promise.allSettled(lanes.map((lane) => lane.end()));
    signal?.addEventListener('abort', stop, { once: true });
    try {
      lanes.push(await dedicated(projector, 'workbench-rebuild'));
      await lockOrRefuse(client);
      for (const lane of lanes) await lane.query('set statement_timeout = 0');
      const served = await readCheckpoints(client);
      assertSameStore(store.storeId, served);
      assertNotNewer(served, new Map(folders.map(({ name, version }) => [name, version])));
      await client.query('select workbench.begin_rebuild($1)', [[...this.tables, 'checkpoints']]);
      // What is not flushed is lost in a crash with all the rest of an unfinished rebuild.
      for (const lane of lanes) await lane.query('set search_path = read_models_next, workbench, es; set synchronous_commit = off');
      await client.query(
        `insert into checkpoints (name, store_id, version, state) select name, $3, version, 'live' from unnest($1::text[], $2::int[]) as given (name, version)`,
        [folders.map(({ name }) => name), folders.map(({ version }) => version), store.storeId],
      );
      const catchUp = new CatchUp(lanes, store, folders, await readSkipped(client));
      let read = 0;
      for (let last = CLOSE; last >= CLOSE; read += last) last = await catchUp.to(await this.targets(client));
      for (const table of this.tables) await client.query('select workbench.analyze_rebuild($1)', [table]);
      const result = await finish(client, catchUp, read);
      // Its last readers may take a moment; what is left then, the next rebuild drops.
      for (
        let attempt = 0;
        attempt < ATTEMPTS && !(await unlessLocked(() => client.query('select workbench.abandon_rebuild()')));
        attempt++
      );
      return result;
    } catch (error) {
      await client.query('rollback; select workbench.abandon_rebuild()').catch(() => undefined);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      await Promise.allSettled(lanes.map((lane) => lane.end()));
    }
  }

  /** Where the served ones stand. One that no leader has met yet is to come to where the others are. */
  private async targets(sql: Sql): Promise<Targets> {
    const { rows } = await sql.query<{ name: string; position: string | null }>('select name, position from read_models.checkpoints');
    const served = new Map(rows.map(({ name, position }) => [name, position ?? undefined]));
    const farthest = latest(this.options.store, [...served.values()]);
    return new Map(this.options.folders().map(({ name }) => [name, served.has(name) ? served.get(name) : farthest]));
  }

  private get tables(): string[] {
    return [...new Set([...this.options.folders().map(({ table }) => table), 'deadlines'])];
  }

  private async swap(sql: Sql): Promise<boolean> {
    await sql.query('set synchronous_commit = on');
    return unlessLocked(() => sql.query('select workbench.finish_rebuild($1)', [[...this.tables, 'checkpoints']]));
  }

  /** While the projector stands still. */
  private async alone<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
    await sql.query('select pg_advisory_lock($1)', [WRITING]);
    try {
      return await work();
    } finally {
      await sql.query('select pg_advisory_unlock($1)', [WRITING]).catch(() => undefined);
    }
  }
}

const REBUILDING = 7_240_002;
const CLOSE = 1000;
const ATTEMPTS = 10;

const lockOrRefuse = async (sql: Sql): Promise<void> => {
  const { rows } = await sql.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [REBUILDING]);
  if (!rows[0]!.taken)
    throw new DomainError(refusal('conflict', 'rebuild/running', 'A rebuild is running already. Wait until it has ended.'));
};

// False where somebody holds a lock for longer than we let others wait behind us.
const unlessLocked = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false;
    throw error;
  }
};

/**
 * A repeatable read that began before the new rows were written would not see them and yet find the new tables: it ends before
 * they change places. Reads are short; false after 2 s. The projector, which waits for us, has not begun to read.
 */
const oldSnapshotsEnded = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  for (const until = performance.now() + 2000; performance.now() < until; await pause(5)) {
    const { rowCount } = await sql.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
         and age(backend_xmin) >= age($1::text::xid8::xid)
         and pid not in (select pid from pg_locks where locktype = 'advisory' and objid = ${WRITING} and not granted) limit 1`,
      [rows[0]!.xid],
    );
    if (rowCount === 0) return true;
  }
  return false;
};
