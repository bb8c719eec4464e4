import { resolve } from 'node:path';
import { readConnectionString } from '#libs/event-store';
import type { BootstrapMode } from '#libs/identity';
import type { PermissionOptions } from '#libs/permissions';
import { databaseUrls, type DatabaseUrls } from '#libs/postgres';
import type { LogLevel } from './logging/log.js';

/** All that the environment decides, read once. Times are in milliseconds. */
export type Settings = Readonly<{
  host: string;
  port: number;
  /** `api` answers HTTP, `worker` runs projections, reactors and deadlines; one process may do both. */
  roles: Readonly<{ api: boolean; worker: boolean }>;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  database: DatabaseUrls | undefined;
  /** Connection string of the EventStoreDB that holds the events; undefined: PostgreSQL holds them. */
  eventStoreUrl: string | undefined;
  dataDir: string;
  /** What a start makes sure of and prints: the demo tenant with a credential a role, an operator alone, or nothing. */
  bootstrap: BootstrapMode;
  decideMs: number;
  releaseMs: number;
  leaseMs: number;
  /** How long a person has to decide on a tool call, and how strictly calls are judged. */
  permissions: Pick<PermissionOptions, 'requestMs' | 'secretReads' | 'strictGit' | 'trustedServers' | 'scriptRoots'>;
  /** Directories whose git repositories the server may read to compare trees at shipping. */
  repositoryRoots: readonly string[];
  logLevel: LogLevel;
  /** For one credential; 0 sets no limit. */
  requestsPerMinute: number;
  /** How many commands and reads the server works for at once; four times as many may wait for a place. */
  atOnce: Readonly<{ commands: number; reads: number }>;
  /** Server-sent event streams that may be open, over all credentials. */
  streams: number;
  /** Connections to PostgreSQL of each of the two pools. */
  connections: number;
  /** The built console. */
  consoleDir: string;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws naming the variable that is wrong and what it may be. */
export const settingsFrom = (environment: Environment): Settings => {
  const { DATABASE_URL, DATABASE_PROJECTOR_URL, DATABASE_APP_URL } = environment;
  const external = DATABASE_URL !== undefined;
  return {
    host: environment['HOST'] ?? '127.0.0.1',
    port: wholeNumber(environment, 'PORT', 3000, 0, 65_535),
    roles: rolesFrom(environment['WORKBENCH_ROLES'] ?? 'api,worker'),
    database: external
      ? databaseUrls({
          DATABASE_URL,
          ...(DATABASE_PROJECTOR_URL && { DATABASE_PROJECTOR_URL }),
          ...(DATABASE_APP_URL && { DATABASE_APP_URL }),
        })
      : undefined,
    eventStoreUrl: environment['EVENTSTORE_URL'] ? readConnectionString(environment['EVENTSTORE_URL']).url : undefined,
    dataDir: resolve(environment['WORKBENCH_DATA'] ?? '.data'),
    bootstrap: bootstrapFrom(environment['WORKBENCH_BOOTSTRAP'] ?? (external ? 'none' : 'demo')),
    decideMs: wholeNumber(environment, 'WORKBENCH_DECIDE_SECONDS', 24 * 3600, 1, 30 * 24 * 3600) * 1000,
    releaseMs: wholeNumber(environment, 'WORKBENCH_RELEASE_SECONDS', 15 * 60, 1, 24 * 3600) * 1000,
    leaseMs: wholeNumber(environment, 'WORKBENCH_LEASE_SECONDS', 15 * 60, 1, 24 * 3600) * 1000,
    permissions: {
      requestMs: wholeNumber(environment, 'WORKBENCH_PERMISSION_SECONDS', 15 * 60, 1, 24 * 3600) * 1000,
      secretReads: oneOf(environment, 'PERMISSIONS_SECRET_READS', ['ask', 'allow']),
      strictGit: oneOf(environment, 'STRICT_GIT', ['no', 'yes']) === 'yes',
      scriptRoots: (environment['WORKBENCH_SCRIPT_ROOTS'] === undefined ? ['/'] : listOf(environment['WORKBENCH_SCRIPT_ROOTS'], ':')).map(
        (root) => resolve(root),
      ),
      trustedServers: listOf(environment['PERMISSIONS_TRUSTED_SERVERS'], ','),
    },
    repositoryRoots: listOf(environment['WORKBENCH_REPOSITORY_ROOTS'], ':').map((root) => resolve(root)),
    logLevel: logLevelFrom(environment['LOG_LEVEL'] ?? 'info'),
    requestsPerMinute: wholeNumber(environment, 'WORKBENCH_REQUESTS_PER_MINUTE', 1_200, 0, 1_000_000),
    atOnce: {
      commands: wholeNumber(environment, 'WORKBENCH_COMMANDS_AT_ONCE', 64, 1, 10_000),
      reads: wholeNumber(environment, 'WORKBENCH_READS_AT_ONCE', 64, 1, 10_000),
    },
    streams: wholeNumber(environment, 'WORKBENCH_STREAMS', 4_000, 1, 100_000),
    connections: wholeNumber(environment, 'WORKBENCH_DATABASE_CONNECTIONS', 16, 4, 500),
    consoleDir: resolve('apps/console/dist'),
  };
};

const wholeNumber = (environment: Environment, name: string, fallback: number, least: number, most: number): number => {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new Error(`${name} is "${text}". Give a whole number from ${least} to ${most}.`);
  return value;
};

const listOf = (text: string | undefined, separator: string): string[] => (text ?? '').split(separator).filter((item) => item !== '');

/** The first is what holds where the variable is not set. */
const oneOf = <T extends string>(environment: Environment, name: string, values: readonly [T, ...T[]]): T => {
  const text = environment[name] || values[0];
  const value = values.find((one) => one === text);
  if (value === undefined) throw new Error(`${name} is "${text}". Write ${values.join(' or ')}.`);
  return value;
};

const bootstrapFrom = (text: string): BootstrapMode => {
  if (text === 'demo' || text === 'operator' || text === 'none') return text;
  throw new Error(`WORKBENCH_BOOTSTRAP is "${text}". Write demo, operator or none.`);
};

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];
const logLevelFrom = (text: string): LogLevel => {
  const level = LOG_LEVELS.find((one) => one === text);
  if (level === undefined) throw new Error(`LOG_LEVEL is "${text}". Write ${LOG_LEVELS.join(', ')}.`);
  return level;
};

const rolesFrom = (text: string): Settings['roles'] => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== 'api' && name !== 'worker');
  if (unknown !== undefined) throw new Error(`WORKBENCH_ROLES names "${unknown}". Write api, worker, or both with a comma.`);
  return { api: names.includes('api'), worker: names.includes('worker') };
};
