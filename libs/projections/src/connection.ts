import type { ClientConfig, Pool } from 'pg';
import { GuardedClient } from '#libs/postgres';

/**
 * A connection of its own with the pool's login and settings. What is asked before an answer has come travels together, and is
 * answered in order. A server that went silent fails a query after 90 s.
 */
export const dedicated = async (pool: Pool, application: string): Promise<GuardedClient> => {
  // Not a copy: the pool keeps its password where a copy does not see it.
  const config = Object.create(pool.options, {
    application_name: { value: application },
    query_timeout: { value: 90_000 },
    pipeline: { value: true },
  }) as ClientConfig;
  const client = new GuardedClient(config);
  await client.connect();
  return client;
};
