import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** A property, its type in the database, and the values that it may have. */
export type OneOf = Readonly<{ property: string; type: 'uuid' | 'text'; values: readonly string[] }>;

/** The query for rows whose properties have one of these values each, where an index finds them by something else. */
export const anyOfEach = <T extends ObjectLiteral>(query: SelectQueryBuilder<T>, ...properties: OneOf[]): SelectQueryBuilder<T> => {
  for (const { property, values } of properties)
    query.andWhere(`${query.alias}.${property} = any(:any_${property})`, { [`any_${property}`]: values });
  return query;
};

/**
 * The query, by its own order and limit, for rows whose properties have one of these values each. `anyOfEach` says the same, but loses the
 * order that an index has within each value, so that all rows there are would be read and sorted. Here the first rows of each
 * combination come from the index, and only they are merged. `key` is the property of the primary key.
 */
export const firstOfEach = <T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  key: string,
  ...properties: OneOf[]
): SelectQueryBuilder<T> => {
  const { alias } = query;
  const heads = query.clone().select(`${alias}.${key}`);
  for (const { property } of properties) heads.andWhere(`${alias}.${property} = each_${property}.value`);
  const combinations = properties
    .map(({ property, type }) => `unnest(:each_${property}::${type}[]) as each_${property} (value)`)
    .join(' cross join ');
  return query
    .clone()
    .where(`${alias}.${key} in (select head.id from ${combinations} cross join lateral (${heads.getQuery()}) as head (id))`)
    .setParameters(heads.getParameters())
    .setParameters(Object.fromEntries(properties.map(({ property, values }) => [`each_${property}`, values])));
};
