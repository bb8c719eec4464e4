import { importIntoPostgres, openEventStoreDB, openPostgresEventStore, StoredEventTypes } from '#libs/event-store';
import type { EventStore, Position, Recorded } from '#libs/kernel';
import { connectionsFrom, databaseUrls, migrate, openDatabase, startEmbedded, type Database, type DatabaseUrls } from '#libs/postgres';

type Environment = Readonly<Record<string, string | undefined>>;

/** An open store whose events are read and written as they are stored. */
export type Place = Readonly<{
  store: EventStore;
  /** Stores what follows, in this order; fails where it does not follow what is there. */
  write(events: readonly Recorded[]): Promise<void>;
  /** Position of the newest event, whether readers may see it yet or not; undefined where all that is stored can be read at once. */
  newest(): Promise<Position | undefined>;
  /** Where the store is in PostgreSQL. */
  database?: Database;
  close(): Promise<void>;
}>;

/**
 * `embedded` is the database in WORKBENCH_DATA; else a connection string (`esdb://…`, `postgres://…`), or the name of an environment
 * variable that holds one, which keeps passwords out of the command line.
 */
export async function openPlace(text: string, environment: Environment): Promise<Place> {
  const variable = /^[A-Z][A-Z0-9_]*$/.test(text) ? text : undefined;
  const url = variable === undefined ? text : (environment[variable] ?? '');
  if (variable !== undefined && url === '') throw new Error(`${variable} is empty. Let it hold a connection string.`);
  if (/^[a-z]*db(?:\+discover)?:/.test(url)) return openThere(url, variable ?? 'The connection string');
  if (text === 'embedded' || /^postgres(?:ql)?:/.test(url)) return openHere(text, environment);
  throw new Error(`${variable ?? 'What is given'} names no store. Write esdb://…, postgres://…, embedded, or a variable that holds one.`);
}

/** As for a store; also for the read models, which are in PostgreSQL always. */
export async function openPostgres(
  text: string,
  environment: Environment,
): Promise<Readonly<{ database: Database; close(): Promise<void> }>> {
  const embedded = text === 'embedded' ? await startEmbedded({ dataDir: environment['WORKBENCH_DATA'] ?? '.data' }) : undefined;
  try {
    const urls = embedded ? connectionsFrom(embedded.connection) : urlsOf(text, environment);
    await migrate(urls);
    const database = await openDatabase(urls);
    const close = async () => {
      await database.close();
      await embedded?.stop();
    };
    return { database, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

const urlsOf = (text: string, environment: Environment): DatabaseUrls => {
  // The two logins beside it belong to DATABASE_URL.
  if (text === 'DATABASE_URL')
    return databaseUrls({
      DATABASE_URL: environment['DATABASE_URL'] ?? '',
      ...(environment['DATABASE_PROJECTOR_URL'] && { DATABASE_PROJECTOR_URL: environment['DATABASE_PROJECTOR_URL'] }),
      ...(environment['DATABASE_APP_URL'] && { DATABASE_APP_URL: environment['DATABASE_APP_URL'] }),
    });
  return databaseUrls({ DATABASE_URL: environment[text] ?? text });
};

const openHere = async (text: string, environment: Environment): Promise<Place> => {
  const { database, close } = await openPostgres(text, environment);
  const store = await openPostgresEventStore(database, new StoredEventTypes());
  return {
    store,
    database,
    write: (events) => importIntoPostgres(database.projector, events),
    newest: async () => (await database.projector.query<{ newest: Position | null }>(NEWEST)).rows[0]!.newest ?? undefined,
    async close() {
      store.close();
      await close();
    },
  };
};

const NEWEST = 'select max(position)::text as newest from es.events';

const openThere = async (url: string, variable: string): Promise<Place> => {
  const store = await openEventStoreDB(url, new StoredEventTypes(), { variable });
  return {
    store,
    async write(events) {
      for (const run of runsOf(events)) await store.import(run);
    },
    newest: () => Promise.resolve(undefined),
    close: () => store.close(),
  };
};

/** As many as one append may hold by default (1 MiB), with room for what the client adds. */
const MOST_BYTES = 900_000;

/** Events that follow each other in the order of the store and in one stream: they can be appended at once without another order. */
function* runsOf(events: readonly Recorded[]): Iterable<Recorded[]> {
  let run: Recorded[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify([event.data, event.meta]));
    if (run.length > 0 && (run[0]!.stream !== event.stream || bytes + size > MOST_BYTES)) {
      yield run;
      [run, bytes] = [[], 0];
    }
    run.push(event);
    bytes += size;
  }
  if (run.length > 0) yield run;
}
