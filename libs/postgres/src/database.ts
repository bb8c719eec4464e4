import type { Pool } from 'pg';
import { DataSource, type EntitySchema, type MixedList } from 'typeorm';
import { clientConfig, poolConfig, type Connection, type DatabaseUrls, type Purpose } from './connection.js';
import { Listener, type Handler } from './listener.js';
import { quiet } from './quiet.js';
import { assertUnprivileged } from './roles.js';
import { readTimesAsText } from './types.js';

export type Entities = MixedList<(new () => object) | EntitySchema>;

export type DatabaseOptions = DatabaseUrls &
  Readonly<{
    /** TypeORM entity classes; they name no schema. */
    entities?: Entities;
    /** Most connections at once, by role. */
    poolSize?: Partial<Record<'projector' | 'app', number>>;
    /** Told of connections that are lost while nobody uses them. */
    log?: (message: string) => void;
  }>;

/** The open database. A pool and its data source share connections. */
export class Database {
  readonly projector: Pool;
  readonly app: Pool;

  constructor(
    /** Writes and reads of all tenants: event store, projections, reactors, authentication. */
    readonly projectorSource: DataSource,
    /** Reads of one tenant; use it through `tenantScope`, without it every table looks empty. */
    readonly appSource: DataSource,
    private readonly listener: Listener,
  ) {
    this.projector = poolOf(projectorSource);
    this.app = poolOf(appSource);
  }

  /**
   * Calls `handler` with the payload of each notification, and with `undefined` whenever some may have been missed: as soon as it
   * listens, when its connection is lost, and after each reconnect. Returns what ends it.
   */
  listen(channel: string, handler: Handler): () => void {
    return this.listener.listen(channel, handler);
  }

  async close(): Promise<void> {
    await this.listener.close();
    await Promise.all([this.projectorSource, this.appSource].filter((source) => source.isInitialized).map((source) => source.destroy()));
  }
}

/** Opens both pools. Refuses logins that row-level security does not bind, naming the variable to change. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { projector, app, entities, poolSize, log = () => undefined } = options;
  const sources = [
    await openSource(
      projector,
      { application: 'workbench-projector', statementTimeout: 60_000 },
      { entities, max: poolSize?.projector ?? 16, log },
    ),
  ];
  try {
    sources.push(await openSource(app, { application: 'workbench-app' }, { entities, max: poolSize?.app ?? 16, log }));
    const [projectorSource, appSource] = sources as [DataSource, DataSource];
    await assertUnprivileged(poolOf(projectorSource), 'projector', 'DATABASE_PROJECTOR_URL');
    await assertUnprivileged(poolOf(appSource), 'app', 'DATABASE_APP_URL');
    return new Database(projectorSource, appSource, new Listener(clientConfig(projector, { application: 'workbench-listener' }), log));
  } catch (error) {
    await Promise.all(sources.map((source) => source.destroy()));
    throw error;
  }
}

/** A data source of our making: its own pool, entities without a schema (`purpose.searchPath` says which), times as RFC 3339 text. */
export async function openSource(
  connection: Connection,
  purpose: Purpose,
  { entities = [], max = 4, log = () => undefined }: { entities?: Entities; max?: number; log?: (message: string) => void },
): Promise<DataSource> {
  const source = new DataSource({
    type: 'postgres',
    entities: entities,
    installExtensions: false,
    logger: quiet,
    poolErrorHandler: (error: Error) => log(`A database connection (${purpose.application}) was lost while idle: ${error.message}`),
    extra: poolConfig(connection, purpose, max),
  });
  await source.initialize();
  readTimesAsText(source);
  return source;
}

/** The pool under a data source, for SQL that needs no entities. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;
