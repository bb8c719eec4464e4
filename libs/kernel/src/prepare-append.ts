import { UnstorableError, type EncodedEvent, type EventTypes } from './encoding.js';
import { DuplicateEventError, NO_STREAM } from './event-store.js';
import type { NewEvent } from './event.js';
import { isId } from './ids.js';

const LAST_REVISION = 2n ** 63n - 1n;
const STREAM_NAME = /^[A-Za-z]\w*-[\x21-\x7e]{1,200}$/;

/**
 * What every adapter does before it writes, so that all of them refuse the same: encodes the events, and throws
 * RangeError for an append of nothing or an impossible revision, UnstorableError for what no store may hold,
 * DuplicateEventError where two events of the append share an id, 413 `event/too-large` past MAX_EVENT_BYTES.
 */
export const prepareAppend = (types: EventTypes, stream: string, events: readonly NewEvent[], expected: bigint): EncodedEvent[] => {
  if (events.length === 0) throw new RangeError(`Nothing to append to ${stream}.`);
  if (typeof expected !== 'bigint' || expected < NO_STREAM || expected + BigInt(events.length) > LAST_REVISION)
    throw new RangeError(`An expected revision is NO_STREAM or a bigint from 0 on, not ${String(expected)}.`);
  if (!STREAM_NAME.test(stream)) throw new UnstorableError(`${JSON.stringify(stream)} is not <category>-<id> in printable ASCII.`);
  const seen = new Set<string>();
  return events.map((event) => {
    // PostgreSQL gives ids back in lower case: another spelling would not be read as it was hashed.
    for (const id of [event.id, event.meta.tenantId])
      if (!isId(id) || id !== id.toLowerCase()) throw new UnstorableError(`${JSON.stringify(id)} is not a UUID in lower case.`);
    if (seen.has(event.id)) throw new DuplicateEventError(event.id);
    seen.add(event.id);
    return types.encode(stream, event);
  });
};
