import type { EntityTarget } from 'typeorm';
import type { Event, Recorded, Role } from '#libs/kernel';

/** What `evolve` answers when the row is to go. */
export const remove: unique symbol = Symbol('remove');

/**
 * Folds events into the rows of its own table. Everything in it is pure: a rebuild has to give the same rows. `evolve`
 * answers whole rows (a property left out is NULL, not the column's default) whose key is the one it was asked for.
 * Raise `version` when it would give other rows than before: the next start rebuilds.
 */
export type Projection<
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list holds projections of all rows and events
  Row extends object = any,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  E extends Event = any,
> = Readonly<{
  name: string;
  version: number;
  /** TypeORM entity with one string primary key; its table belongs to this projection alone. */
  table: EntityTarget<Row>;
  /** Keys of the rows that an event touches; asked only for types that `evolve` lists. Undefined = not concerned. */
  key(event: Recorded<E>): string | readonly string[] | undefined;
  /** The row as it is now (undefined = there is none) and an event give the next one. Undefined = leave it as it is. */
  evolve: { readonly [T in E['type']]?: Evolve<Row, Extract<E, { type: T }>> };
  /** Each row is of one event and none is changed by another, so that none is read first: `evolve` is always given undefined. */
  insertOnly?: true;
  /** What live listeners learn, asked once for each touched row as it is after the event (undefined = gone); never during a rebuild. */
  feed?(event: Recorded<E>, row: Row | undefined): FeedEntry | readonly FeedEntry[] | undefined;
}>;

export type Evolve<Row, E extends Event> = (row: Row | undefined, event: Recorded<E>, key: string) => Row | typeof remove | undefined;

/**
 * One announcement on the live feed. `kind` and `subject` say what changed, `data` is JSON. It is for those who may see
 * the workspace; an audience narrows that to anyone with one of `roles` or named in `principals`.
 */
export type FeedEntry = Readonly<{
  kind: string;
  subject: string;
  tenantId: string;
  workspaceId: string;
  audience: Readonly<{ roles?: readonly Role[]; principals?: readonly string[] }>;
  data: Readonly<Record<string, unknown>>;
}>;
