import pg, { type CustomTypesConfig } from 'pg';
import type { DataSource } from 'typeorm';

const { builtins } = pg.types;

/**
 * How values come back: `timestamptz` as RFC 3339 UTC with milliseconds, `timestamp` and `date` as the text they are (a `Date` would
 * read them in this machine's zone), `bigint` as a decimal string (the default of `pg`).
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === (builtins.TIMESTAMPTZ as number)) return rfc3339;
      if (oid === (builtins.TIMESTAMP as number) || oid === (builtins.DATE as number)) return String;
    }
    return pg.types.getTypeParser(oid, format) as unknown;
  }) as CustomTypesConfig['getTypeParser'],
};

/** Entities declare `@Column('timestamptz') at!: string` and get what their type says, not TypeORM's `Date`. */
export const readTimesAsText = (source: DataSource): void => {
  for (const column of source.entityMetadatas.flatMap(({ columns }) => columns))
    if (column.type === 'timestamptz' || column.type === 'timestamp with time zone')
      column.transformer ??= {
        to: (value: unknown) => value,
        from: (value: unknown) => (value instanceof Date ? value.toISOString() : value),
      };
};

const rfc3339 = (text: string): string => {
  const [, date, time, fraction = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text) ?? [];
  // Infinity, years past 9999 and BC stay as PostgreSQL writes them.
  return date && time ? `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z` : text;
};
