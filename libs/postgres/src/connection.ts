import { createHmac } from 'node:crypto';
import pg, { type ClientConfig, type PoolConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { roles } from './role-names.js';
import { typeParsers } from './types.js';

/** Where and as whom to log in; whatever `pg` takes. */
export type Connection = Readonly<ClientConfig>;

/** One login per database role: `owner` sets up and migrates, `projector` writes, `app` reads for one tenant at a time. */
export type DatabaseUrls = Readonly<{ owner: Connection; projector: Connection; app: Connection }>;

/**
 * The three logins from one administrator's. Unless they are given, projector and app log in to the same server with
 * HMAC-SHA256(key: the administrator's password, text: role name) in hex, so that every server derives the same and nothing
 * has to be stored; an administrator without a password (socket or peer authentication) gives them none either.
 */
export const connectionsFrom = (owner: Connection, given: Partial<Pick<DatabaseUrls, 'projector' | 'app'>> = {}): DatabaseUrls => ({
  owner,
  projector: given.projector ?? derived(owner, roles.projector),
  app: given.app ?? derived(owner, roles.app),
});

/** From `DATABASE_URL` (an administrator's login) and, where those logins are managed elsewhere, the other two. Throws naming the variable. */
export const databaseUrls = (
  environment: Readonly<{ DATABASE_URL: string; DATABASE_PROJECTOR_URL?: string; DATABASE_APP_URL?: string }>,
): DatabaseUrls => {
  const read = (variable: keyof typeof environment): Connection | undefined => {
    const url = environment[variable];
    return url ? parse(variable, url) : undefined;
  };
  const owner = read('DATABASE_URL');
  if (!owner) throw new Error('DATABASE_URL is empty. Give it a postgres:// URL, or leave it out to use the embedded database.');
  const [projector, app] = [read('DATABASE_PROJECTOR_URL'), read('DATABASE_APP_URL')];
  return connectionsFrom(owner, { ...(projector && { projector }), ...(app && { app }) });
};

/** What a connection is for. `search_path` stands here because entities name no schema: a rebuild fills another one. */
export type Purpose = Readonly<{
  application: string;
  searchPath?: string;
  /** Milliseconds after which the server cancels a statement; 0 is never. */
  statementTimeout?: number;
}>;

export const SEARCH_PATH = 'read_models,workbench,es';

/** Every connection speaks UTC and ISO dates whatever the server, the login or this machine prefer, and never holds a transaction open idle. */
export const clientConfig = (
  connection: Connection,
  { application, searchPath = SEARCH_PATH, statementTimeout = 15_000 }: Purpose,
): ClientConfig => ({
  ...connection,
  application_name: application,
  options: [connection.options, '-c timezone=UTC', '-c datestyle=ISO', `-c search_path=${searchPath}`].filter(Boolean).join(' '),
  statement_timeout: statementTimeout,
  idle_in_transaction_session_timeout: 30_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  types: typeParsers,
});

/** Waiting for a free connection ends after 5 s with an error: a caller that holds one and asks for another must not hang for ever. */
export const poolConfig = (connection: Connection, purpose: Purpose, max: number): PoolConfig => ({
  ...clientConfig(connection, purpose),
  max,
  idleTimeoutMillis: 30_000,
  Client: GuardedClient,
});

/**
 * A client whose lost connection never ends the process: without a listener Node treats `error` as fatal, and a pool listens
 * only while the client is idle. Whoever uses it learns of the loss from the query that fails.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

const derived = (owner: Connection, user: string): Connection => {
  const { password } = owner;
  if (typeof password === 'function') throw new Error('A password that is computed cannot be derived from. Give all three logins.');
  return { ...owner, user, password: password ? createHmac('sha256', password).update(user).digest('hex') : undefined };
};

const parse = (variable: string, url: string): Connection => {
  if (!/^(postgres(ql)?|socket):/.test(url))
    throw new Error(`${variable} is no PostgreSQL URL. Write it as postgres://user:password@host:5432/database.`);
  try {
    return parseIntoClientConfig(url);
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unreadable';
    // eslint-disable-next-line preserve-caught-error -- its message holds the URL, and with it the password
    throw new Error(
      `${variable} cannot be read (${code}). Write it as postgres://user:password@host:5432/database, with special characters percent-encoded.`,
    );
  }
};
