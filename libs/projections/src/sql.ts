import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** One connection, or a pool where no transaction is needed. */
export type Sql = Readonly<{
  query<R extends QueryResultRow = QueryResultRow>(text: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}>;

/** The one order in which rows are locked and written. */
export const sortedKeys = (keys: Iterable<string>): string[] => [...keys].sort();

/**
 * Waits for all that was sent together. Throws what failed first in the order of sending, of a transaction that is: whatever is
 * sent after a failure is only told that the transaction has failed.
 */
export const together = async <T>(sent: readonly T[]): Promise<Awaited<T>[]> => {
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<Awaited<T>>).value);
};
