import type { Sql } from './sql.js';

/** A table whose rows are not the same in both schemas: how many are only in one of them, and one such row as text. */
export type Difference = Readonly<{ table: string; onlyInFirst: number; onlyInSecond: number; example: string }>;

/** Compares tables row by row, each as the text that PostgreSQL gives for it. Empty: the schemas hold the same. */
export const compareSchemas = async (sql: Sql, first: string, second: string, tables: readonly string[]): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const table of tables) {
    const [one, other] = [first, second].map((schema) => `select t::text as row from "${schema}"."${table}" as t`);
    const { rows } = await sql.query<{ first: number; second: number; example: string }>(
      `with only_first as (${one} except all ${other}), only_second as (${other} except all ${one})
       select (select count(*)::int from only_first) as first, (select count(*)::int from only_second) as second,
         coalesce((select min(row) from only_first), (select min(row) from only_second)) as example`,
    );
    const [found] = rows;
    if (found && found.first + found.second > 0)
      differences.push({ table, onlyInFirst: found.first, onlyInSecond: found.second, example: found.example });
  }
  return differences;
};
