import type { EventStore, Position } from '#libs/kernel';

/** Positions of one store in order; undefined, before the first event, lies before all. */
export const isAfter = (store: EventStore, a: Position | undefined, b: Position | undefined): boolean =>
  a !== undefined && a !== b && (b === undefined || store.compare(a, b) > 0);

export const earliest = (store: EventStore, positions: readonly (Position | undefined)[]): Position | undefined =>
  positions.reduce((low, position) => (isAfter(store, low, position) ? position : low), positions[0]);

export const latest = (store: EventStore, positions: readonly (Position | undefined)[]): Position | undefined =>
  positions.reduce((high, position) => (isAfter(store, position, high) ? position : high), undefined);

/** Lists of those that give the same key, in the order in which the keys first appear. */
export const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
};
