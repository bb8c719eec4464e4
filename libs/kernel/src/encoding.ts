import { canonicalJson, sha256 } from './canonical.js';
import type { Event, EventMeta, NewEvent } from './event.js';
import { DomainError, refusal } from './refusal.js';

/** What a store keeps: JSON texts, so that no client library serialises for us. `contentHash` is the one within `meta`. */
export type EncodedEvent = Readonly<{ id: string; type: string; data: string; meta: string; contentHash: string }>;

/** Most bytes of UTF-8 that data and meta of one event may have together: below what any supported store takes by default. */
export const MAX_EVENT_BYTES = 1_000_000;
/** Most levels of nesting: parsers of JSON recurse, and a store must not be the first to find out. */
const MAX_DEPTH = 100;

/** The present version of an event's shape, and how data of each older version becomes the next: `upcast[1]` reads version 1 into 2. */
export type EventShape = Readonly<{ version: number; upcast?: Readonly<Record<number, (data: never) => unknown>> }>;

/** Every type of a context by its explicit name; a missing one does not compile. */
export const eventTypes = <E extends Event>(
  shapes: Readonly<Record<E['type'], EventShape | number>>,
): Readonly<Record<string, EventShape>> =>
  Object.fromEntries(
    Object.entries<EventShape | number>(shapes).map(([type, shape]) => [type, typeof shape === 'number' ? { version: shape } : shape]),
  );

/**
 * The registry through which every adapter writes and reads. Unknown types are refused on the way in (a class name never
 * becomes a stored name by accident) and read as they are on the way out (a newer server may have written them).
 */
export class EventTypes {
  private readonly shapes = new Map<string, EventShape>();

  constructor(...contexts: Readonly<Record<string, EventShape>>[]) {
    for (const [type, shape] of contexts.flatMap((context) => Object.entries(context))) {
      if (this.shapes.has(type)) throw new Error(`Event type ${type} is registered twice.`);
      this.shapes.set(type, shape);
    }
  }

  /** The names, sorted. */
  names(): string[] {
    return [...this.shapes.keys()].sort();
  }

  /**
   * Throws UnstorableError for NUL, lone surrogates, values that are neither JSON nor bigint, and nesting beyond 100 levels;
   * 413 `event/too-large` past MAX_EVENT_BYTES.
   */
  encode(stream: string, event: NewEvent): EncodedEvent {
    const shape = this.shapes.get(event.type);
    if (!shape) throw new UnstorableError(`Event type ${event.type} is not registered.`);
    const data = toStored(event.data, event.type);
    const meta = toStored({ ...event.meta, schemaVersion: shape.version }, 'meta') as object;
    const contentHash = sha256(canonicalJson({ stream, id: event.id, type: event.type, data, meta }));
    const encoded = {
      id: event.id,
      type: event.type,
      data: JSON.stringify(data),
      meta: JSON.stringify({ ...meta, contentHash }),
      contentHash,
    };
    const bytes = Buffer.byteLength(encoded.data) + Buffer.byteLength(encoded.meta);
    if (bytes > MAX_EVENT_BYTES)
      throw new DomainError(
        refusal('too_large', 'event/too-large', `One event holds at most ${MAX_EVENT_BYTES} bytes. Refer to large content by its digest.`, {
          type: event.type,
          bytes,
          limit: MAX_EVENT_BYTES,
        }),
      );
    return encoded;
  }

  decode<E extends Event>(type: string, data: string, meta: string): Readonly<{ type: E['type']; data: E['data']; meta: EventMeta }> {
    return this.present(type, parsed(data), parsed(meta) as EventMeta);
  }

  /** As `decode`, where a client library has parsed the texts already. */
  decodeParsed<E extends Event>(
    type: string,
    data: unknown,
    meta: unknown,
  ): Readonly<{ type: E['type']; data: E['data']; meta: EventMeta }> {
    return this.present(type, fromStored(data), fromStored(meta) as EventMeta);
  }

  private present<E extends Event>(
    type: string,
    data: unknown,
    readMeta: EventMeta,
  ): Readonly<{ type: E['type']; data: E['data']; meta: EventMeta }> {
    const shape = this.shapes.get(type);
    let read = data;
    for (let version = readMeta.schemaVersion; shape && version < shape.version; version++) {
      const upcast = shape.upcast?.[version];
      if (!upcast) throw new Error(`No upcast of ${type} from version ${version}.`);
      read = upcast(read as never);
    }
    return { type, data: read, meta: readMeta };
  }
}

/** What no store may hold. The edge refuses it with 422 before it comes here. */
export class UnstorableError extends Error {
  override name = 'UnstorableError';
}

// A bigint is stored as {"$bigint": "<digits>"}; a key of the data that begins with $ gets a second one, so that nothing else reads as a bigint.
const toStored = (value: unknown, path: string, depth = 0): unknown => {
  if (depth > MAX_DEPTH) throw new UnstorableError(`${path} is nested too deeply.`);
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new UnstorableError(`${path} holds half of a surrogate pair.`);
      if (value.includes('\0')) throw new UnstorableError(`${path} holds the character NUL.`);
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new UnstorableError(`${path} is ${value}, which JSON cannot hold.`);
      return value;
    case 'boolean':
      return value;
    case 'bigint':
      return { $bigint: value.toString() };
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return value.map((item, index) => toStored(item, `${path}/${index}`, depth + 1));
      if (!isPlain(value)) throw new UnstorableError(`${path} is not plain data.`);
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([key, item]) => [
            toStored(key.startsWith('$') ? `$${key}` : key, path) as string,
            toStored(item, `${path}/${key}`, depth + 1),
          ]),
      );
    default:
      throw new UnstorableError(`${path} is a ${typeof value}, which JSON cannot hold.`);
  }
};

// Nothing in it stands for anything else unless a key begins with $, which most events do without: those need no second walk. (A
// string that begins with $ costs the walk, no more.)
const parsed = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  return text.includes('"$') ? fromStored(value) : value;
};

const fromStored = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromStored);
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length === 1 && entries[0]![0] === '$bigint') return BigInt(entries[0]![1] as string);
  return Object.fromEntries(entries.map(([key, item]) => [key.startsWith('$') ? key.slice(1) : key, fromStored(item)]));
};

// Not by identity with Object.prototype: plain data of another realm (structuredClone under a test runner) is plain as well.
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};
