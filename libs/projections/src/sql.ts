import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** One connection, or a pool where no transaction is needed. */
export type Sql = Readonly<{
  query<R extends QueryResultRow = QueryResultRow>(text: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}>;

/** The one order in which rows are locked and written. */
export const sortedKeys = (keys: Iterable<string>): string[] => [...keys].sort();

/**
 * The answers to all that was sent at once, in the order of sending, when the last has come. Throws what the first of those that failed
 * failed with: within a transaction, whatever was sent after that is only told that the transaction has failed.
 */
export const allAnswered = async <T>(sent: readonly T[]): Promise<Awaited<T>[]> => {
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<Awaited<T>>).value);
};
