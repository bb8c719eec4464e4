import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Command, Decider } from '../decider.js';
import { streamName, type Event, type EventMeta } from '../event.js';
import { fold, recorded } from './decider-specification.js';

type Row = Readonly<Record<string, unknown>>;
type Histories<E> = Readonly<Record<string, readonly E[]>>;

/**
 * All that a decider answers, as a table beside its spec: after each history its state, then the events and the refusal of each command
 * with what they change in the state, and what other events change that turn up there. Shapes of events are stored forever and refusals
 * are public, so that a changed row is looked at; sentences for people (`detail`) may change. `WRITE_DECISIONS=1` writes the file anew.
 */
export const itDecidesAs = <C extends Command, S, E extends Event>(
  file: string,
  decider: Decider<C, S, E>,
  histories: Histories<E>,
  commands: Readonly<Record<string, C>>,
): void => {
  const tables: Readonly<Record<string, () => Row[]>> = {
    'every stream': () => answersOf(decider, histories),
    ...Object.fromEntries(Object.keys(histories).map((given) => [given, () => rowsAfter(decider, histories, commands, given)])),
  };
  if (process.env['WRITE_DECISIONS']) {
    const rows = Object.entries(tables).flatMap(([given, make]) => make().map((row) => ({ given, ...row })));
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  it.each(Object.keys(tables))('decides and folds as its table says: %s', (name) => {
    const rows = tables[name]!().map((row) => ({ given: name, ...row }));
    expect(rows).toEqual(stored.map((line) => JSON.parse(line) as Row).filter(({ given }) => given === name));
  });
};

const rowsAfter = <C extends Command, S, E extends Event>(
  decider: Decider<C, S, E>,
  histories: Histories<E>,
  commands: Readonly<Record<string, C>>,
  given: string,
): Row[] => {
  const history = histories[given]!;
  const before = fold(decider, history);
  const state = plain(before);
  const follow = (events: readonly E[]): S =>
    events.reduce((folded, event, index) => decider.evolve(folded, recorded(event, placed(index))), before);
  const placed = (index: number) => ({ revision: BigInt(history.length + index), stream: streamName(decider.category, 'test') });
  const decisions = Object.entries(commands).map(([when, command]) => {
    const { events, refusal } = decider.decide(command, before);
    return { when, ...(events.length > 0 && { events, then: changes(state, plain(follow(events))) }), ...(refusal && { refusal }) };
  });
  const strays = [...new Map(eventsOf(histories).map((event) => [event.type, event])).values()].flatMap((event) => {
    const after = plain(follow([event]));
    return isDeepStrictEqual(after, state) ? [] : [{ event: event.type, then: changes(state, after) }];
  });
  return [{ state }, ...decisions, ...strays].map((row) => plain(row) as Row);
};

/** The category, and to whom each event was also a refusal. */
const answersOf = <C extends Command, S, E extends Event>(decider: Decider<C, S, E>, histories: Histories<E>): Row[] => {
  const answers = eventsOf(histories).flatMap((event) =>
    (['human', 'service'] as const).flatMap((kind) => {
      const refusal = decider.refusalOf?.(recorded(event, { meta: { actor: { id: kind, kind } } as EventMeta }));
      return refusal ? [{ event, sentBy: kind, refusal }] : [];
    }),
  );
  return [{ category: decider.category, initialState: decider.initialState }, ...answers].map((row) => plain(row) as Row);
};

/** Each event of the histories once, and one that only a newer server knows. */
const eventsOf = <E extends Event>(histories: Histories<E>): E[] => [
  ...new Map(
    Object.values(histories)
      .flat()
      .map((event) => [JSON.stringify(event), event]),
  ).values(),
  { type: 'SomethingNewer', data: {} } as E,
];

const changes = (before: unknown, after: unknown): unknown => {
  if (!isObject(before) || !isObject(after)) return after;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      if (isDeepStrictEqual(before[name], after[name])) return [];
      return [[name, name in after ? changes(before[name], after[name]) : '(gone)']];
    }),
  );
};
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, item: unknown) => {
      if (name === 'detail' && typeof item === 'string') return '…';
      return typeof item === 'bigint' ? `${item}n` : item;
    }),
  );
