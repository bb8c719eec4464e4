import type { QueryConfig } from 'pg';
import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import { sortedKeys, type Sql } from './sql.js';

type ColumnMetadata = EntityMetadata['columns'][number];
export type Row = Record<string, unknown>;

/** A projection's table as its entity describes it; the connection's `search_path` says in which schema it lies. */
export type Table = Readonly<{
  name: string;
  /** Property of the primary key. */
  key: string;
  load(sql: Sql, keys: Iterable<string>): Promise<Map<string, Row>>;
  /** Upserts and deletes, in the order of the keys, so that two writers never wait for each other in a circle. `undefined` deletes. */
  writes(rows: ReadonlyMap<string, Row | undefined>): QueryConfig[];
  /** As it would be read back: where a batch ends must make no difference to what `evolve` sees. */
  settle(row: Row): Row;
}>;

export const tableOf = (source: DataSource, entity: EntityTarget<ObjectLiteral>): Table => {
  const metadata = source.getMetadata(entity);
  const [primary, ...more] = metadata.primaryColumns;
  if (!primary || more.length > 0) throw new Error(`${metadata.name} needs one primary key column to be a projection's table.`);
  const { columns, tableName: name } = metadata;
  if (columns.some(({ type }) => type === 'simple-array' || type === 'simple-json'))
    throw new Error(`${metadata.name} has a simple-array or simple-json column. Use text[] or jsonb, which the database can read.`);
  const quoted = columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const updates = columns
    .filter((column) => column !== primary)
    .map(({ databaseName }) => `"${databaseName}" = excluded."${databaseName}"`);
  const settling = columns.map((column) => ({ property: column.propertyName, settle: settlingOf(column) }));
  const keyed = `"${primary.databaseName}" = any($1::${source.driver.normalizeType(primary)}[])`;
  const load = { name: `load ${name}`, text: `select ${quoted} from "${name}" where ${keyed}` };
  const remove = { name: `remove ${name}`, text: `delete from "${name}" where ${keyed}` };
  // One parameter for any number of rows, so that it is planned once.
  const upsert = {
    name: `upsert ${name}`,
    text:
      `insert into "${name}" (${quoted}) select ${quoted} from json_populate_recordset(null::"${name}", $1::json) ` +
      `on conflict ("${primary.databaseName}") do ${updates.length > 0 ? `update set ${updates.join(', ')}` : 'nothing'}`,
  };

  return {
    name,
    key: primary.propertyName,
    async load(sql, keys) {
      const { rows } = await sql.query<Row>({ ...load, values: [sortedKeys(keys)] });
      return new Map(rows.map((raw) => [raw[primary.databaseName] as string, fromDatabase(source, columns, raw)]));
    },
    writes(rows) {
      const keys = sortedKeys(rows.keys());
      const gone = keys.filter((key) => rows.get(key) === undefined);
      const kept = keys.map((key) => rows.get(key)).filter((row) => row !== undefined);
      return [
        ...(kept.length > 0 ? [{ ...upsert, values: [JSON.stringify(kept.map((row) => toJson(columns, row)))] }] : []),
        ...(gone.length > 0 ? [{ ...remove, values: [gone] }] : []),
      ];
    },
    settle(row) {
      const settled: Row = {};
      for (const { property, settle } of settling) settled[property] = settle(row[property]);
      return settled;
    },
  };
};

const fromDatabase = (source: DataSource, columns: readonly ColumnMetadata[], raw: Row): Row => {
  const row: Row = {};
  for (const column of columns) {
    const value: unknown = source.driver.prepareHydratedValue(raw[column.databaseName], column);
    row[column.propertyName] = value instanceof Date ? value.toISOString() : value;
  }
  return row;
};

const settlingOf = ({ type }: ColumnMetadata): ((value: unknown) => unknown) => {
  if (type === 'timestamptz' || type === 'timestamp with time zone')
    return (value) => (value === undefined || value === null ? null : new Date(value as string | Date).toISOString());
  if (type === 'bigint' || type === 'int8') return (value) => (value as bigint | number | string | null | undefined)?.toString() ?? null;
  return (value) => value ?? null;
};

const toJson = (columns: readonly ColumnMetadata[], row: Row): Row => {
  const json: Row = {};
  for (const { databaseName, propertyName, transformer } of columns) {
    let value = row[propertyName];
    if (transformer) for (const each of [transformer].flat()) value = each.to(value) as unknown;
    json[databaseName] = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
  }
  return json;
};
