import type { Command, Decider } from './decider.js';
import { NO_STREAM, type EventStore } from './event-store.js';
import type { Event, EventMeta, Recorded } from './event.js';

/** A stream as it was at `revision`, folded: enough to decide on, and to know which commands it holds. */
export type KnownStream<S> = Readonly<{
  state: S;
  revision: bigint;
  /** Of the first event, which never changes; undefined where there is no stream. */
  first: Readonly<Pick<EventMeta, 'tenantId' | 'workspaceId' | 'auditId'>> | undefined;
  /** The ids of the commands that it holds. Shared with what is known of later revisions, so it may name later ones as well. */
  commands: Set<string>;
}>;

/** What is known of a stream that was never read. */
export const unknown = <S>(initialState: S): KnownStream<S> => ({
  state: initialState,
  revision: NO_STREAM,
  first: undefined,
  commands: new Set(),
});

/** What is known once `events`, which directly follow it, are known as well. */
export const advanced = <C extends Command, S, E extends Event>(
  decider: Decider<C, S, E>,
  { state, revision, first, commands }: KnownStream<S>,
  events: readonly Recorded<E>[],
): KnownStream<S> => {
  for (const { meta } of events) commands.add(meta.commandId);
  const { tenantId, workspaceId, auditId } = first ?? events[0]?.meta ?? {};
  return {
    state: events.reduce((folded, event) => decider.evolve(folded, event), state),
    revision: events.at(-1)?.revision ?? revision,
    first: tenantId === undefined ? undefined : ({ tenantId, workspaceId, auditId } as KnownStream<S>['first']),
    commands,
  };
};

/** Most streams, and most bytes (roughly), that are remembered of one decider on one store. */
export type Bounds = Readonly<{ streams: number; bytes: number }>;
const BOUNDS: Bounds = { streams: 10_000, bytes: 16_000_000 };

/**
 * The streams of one decider that were used last, as they were then. They grow stale when others write, on this server or
 * another, so they are a guess: what is decided on one holds only once it was appended at its very revision.
 */
export class KnownStreams<S> {
  private readonly streams = new Map<string, Readonly<{ known: KnownStream<S>; bytes: number }>>();
  private bytes = 0;

  constructor(private readonly bounds: Bounds = BOUNDS) {}

  get(stream: string): KnownStream<S> | undefined {
    const found = this.streams.get(stream);
    if (!found) return undefined;
    this.streams.delete(stream);
    this.streams.set(stream, found);
    return found.known;
  }

  /** Kept unless a later revision is known already, or it alone would take a tenth of the room. */
  put(stream: string, known: KnownStream<S>): void {
    if (known.revision < (this.streams.get(stream)?.known.revision ?? 0n)) return;
    this.forget(stream);
    const most = this.bounds.bytes / 10;
    const bytes = OVERHEAD + known.commands.size * OVERHEAD + weigh(known.state, most);
    if (bytes > most) return;
    this.streams.set(stream, { known, bytes });
    this.bytes += bytes;
    for (const oldest of this.streams.keys()) {
      if (this.streams.size <= this.bounds.streams && this.bytes <= this.bounds.bytes) return;
      this.forget(oldest);
    }
  }

  forget(stream: string): void {
    this.bytes -= this.streams.get(stream)?.bytes ?? 0;
    this.streams.delete(stream);
  }
}

const OVERHEAD = 100;

/** About how many bytes a value takes; somewhat more than `most` for anything larger, without a look at the rest. */
const weigh = (value: unknown, most: number): number => {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 40;
  for (const [key, item] of Object.entries(value)) {
    if (bytes > most) break;
    bytes += 16 + 2 * key.length + weigh(item, most - bytes);
  }
  return bytes;
};

const known = new WeakMap<EventStore, WeakMap<object, KnownStreams<unknown>>>();

/** Those of a decider on a store; they go when either goes. */
export const knownStreams = <C extends Command, S, E extends Event>(store: EventStore, decider: Decider<C, S, E>): KnownStreams<S> => {
  let ofStore = known.get(store);
  if (!ofStore) known.set(store, (ofStore = new WeakMap()));
  let ofDecider = ofStore.get(decider);
  if (!ofDecider) ofStore.set(decider, (ofDecider = new KnownStreams<unknown>()));
  return ofDecider as KnownStreams<S>;
};

/** Makes a stream known by all its events so far, which came along with something else: who decides on it next need not read it first. */
export const remember = <C extends Command, S, E extends Event>(
  store: EventStore,
  decider: Decider<C, S, E>,
  stream: string,
  events: readonly Recorded<E>[],
): void => {
  const streams = knownStreams(store, decider);
  const known = streams.get(stream);
  const last = events.at(-1);
  if (last && !(known && known.revision >= last.revision)) streams.put(stream, advanced(decider, unknown(decider.initialState), events));
};
