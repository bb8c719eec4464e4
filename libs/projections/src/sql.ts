import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** One connection, or a pool where no transaction is needed. */
export type Sql = Readonly<{
  query<R extends QueryResultRow = QueryResultRow>(text: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}>;

/** The one order in which rows are locked and written. */
export const sortedKeys = (keys: Iterable<string>): string[] => [...keys].sort();
